"""A month-end close, by Rowbook and by hand.

    python -m benchmarks.close                    # 1, 3, 10 and 30 million journal lines
    python -m benchmarks.close --rows 1000000     # a size of your own
    python -m benchmarks.close --check            # do all contestants write the same rows?

What is to be done is in close_task.py, and how the others do it in peers/. Each run has a process
of its own: it opens its session, does a small close to get warm, and then is timed from the first
line of code to the last output that is written; for Rowbook this includes checking the workspace
and planning. Sessions are open before, so that plans are compared and not the starts of JVMs:

- `rowbook` and `pyspark` run in sessions of one kind, the one that `rowbook run` opens;
- `pyspark-stock` is the same code in a session as Spark makes it, with as much memory;
- `pyspark-persist` keeps the lines between its two outputs. It takes part on demand only, because
  it was the slower one: 86.3 s against 71.9 s at 10 million lines, in one run each on a busy
  machine. `--contestants pyspark pyspark-persist` repeats that.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import rowbook_side
from benchmarks.close_task import DETAIL, PROJECT, SUMMARY, workspace
from benchmarks.ledger_data import PERIOD, WARM_UP_ROWS, LedgerData, ledger_data
from benchmarks.measuring.chart import bars, panel
from benchmarks.measuring.command import finished, measured, parser
from benchmarks.measuring.page import Report
from benchmarks.measuring.results import Results, label, markdown, ratio
from benchmarks.measuring.same_rows import differences, read
from benchmarks.measuring.turns import Job, Turn
from benchmarks.measuring.worker import into_page_cache, timed

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAME = "close"
SIZES = (1_000_000, 3_000_000, 10_000_000, 30_000_000)
CONTESTANTS = ("rowbook", "pyspark", "pyspark-stock", "polars", "duckdb")
CHECKED_ROWS = 20_000

Close = Callable[[LedgerData, Path], None]
"""Closes the month of a ledger; `detail` and `summary` are then in the folder."""


def main() -> None:
    options = _options()
    if options.worker:
        work(options.worker)
    elif options.check:
        check(options.data, options.contestants)
    else:
        turns = [
            Turn(
                name,
                f"{rows:,} rows",
                {"contestant": name, "rows": rows, "data": f"{options.data}"},
            )
            for rows in options.rows
            for name in options.contestants
        ]
        finished(NAME, options, lambda: _measured(turns, options), report)


def _options() -> argparse.Namespace:
    made = parser(__doc__ or "", repetitions=3, limit=900)
    made.add_argument("--rows", type=int, nargs="+", default=SIZES)
    made.add_argument("--contestants", nargs="+", choices=list(_OPENED), default=CONTESTANTS)
    made.add_argument("--check", action="store_true", help="compare what all contestants write")
    return made.parse_args()


def _measured(turns: list[Turn], options: argparse.Namespace) -> Results:
    for rows in (WARM_UP_ROWS, *options.rows):
        ledger_data(options.data, rows)
    return measured(NAME, turns, options)


def work(job: Job) -> None:
    """The worker: one timed close."""
    folder, scratch = Path(str(job["data"])), Path(tempfile.gettempdir())
    small, data = ledger_data(folder, WARM_UP_ROWS), ledger_data(folder, int(job["rows"]))
    with _OPENED[str(job["contestant"])]() as close:
        close(small, scratch / "small")
        into_page_cache(data.folder)
        timed(lambda: close(data, scratch / "out"), int(job["limit"]))


def check(folder: Path, contestants: tuple[str, ...]) -> None:
    """Ends with an error where any contestant writes other rows than the first."""
    data = ledger_data(folder, CHECKED_ROWS)
    first, *others = contestants
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        for name in contestants:
            with _OPENED[name]() as close:
                close(data, Path(scratch, name))
        for name in others:
            for table, columns in {"detail": DETAIL, "summary": SUMMARY}.items():
                expected, got = (read(Path(scratch, n), table, columns) for n in (first, name))
                if found := differences(expected, got):
                    raise SystemExit(f"{first} and {name} differ in {table}: {found}")
                print(f"{first} and {name} write the same {len(got):,} rows of {table}")


# --- contestants


@contextmanager
def _rowbook() -> Iterator[Close]:
    with rowbook_side.session() as spark:
        yield lambda data, out: rowbook_close(spark, data, out)


def rowbook_close(
    spark: SparkSession,
    data: LedgerData,
    out: Path,
    *,
    written: Sequence[str] = (),
    expectations: str = "",
    ledger: bool = True,
) -> None:
    """Checks the workspace, plans and runs the project; see `workspace` for `written` and
    `expectations`."""
    out.mkdir(parents=True)
    text = workspace(data.folder, written=written, expectations=expectations)
    (out / "rowbook.yaml").write_text(text, encoding="utf-8")
    asked = rowbook_side.wanted(out, PROJECT, PERIOD)
    sandbox = rowbook_side.run(spark, asked, ledger=ledger)
    for table in sandbox.iterdir():
        table.rename(out / table.name)


def _pyspark(*, persist: bool) -> Callable[[], Iterator[Close]]:
    def opened() -> Iterator[Close]:
        with rowbook_side.session() as spark:
            from benchmarks.peers import pyspark_close

            yield lambda data, out: pyspark_close.close(spark, data, out, persist=persist)

    return opened


@contextmanager
def _pyspark_stock() -> Iterator[Close]:
    """Spark's launcher looks for Java in JAVA_HOME."""
    os.environ["JAVA_HOME"] = str(rowbook_side.java_home())
    from pyspark.sql import SparkSession

    from benchmarks.peers import pyspark_close

    memory = rowbook_side.driver_memory()
    spark = SparkSession.builder.config("spark.driver.memory", memory).getOrCreate()
    try:
        yield lambda data, out: pyspark_close.close(spark, data, out)
    finally:
        spark.stop()


@contextmanager
def _polars() -> Iterator[Close]:
    from benchmarks.peers import polars_close

    yield polars_close.close


@contextmanager
def _duckdb() -> Iterator[Close]:
    from benchmarks.peers import duckdb_close

    yield duckdb_close.close


_OPENED = {
    "rowbook": _rowbook,
    "pyspark": contextmanager(_pyspark(persist=False)),
    "pyspark-stock": _pyspark_stock,
    "pyspark-persist": contextmanager(_pyspark(persist=True)),
    "polars": _polars,
    "duckdb": _duckdb,
}


# --- what is shown


def report(results: Results) -> Report:
    """Times, their ratio to PySpark by hand, peak memory; bars of the medians."""
    rows = []
    for case in results.cases():
        for name in results.contestants():
            spread = results.spread(name, case)
            peak = spread.peak_megabytes if spread else None
            memory = f"{peak / 1024:.1f} GiB" if peak else "–"
            compared = ratio(results, name, "pyspark", case)
            rows.append([case, name, label(results, name, case), compared, memory])
    header = ("lines", "contestant", "median (least – most)", "× pyspark", "peak memory")
    return Report(
        markdown(header, rows, texts=2), _chart(results), "Seconds for the close, by size"
    )


def _chart(results: Results) -> str:
    panels = [panel(results, case) for case in results.cases()]
    return bars("Month-end close: median seconds, less is better", panels, "rowbook")


if __name__ == "__main__":
    main()
