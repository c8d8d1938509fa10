"""Totals over a star of lookups, by Rowbook and by Spark SQL.

    python -m benchmarks.stars
    python -m benchmarks.stars --check            # do both give the same rows?

Journal lines look up in five to eight tables that have each key once, and are added up by what they
found (stars_task.py): all lines, or few. Both sides take turns in one session that is open and
warm, of the kind that `rowbook run` opens; totals are computed in full, but not written. Rowbook
checks the workspace, plans, counts rows for its ledger, and looks whether keys stand once in the
tables.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import rowbook_side
from benchmarks.ledger_data import PERIOD, LedgerData, ledger_data
from benchmarks.measuring.command import begun, finished, parser
from benchmarks.measuring.page import Report, beside_pyspark
from benchmarks.measuring.results import Results
from benchmarks.measuring.same_rows import differences, read
from benchmarks.measuring.turns import Rules
from benchmarks.measuring.warm import Work, take_warm
from benchmarks.measuring.worker import into_page_cache
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
    if options.check:
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
    results = begun(NAME, options)
    rules = Rules(options.repetitions, options.limit, options.data)
    data = star_data(options.data, options.rows)
    into_page_cache(data.folder)
    with rowbook_side.session() as spark:
        for lookups in options.lookups:
            for totals in TOTALS:
                works = {
                    name: Work(partial(run, spark, data, lookups, totals))
                    for name, run in CONTESTANTS.items()
                }
                case = f"{lookups} lookups, {totals}"
                take_warm(results, case, works, rules, spark.sparkContext.cancelAllJobs)
    return results


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
