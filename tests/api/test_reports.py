"""Reports of runs from Python."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rowbook import RowbookError, Workspace
from rowbook.text.number_format import format_value
from tests.reports.page_checks import elements_in, in_order


@pytest.mark.spark
@pytest.mark.slow
def test_a_run_leaves_its_report(close: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "close.html"
    result = close.run(
        "monthly_close", "2026-01", draft=True, report=path, report_column="amount_usd"
    )
    assert (result.status, result.warnings) == ("completed", ())
    page = path.read_text(encoding="utf-8")
    assert "What became of amount_usd" in page
    assert ", from Python" in page
    assert "36,444.30" in page
    texts = elements_in(page).texts
    assert "What the largest figures are made of" in texts
    assert texts.count("adds up to the figure, replayed: equal") == 6, "five, and a total"
    assert not any(text.startswith("It is not explained here") for text in texts)
    _check_proofs(close, result.run_id, tmp_path)
    _check_changed(close, result.run_id, tmp_path)


def _check_proofs(close: Workspace, run_id: str, folder: Path) -> None:
    figure, row = folder / "figure.html", folder / "row.html"
    where = "level = 'result'"
    found = close.explain(run_id, "actual_usd", output="100", where=where, page=figure)
    assert in_order(
        elements_in(figure.read_text(encoding="utf-8")).texts,
        "actual_usd",
        format_value(found.figure),
        "adds up to the figure, replayed: equal",
        run_id,
        "rows looked at",
    )
    close.trace(run_id, "journal_id=DE01-202601-019,line_number=1", page=row)
    lived = elements_in(row.read_text(encoding="utf-8")).texts
    assert in_order(lived, "published", "data/gl/2026-01.csv:52", "overwritten by 53", "110 output")


def _check_changed(close: Workspace, run_id: str, folder: Path) -> None:
    """Too large to be kept, or not kept: then a report says what was changed, and is written."""
    shutil.rmtree(close.root / ".rowbook" / "evidence")
    with (close.root / "data" / "fx_rates.csv").open("a", encoding="utf-8") as rates:
        rates.write("2026-02,XXX,1\n")
    close.report(run_id, folder / "later.html")
    texts = elements_in((folder / "later.html").read_text(encoding="utf-8")).texts
    said = [text for text in texts if text.startswith("It is not explained here")]
    assert len(said) == 2, "one for each output"
    assert all("data/fx_rates.csv" in text for text in said)


def test_a_report_that_cannot_be_written_is_refused_before_spark_starts(
    unstarted: Workspace, tmp_path: Path
) -> None:
    with pytest.raises(RowbookError, match="there is no such folder"):
        unstarted.run("monthly_close", "2026-01", report=tmp_path / "no" / "close.html")
    with pytest.raises(RowbookError, match="report_column is for a report"):
        unstarted.run("monthly_close", "2026-01", report_column="amount")
    assert unstarted.runs() == ()
