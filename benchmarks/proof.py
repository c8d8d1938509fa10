"""How long a question about a run of many lines takes, in a session that is open and warm.

    python -m benchmarks.proof                    # 10 million journal lines
    python -m benchmarks.proof --rows 1000000     # a size of your own

The close of close_task.py runs as a draft, and is timed. Then, in turns:

- `trace` of a line by its natural key, and by its `_row_id`;
- `explain` of the total of one entity, of which there are far too many lines to be replayed;
- `explain` of a line of the detail, which is replayed.

Before that the same run is taken in turns with evidence kept and without (`evidence: none`), by the
processor time of Python and the JVM: it is to be 1.02 times as much at most.

All are asked through the Python API: reading the record, finding what the run read and comparing it
with what is there are part of it. A trace is to take 2 seconds at most, the explanation of an
entity's total a quarter of the run.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import rowbook_side
from benchmarks.close_task import PROJECT, workspace
from benchmarks.ledger_data import PERIOD, ledger_data
from benchmarks.measuring.command import finished, parser, started
from benchmarks.measuring.memory import family
from benchmarks.measuring.page import Report
from benchmarks.measuring.results import Measurement, Results, label, markdown, ratio
from benchmarks.measuring.worker import into_page_cache
from rowbook import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAME = "proof"
SIZES = (10_000_000,)
WARM_UP_ROWS = 50_000
TARGETS = {
    "trace by key": "2 s",
    "trace by _row_id": "2 s",
    "explain an entity's total": "a quarter of the run",
}
_RUN = "run"
KEPT, NOT_KEPT = "run, evidence kept (processor)", "run, no evidence (processor)"
_SETTINGS = "workspace:\n"
_ENTITY = "level = 'entity' AND entity = 'DE01' AND line_type = 'actual'"


def main() -> None:
    made = parser(__doc__ or "", repetitions=3, limit=900)
    made.add_argument("--rows", type=int, nargs="+", default=SIZES)
    options = made.parse_args()
    finished(NAME, options, lambda: _measured(options), report)


def _measured(options: argparse.Namespace) -> Results:
    """In this process: a warm session is what it is about."""
    results = started(NAME)
    with rowbook_side.session() as spark, tempfile.TemporaryDirectory() as scratch:
        for rows in (WARM_UP_ROWS, *options.rows):
            data, root = ledger_data(options.data, rows), Path(scratch, str(rows))
            root.mkdir()
            text = workspace(data.folder, written=("_row_id",))
            (root / "rowbook.yaml").write_text(text, encoding="utf-8")
            into_page_cache(data.folder)
            _keep(spark, root, options.repetitions if rows != WARM_UP_ROWS else 1, results)
            _ask(spark, root, 1 if rows == WARM_UP_ROWS else options.repetitions, results)
        if WARM_UP_ROWS not in options.rows:
            small = f"{WARM_UP_ROWS:,}"
            results.measurements = [m for m in results.measurements if m.case != small]
    return results


def _keep(spark: SparkSession, root: Path, repetitions: int, results: Results) -> None:
    """The run with evidence kept and without, in turns; each in a folder of its own."""
    text, case = (root / "rowbook.yaml").read_text(encoding="utf-8"), f"{int(root.name):,}"
    folders = {KEPT: "small", NOT_KEPT: "none"}
    for evidence in folders.values():
        folder = root / evidence
        folder.mkdir()
        settings = text.replace(_SETTINGS, f"{_SETTINGS}  evidence: {evidence}\n", 1)
        (folder / "rowbook.yaml").write_text(settings, encoding="utf-8")
    for _ in range(repetitions):
        for name, evidence in folders.items():
            with Workspace.open(root / evidence, spark=spark, trust=True) as books:
                before = _processor_seconds()
                assert books.run(PROJECT, PERIOD, draft=True).status == "completed"
                taken = _processor_seconds() - before
                books.gc(older_than=0)
            results.measurements.append(Measurement(name, case, taken))


def _processor_seconds() -> float:
    """Of this process and those that it started: Spark's JVM."""
    ticks = 0
    for process in family(os.getpid()):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _ask(spark: SparkSession, root: Path, repetitions: int, results: Results) -> None:
    case = f"{int(root.name):,}"
    with Workspace.open(root, spark=spark, trust=True) as books:
        _timed(_RUN, case, lambda: books.run(PROJECT, PERIOD, draft=True), results)
        (line,) = books.output_rows("latest", output="detail", limit=1).found.rows
        works = _questions(books, line)
        for _ in range(repetitions):
            for name, work in works.items():
                _timed(name, case, work, results)


def _questions(books: Workspace, line: Mapping[str, object]) -> Mapping[str, Callable[[], object]]:
    key = f"journal_id={line['journal_id']},line_number={line['line_number']}"
    where = f"_row_id = '{line['_row_id']}'"
    return {
        "trace by key": lambda: books.trace("latest", key),
        "trace by _row_id": lambda: books.trace("latest", str(line["_row_id"])),
        "explain an entity's total": lambda: books.explain(
            "latest", "total", output="summary", where=_ENTITY
        ),
        "explain a line": lambda: books.explain(
            "latest", "amount_group", output="detail", where=where
        ),
    }


def _timed(name: str, case: str, work: Callable[[], object], results: Results) -> None:
    begin = time.perf_counter()
    work()
    results.measurements.append(Measurement(name, case, time.perf_counter() - begin))


def report(results: Results) -> Report:
    """A line for each question, a column for each size."""
    header = ["in a warm session", *(f"{case} lines" for case in results.cases()), "to be at most"]
    rows = [
        [name, *(label(results, name, case) for case in results.cases()), TARGETS.get(name, "")]
        for name in results.contestants()
    ]
    cost = [f"{case} lines: {ratio(results, KEPT, NOT_KEPT, case)}" for case in results.cases()]
    kept = f"\n\nA run with evidence as a multiple of one without: {', '.join(cost)}."
    return Report(markdown(header, rows) + kept)


if __name__ == "__main__":
    main()
