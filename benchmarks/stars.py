"""Totals over a star of lookups, by Rowbook and by Spark SQL.

    python -m benchmarks.stars
    python -m benchmarks.stars --check            # do both give the same rows?

Journal lines look up in five to eight tables that have each key once, and are added up by what they
found (stars_task.py): all lines, or few. Both sides run in sessions of one kind, the one that
`rowbook run` opens, and each measurement has a process of its own; totals are computed in full, but
not written. Rowbook checks the workspace, plans, counts rows for its ledger, and looks whether keys
stand once in the tables.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from benchmarks import rowbook_side
from benchmarks.ledger_data import PERIOD, WARM_UP_ROWS, LedgerData, ledger_data
from benchmarks.measuring.command import finished, measured, parser
from benchmarks.measuring.page import Report, beside_pyspark
from benchmarks.measuring.results import Results
from benchmarks.measuring.same_rows import differences, read
from benchmarks.measuring.turns import Job, Turn
from benchmarks.measuring.worker import into_page_cache, timed
from benchmarks.stars_task import PROJECT, WRITTEN, Totals, by_hand, star_tables, workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAME = "stars"
ROWS = 3_000_000
CHECKED_ROWS = 20_000
LOOKUPS = (5, 8)
TOTALS: tuple[Totals, ...] = ("selective", "unselective")

Star = Callable[["SparkSession", LedgerData, int, Totals], None]


def main() -> None:
    made = parser(__doc__ or "", repetitions=3, limit=300)
    made.add_argument("--rows", type=int, default=ROWS)
    made.add_argument("--lookups", type=int, nargs="+", choices=range(5, 9), default=LOOKUPS)
    made.add_argument("--check", action="store_true", help="compare what both sides give")
    options = made.parse_args()
    if options.worker:
        work(options.worker)
    elif options.check:
        with rowbook_side.session() as spark, tempfile.TemporaryDirectory() as scratch:
            check(spark, star_data(options.data, CHECKED_ROWS), Path(scratch), options.lookups)
    else:
        finished(NAME, options, lambda: _measured(options), report)


def star_data(folder: Path, rows: int) -> LedgerData:
    """A ledger of this size with the tables that are looked up."""
    data = ledger_data(folder, rows)
    star_tables(data)
    return data


def _measured(options: argparse.Namespace) -> Results:
    turns = [
        Turn(
            name,
            f"{lookups} lookups, {totals}",
            {
                "contestant": name,
                "lookups": lookups,
                "totals": totals,
                "rows": options.rows,
                "data": str(options.data),
            },
        )
        for lookups in options.lookups
        for totals in TOTALS
        for name in CONTESTANTS
    ]
    for rows in (WARM_UP_ROWS, options.rows):
        star_data(options.data, rows)
    return measured(NAME, turns, options)


def work(job: Job) -> None:
    """The worker: warm from few lines, then the star that is timed."""
    folder, lookups = Path(str(job["data"])), int(job["lookups"])
    totals = cast(Totals, job["totals"])
    small, data = star_data(folder, WARM_UP_ROWS), star_data(folder, int(job["rows"]))
    run = CONTESTANTS[str(job["contestant"])]
    with rowbook_side.session() as spark:
        run(spark, small, lookups, totals)
        into_page_cache(data.folder)
        timed(lambda: run(spark, data, lookups, totals), int(job["limit"]))


def _rowbook(spark: SparkSession, data: LedgerData, lookups: int, totals: Totals) -> None:
    """Checks the workspace, plans and runs the project."""
    root = Path(tempfile.mkdtemp())
    (root / "rowbook.yaml").write_text(workspace(data, lookups, totals), encoding="utf-8")
    rowbook_side.run_unwritten(spark, rowbook_side.wanted(root, PROJECT, PERIOD))


def _pyspark(spark: SparkSession, data: LedgerData, lookups: int, totals: Totals) -> None:
    by_hand(spark, data, lookups, totals).write.format("noop").mode("overwrite").save()


CONTESTANTS: dict[str, Star] = {"rowbook": _rowbook, "pyspark": _pyspark}


def check(
    spark: SparkSession, data: LedgerData, folder: Path, lookups: tuple[int, ...] = LOOKUPS
) -> None:
    """Ends with an error where the two sides give other rows."""
    for number in lookups:
        for totals in TOTALS:
            case = f"{number} lookups, {totals}"
            root = folder / f"{number}-{totals}"
            root.mkdir()
            text = workspace(data, number, totals)
            (root / "rowbook.yaml").write_text(text, encoding="utf-8")
            written = rowbook_side.run(spark, rowbook_side.wanted(root, PROJECT, PERIOD))
            by_hand(spark, data, number, totals).write.parquet(str(root / "hand" / "result"))
            ours, hand = (read(each, "result", WRITTEN) for each in (written, root / "hand"))
            if not ours or (found := differences(hand, ours)):
                raise SystemExit(f"{case}: {found if ours else 'no rows'}")
            print(f"{case}: the same {len(ours):,} rows")


def report(results: Results) -> Report:
    """Both times and their ratio, for each number of lookups and kind of totals."""
    return beside_pyspark(results, "totals over a star")


if __name__ == "__main__":
    main()
