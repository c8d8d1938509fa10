"""How a run grows with the columns of a table, and with the files that it is in.

    python -m benchmarks.wide

One row of 200 and of 2,000 columns, as csv and as parquet; and a table of 1,000 and of 100,000 csv
files of one row: what is found and recorded before Spark starts, against Spark's own listing of the
folder, and the whole run. Outputs are written. By hand: wide_task.py.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from benchmarks import rowbook_side
from benchmarks.measuring.command import finished, measured, parser
from benchmarks.measuring.page import Report, beside_pyspark
from benchmarks.measuring.results import Results
from benchmarks.measuring.turns import Job, Turn
from benchmarks.measuring.worker import timed
from benchmarks.wide_task import PERIOD, PROJECT, Kind, by_hand, many_files, wide_table, workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAME = "wide"
COLUMNS = (200, 2_000)
FILES = (1_000, 100_000)
_OF_FILES = 5
"""Columns of a table of many files."""
_WARM_UP = 20


def main() -> None:
    made = parser(__doc__ or "", repetitions=3, limit=600)
    made.add_argument("--columns", type=int, nargs="*", default=COLUMNS)
    made.add_argument("--files", type=int, nargs="*", default=FILES)
    options = made.parse_args()
    if options.worker:
        work(options.worker)
    else:
        finished(NAME, options, lambda: _measured(options), report)


def _measured(options: argparse.Namespace) -> Results:
    turns = []
    for columns in options.columns:
        for kind in ("csv", "parquet"):
            job = {"what": "columns", "kind": kind, "count": columns}
            turns += _turns(f"{columns:,} columns, {kind}", job, options)
    for files in options.files:
        many_files(options.data, files)
        for what, words in (("found", "found"), ("files", "run")):
            turns += _turns(f"{files:,} files, {words}", {"what": what, "count": files}, options)
    return measured(NAME, turns, options)


def _turns(case: str, job: Job, options: argparse.Namespace) -> list[Turn]:
    place = {"data": str(options.data)}
    return [Turn(name, case, {"contestant": name, **place, **job}) for name in CONTESTANTS]


def work(job: Job) -> None:
    """The worker: warm from a small table of the kind, then the one that is timed."""
    what, count, limit = str(job["what"]), int(job["count"]), int(job["limit"])
    run = CONTESTANTS[str(job["contestant"])]
    if what == "found" and run is _rowbook:
        root = many_files(Path(str(job["data"])), count)
        timed(lambda: rowbook_side.found(rowbook_side.wanted(root, PROJECT, PERIOD)), limit)
        return
    with rowbook_side.session() as spark:
        kind = cast(Kind, job.get("kind", "csv"))
        run(spark, _table(kind, _WARM_UP), kind, _WARM_UP, "columns")
        if what == "columns":
            root, columns = _table(kind, count), count
        else:
            root, columns = many_files(Path(str(job["data"])), count), _OF_FILES
        timed(lambda: run(spark, root, kind, columns, what), limit)
        shutil.rmtree(root / ".rowbook", ignore_errors=True)


def _table(kind: Kind, columns: int) -> Path:
    root = Path(tempfile.mkdtemp())
    wide_table(root, kind, columns)
    (root / "rowbook.yaml").write_text(workspace(kind, columns), encoding="utf-8")
    return root


def _rowbook(spark: SparkSession, root: Path, _: Kind, __: int, ___: str) -> None:
    """Checks the workspace, plans and runs the project."""
    rowbook_side.run(spark, rowbook_side.wanted(root, PROJECT, PERIOD))


def _pyspark(spark: SparkSession, root: Path, kind: Kind, columns: int, what: str) -> None:
    rows = by_hand(spark, root, kind, columns)
    if what == "found":
        rows.inputFiles()
    else:
        out = Path(tempfile.mkdtemp()) / "result"
        options = {"header": "true"} if kind == "csv" else {}
        rows.write.format(kind).options(**options).save(str(out))


Contestant = Callable[["SparkSession", Path, Kind, int, str], None]
CONTESTANTS: dict[str, Contestant] = {"rowbook": _rowbook, "pyspark": _pyspark}


def report(results: Results) -> Report:
    """Both times and their ratio, for each size."""
    return beside_pyspark(results, "table")


if __name__ == "__main__":
    main()
