"""How long a question about a run of many lines takes, in a session that is open and warm.

    python -m benchmarks.proof                    # 10 million journal lines
    python -m benchmarks.proof --rows 1000000     # a size of your own

The close of close_task.py runs as a draft, and is timed each time. Then, in turns, about the last:

- `trace` of a line by its natural key, and by its `_row_id`;
- `explain` of the total of one entity, of which there are far too many lines to be replayed;
- `explain` of a line of the detail, which is replayed.

Of the run, the processor time of Python and the JVM stands beside what evidence and seals took of
it: digests of what was read and written, contents that are kept, and seals, each counted in the
thread that it is made in. With them a run is to take 1.02 times as much at most: less than two
turns of the same run differ on most machines.

All are asked through the Python API: reading the record, finding what the run read and comparing it
with what is there are part of it. A trace is to take 2 seconds at most, the explanation of an
entity's total a quarter of the run.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import rowbook_side
from benchmarks.close_task import PROJECT, workspace
from benchmarks.ledger_data import PERIOD, ledger_data
from benchmarks.measuring.command import finished, parser, started
from benchmarks.measuring.page import Report
from benchmarks.measuring.processor_time import processor_seconds, spent_in
from benchmarks.measuring.results import Measurement, Results, label, markdown
from benchmarks.measuring.worker import into_page_cache
from rowbook import Workspace
from rowbook.sources.content_folder import ContentFolder
from rowbook.sources.files import file_pins
from rowbook.sources.publishing import table_publication
from rowbook.store.seals.sealer import Sealer

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
WHOLE, EVIDENCE = "run (processor)", "evidence and seals in it (processor)"
_EVIDENCE = (
    (file_pins, "file_digest"),
    (table_publication, "file_digest"),
    (ContentFolder, "keep"),
    (ContentFolder, "add"),
    (Sealer, "seal"),
)
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
            _ask(spark, root, 1 if rows == WARM_UP_ROWS else options.repetitions, results)
        if WARM_UP_ROWS not in options.rows:
            small = f"{WARM_UP_ROWS:,}"
            results.measurements = [m for m in results.measurements if m.case != small]
    return results


def _ask(spark: SparkSession, root: Path, repetitions: int, results: Results) -> None:
    case = f"{int(root.name):,}"
    with Workspace.open(root, spark=spark, trust=True) as books:
        for _ in range(repetitions):
            _run(books, case, results)
        (line,) = books.output_rows("latest", output="detail", limit=1).found.rows
        works = _questions(books, line)
        for _ in range(repetitions):
            for name, work in works.items():
                _timed(name, case, work, results)


def _run(books: Workspace, case: str, results: Results) -> None:
    before = processor_seconds()
    with spent_in(_EVIDENCE) as spent:
        _timed(_RUN, case, lambda: books.run(PROJECT, PERIOD, draft=True), results)
    taken = processor_seconds() - before
    results.measurements.append(Measurement(WHOLE, case, taken))
    results.measurements.append(Measurement(EVIDENCE, case, spent.seconds))


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
    cost = [f"{case} lines: {_multiple(results, case)}" for case in results.cases()]
    kept = f"\n\nA run with evidence as a multiple of one without: {', '.join(cost)}."
    return Report(markdown(header, rows) + kept)


def _multiple(results: Results, case: str) -> str:
    whole, evidence = results.spread(WHOLE, case), results.spread(EVIDENCE, case)
    if whole is None or evidence is None:
        return "–"
    return f"{whole.median / (whole.median - evidence.median):.3f}×"


if __name__ == "__main__":
    main()
