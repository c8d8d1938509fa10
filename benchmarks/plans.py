"""How a run grows with the number of its operations.

    python -m benchmarks.plans

Projects of 10, 100 and 1,000 operations that work row by row, of 1 to 16 that add rows, and of one
and four with windows, against the obvious PySpark for the same (plans_task.py). Outputs are
computed in full, but not written. A run that takes longer than `--limit` seconds is given up and
reported as such.

A thousand columns beside the fourteen that there are make rows very wide: this case takes a tenth
of them.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import rowbook_side
from benchmarks.ledger_data import PERIOD, WARM_UP_ROWS, LedgerData, ledger_data
from benchmarks.measuring.command import finished, measured, parser
from benchmarks.measuring.page import Report, beside_pyspark
from benchmarks.measuring.results import Results
from benchmarks.measuring.turns import Job, Turn
from benchmarks.measuring.worker import into_page_cache, timed
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

Plan = Callable[["SparkSession", LedgerData, str, int], None]


def main() -> None:
    made = parser(__doc__ or "", repetitions=3, limit=300)
    made.add_argument("--rows", type=int, default=ROWS)
    made.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    options = made.parse_args()
    if options.worker:
        work(options.worker)
    else:
        finished(NAME, options, lambda: _measured(options), report)


def _measured(options: argparse.Namespace) -> Results:
    turns = []
    for kind in options.kinds:
        for count in COUNTS[kind]:
            rows = options.rows // 10 if (kind, count) == WIDE else options.rows
            case = _words(kind, count) + (f", {rows:,} rows" if rows != options.rows else "")
            job = {"kind": kind, "count": count, "rows": rows, "data": str(options.data)}
            turns += [Turn(name, case, {"contestant": name, **job}) for name in CONTESTANTS]
    for rows in {WARM_UP_ROWS, *(int(turn.job["rows"]) for turn in turns)}:
        ledger_data(options.data, rows)
    return measured(NAME, turns, options)


def _words(kind: str, count: int) -> str:
    if kind == "chain":
        return f"{count:,} in a chain"
    if kind in ("entries", "spread"):
        return f"{count:,} of {kind}"
    return f"{count:,} {kind.removesuffix('s') if count == 1 else kind}"


def work(job: Job) -> None:
    """The worker: warm from the smallest project of the kind, then the one that is timed."""
    folder, kind = Path(str(job["data"])), str(job["kind"])
    small, data = ledger_data(folder, WARM_UP_ROWS), ledger_data(folder, int(job["rows"]))
    run, count = CONTESTANTS[str(job["contestant"])], int(job["count"])
    with rowbook_side.session() as spark:
        run(spark, small, kind, COUNTS[kind][0])
        into_page_cache(data.folder)
        timed(lambda: run(spark, data, kind, count), int(job["limit"]))


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
