"""docs/performance.md: each benchmark owns what stands between its two markers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring.results import Results, label, markdown, ratio

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"


@dataclass(frozen=True, slots=True)
class Report:
    """What is shown of a benchmark: a table, and where there is one a chart as SVG with its
    text for those who cannot see it."""

    table: str
    chart: str | None = None
    chart_text: str = ""


def beside_pyspark(results: Results, cases: str) -> Report:
    """Rowbook's times, those of PySpark by hand, and their ratio; `cases` is what is measured."""
    rows = [
        [
            case,
            label(results, "rowbook", case),
            label(results, "pyspark", case),
            ratio(results, "rowbook", "pyspark", case),
        ]
        for case in results.cases()
    ]
    return Report(markdown((cases, "Rowbook", "PySpark by hand", "ratio"), rows))


def publish(results: Results, report: Report, page: Path = PAGE) -> None:
    """Replaces the benchmark's part of the page, and its picture."""
    name = results.name
    opening, closing = f"<!-- bench:{name} -->", f"<!-- /bench:{name} -->"
    before, found, rest = page.read_text(encoding="utf-8").partition(opening)
    _, ended, after = rest.partition(closing)
    if not (found and ended):
        raise SystemExit(f"{page.name} has no part between {opening} and {closing}")
    parts = [f"```\n{results.command}\n```", report.table, _circumstances(results)]
    if report.chart is not None:
        picture = page.parent / "images" / f"{name}.svg"
        picture.parent.mkdir(exist_ok=True)
        picture.write_text(report.chart, encoding="utf-8")
        parts.insert(2, f"![{report.chart_text}](images/{picture.name})")
    text = "\n\n".join(parts)
    page.write_text(f"{before}{opening}\n{text}\n{closing}{after}", encoding="utf-8")


def _circumstances(results: Results) -> str:
    machine, versions = results.machine, results.versions
    installed = [
        f"{name} {version}" for name, version in versions.items() if version != "not installed"
    ]
    return (
        f"{results.date}; {machine['cores']} cores ({machine['processor']}), {machine['memory']},"
        f" {machine['system']}; load {results.load_before} before and {results.load_after} after;"
        f" {', '.join(installed)}."
    )
