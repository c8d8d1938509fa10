"""What features cost: the same close with and without them, and comparing rows in scenarios.

    python -m benchmarks.overhead
    python -m benchmarks.overhead --rows 10000000 --closes usual rows groups

The ledger counts for every operation how many rows it met, added and deleted. Row ids are made for
every row that is written with its `_row_id`. Expectations are looked at and all hold: ten of rows,
or two of groups, by entity and account and by journal. Outputs are published together, when all
are through, or each when it is written; beside the time stands the most that was staged at once,
and not yet published. A scenario compares the rows that came out
with those of a file: here once all rows are as expected, and once ten are not.

All take turns in one session that is open and warm. Beside the clock stands the processor time of
Python and the JVM, which other work on the machine disturbs less.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import rowbook_side
from benchmarks.close import rowbook_close
from benchmarks.close_task import (
    OUT,
    PROJECT,
    claims_of_groups,
    claims_of_rows,
    published_workspace,
)
from benchmarks.ledger_data import PERIOD, LedgerData, ledger_data
from benchmarks.measuring.command import begun, finished, parser
from benchmarks.measuring.page import Report
from benchmarks.measuring.results import Results, label, markdown, processor_ratio, ratio
from benchmarks.measuring.turns import Rules
from benchmarks.measuring.warm import Left, Work, take_warm
from benchmarks.measuring.worker import into_page_cache

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAME = "overhead"
ROWS = 3_000_000
USUAL = "close, as usual"
NO_LEDGER = "close, nothing counted"
WITH_IDS = "close, _row_id written in both outputs"
CLOSES = {
    "usual": USUAL,
    "uncounted": NO_LEDGER,
    "ids": WITH_IDS,
    "rows": "close, ten expectations of rows",
    "groups": "close, two expectations of groups",
    "together": "close, published together",
    "as_written": "close, published as written",
}
"""By the names that `--closes` takes."""
CLAIMS = {CLOSES["rows"]: claims_of_rows, CLOSES["groups"]: claims_of_groups}
PUBLISHED = {CLOSES[name]: name for name in ("together", "as_written")}
WARM_UP_TURNS = 4
"""Of each close: what Java compiles is not compiled for good before."""
COMPARISONS = {
    f"comparing {count:,} rows, {words}": (count, different)
    for count in (10_000, 100_000)
    for different, words in ((0, "all as expected"), (10, "ten different"))
}


def main() -> None:
    made = parser(__doc__ or "", repetitions=5, limit=600)
    made.add_argument("--rows", type=int, default=ROWS)
    made.add_argument(
        "--closes", nargs="+", choices=CLOSES, help="these alone, and nothing compared"
    )
    options = made.parse_args()
    finished(NAME, options, lambda: _measured(options), report)


def _measured(options: argparse.Namespace) -> Results:
    results = begun(NAME, options)
    rules = Rules(options.repetitions, options.limit, options.data)
    data = ledger_data(options.data, options.rows)
    with rowbook_side.session() as spark, tempfile.TemporaryDirectory(dir=options.data) as scratch:
        give_up = spark.sparkContext.cancelAllJobs
        with _closes(spark, data, Path(scratch), options.closes or CLOSES) as closes:
            into_page_cache(data.folder)
            case = f"{options.rows:,} rows"
            take_warm(results, case, closes, rules, give_up, warm_up_turns=WARM_UP_TURNS)
        if not options.closes:
            compared = {
                name: Work(rowbook_side.comparison(*rows)) for name, rows in COMPARISONS.items()
            }
            take_warm(results, "of a scenario", compared, rules, give_up)
    return results


@contextmanager
def _closes(
    spark: SparkSession, data: LedgerData, scratch: Path, names: Iterable[str]
) -> Iterator[Mapping[str, Work]]:
    with ExitStack() as opened:
        yield {
            CLOSES[name]: opened.enter_context(_publishing(spark, data, scratch / name, name))
            if CLOSES[name] in PUBLISHED
            else _close(spark, data, scratch / name, CLOSES[name])
            for name in names
        }


def _close(spark: SparkSession, data: LedgerData, out: Path, what: str) -> Work:
    run = partial(
        rowbook_close,
        spark,
        data,
        out,
        written=("_row_id",) if what == WITH_IDS else (),
        expectations=CLAIMS[what]() if what in CLAIMS else "",
        ledger=what != NO_LEDGER,
    )

    def tidy() -> Left:
        shutil.rmtree(out)
        return Left()

    return Work(run, tidy)


@contextmanager
def _publishing(spark: SparkSession, data: LedgerData, root: Path, publish: str) -> Iterator[Work]:
    root.mkdir()
    text = published_workspace(data.folder, publish)
    (root / "rowbook.yaml").write_text(text, encoding="utf-8")
    with rowbook_side.published(spark, root, PROJECT, PERIOD) as run:
        most = 0

        def watched() -> None:
            nonlocal most
            with _StagedSpace(root / OUT) as staged:
                run()
            most = staged.most

        yield Work(watched, lambda: Left(most))


class _StagedSpace:
    """The most bytes that stood beside the tables of a folder at once, looked at now and then."""

    def __init__(self, folder: Path) -> None:
        self.most = 0
        self._folder = folder
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> _StagedSpace:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(0.1):
            self.most = max(self.most, sum(map(_size, self._folder.glob(".*"))))


def _size(folder: Path) -> int:
    """Of files that may go while they are looked at."""
    found = 0
    for path in folder.rglob("*.parquet"):
        with suppress(FileNotFoundError):
            found += path.stat().st_size
    return found


def report(results: Results) -> Report:
    """Times, and those of closes as a multiple of the usual one."""
    rows = [
        [
            name,
            case,
            label(results, name, case),
            ratio(results, name, USUAL, case),
            processor_ratio(results, name, USUAL, case),
            _staged(results, name, case),
        ]
        for name in results.contestants()
        for case in results.cases()
        if results.of(name, case)
    ]
    header = (
        "what",
        "on",
        "median (least – most)",
        "× usual",
        "processor time × usual",
        "staged at once",
    )
    return Report(markdown(header, rows, texts=2))


def _staged(results: Results, name: str, case: str) -> str:
    found = [m.written_bytes for m in results.of(name, case) if m.written_bytes is not None]
    return f"{max(found) / 1e6:.1f} MB" if found else ""


if __name__ == "__main__":
    main()
