"""How a run grows with the number of its operations.

    python -m benchmarks.plans

Projects of 10, 100 and 1,000 operations that work row by row, of 1 to 16 that add rows, and of one
and four with windows, against the obvious PySpark for the same (plans_task.py). Outputs are
computed in full, but not written. Both sides take turns in one session that is open and warm. A run
that takes longer than `--limit` seconds is given up and reported as such.

A thousand columns beside the fourteen that there are make rows very wide: this case takes a tenth
of them.
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
from benchmarks.measuring.turns import Rules
from benchmarks.measuring.warm import Work, take_warm
from benchmarks.measuring.worker import into_page_cache
from benchmarks.plans_task import KINDS, PROJECT, by_hand, workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAME = "plans"
ROWS = 2_000_000
ROW_BY_ROW = (10, 100, 1_000)
ADDING = (1, 2, 4, 8, 16)
SEEING = (1, 4)
LEVELS = (1, 2)
COUNTS = {
    "columns": ROW_BY_ROW,
    "rules": ROW_BY_ROW,
    "ranges": ROW_BY_ROW,
    "chain": ROW_BY_ROW,
    "aggregates": ADDING,
    "levels": LEVELS,
    "appends": ADDING,
    "shares": SEEING,
    "numbers": SEEING,
    "entries": (1, 2, 4),
    "spread": (1, 2),
}
WIDE = ("columns", 1_000)
LARGE = 1_000
WARM_UP = 3
"""Turns before those that count; of projects that are large one, since they take long."""

Plan = Callable[["SparkSession", LedgerData, str, int], None]


def main() -> None:
    made = parser(__doc__ or "", repetitions=3, limit=300)
    made.add_argument("--rows", type=int, default=ROWS)
    made.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    options = made.parse_args()
    finished(NAME, options, lambda: _measured(options), report)


def _measured(options: argparse.Namespace) -> Results:
    results = begun(NAME, options)
    rules = Rules(options.repetitions, options.limit, options.data)
    with rowbook_side.session() as spark:
        for kind in options.kinds:
            for count in COUNTS[kind]:
                rows = options.rows // 10 if (kind, count) == WIDE else options.rows
                data = ledger_data(options.data, rows)
                into_page_cache(data.folder)
                works = {
                    name: Work(partial(run, spark, data, kind, count))
                    for name, run in CONTESTANTS.items()
                }
                case = _words(kind, count) + (f", {rows:,} rows" if rows != options.rows else "")
                give_up, turns = spark.sparkContext.cancelAllJobs, 1 if count >= LARGE else WARM_UP
                take_warm(results, case, works, rules, give_up, warm_up_turns=turns)
    return results


def _words(kind: str, count: int) -> str:
    if kind == "chain":
        return f"{count:,} in a chain"
    if kind in ("entries", "spread"):
        return f"{count:,} of {kind}"
    return f"{count:,} {kind.removesuffix('s') if count == 1 else kind}"


def _rowbook(spark: SparkSession, data: LedgerData, kind: str, count: int) -> None:
    """Checks the workspace, plans and runs the project."""
    root = Path(tempfile.mkdtemp())
    (root / "rowbook.yaml").write_text(workspace(data, kind, count), encoding="utf-8")
    rowbook_side.run_unwritten(spark, rowbook_side.wanted(root, PROJECT, PERIOD))


def _pyspark(spark: SparkSession, data: LedgerData, kind: str, count: int) -> None:
    by_hand(spark, data, kind, count).write.format("noop").mode("overwrite").save()


CONTESTANTS: dict[str, Plan] = {"rowbook": _rowbook, "pyspark": _pyspark}


def report(results: Results) -> Report:
    """Both times and their ratio, for each kind and number of operations."""
    return beside_pyspark(results, "operations")


if __name__ == "__main__":
    main()
