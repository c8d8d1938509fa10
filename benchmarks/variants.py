"""Closes that nobody tuned for, by Rowbook and by hand in PySpark.

    python -m benchmarks.variants
    python -m benchmarks.variants --seed 7 --count 4    # others
    python -m benchmarks.variants --check               # do both write the same rows?

Rules of other shapes, groupings that do not nest, one output or three, sixty columns, Delta out,
csv in: what a seed draws (variants_task.py), so that a new seed is a new test. Both sides run in
sessions of one kind, the one that `rowbook run` opens, and each measurement has a process of its
own, warm from a small close of the same variant. Outputs are written.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import rowbook_side
from benchmarks.ledger_data import PERIOD, WARM_UP_ROWS, LedgerData
from benchmarks.measuring.command import finished, measured, parser
from benchmarks.measuring.page import Report, beside_pyspark
from benchmarks.measuring.results import Results
from benchmarks.measuring.same_rows import differences, read_frame
from benchmarks.measuring.turns import Job, Turn
from benchmarks.measuring.worker import into_page_cache, timed
from benchmarks.variants_task import PROJECT, Variant, by_hand, variant_data, variants, workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAME = "variants"
ROWS = 2_000_000
SEED = 1
COUNT = 8
CHECKED_ROWS = 20_000

Close = Callable[["SparkSession", LedgerData, Variant, Path], Path]
"""Closes the month of a ledger below a folder; gives where the outputs are."""


def main() -> None:
    made = parser(__doc__ or "", repetitions=3, limit=600)
    made.add_argument("--rows", type=int, default=ROWS)
    made.add_argument("--seed", type=int, default=SEED)
    made.add_argument("--count", type=int, default=COUNT, help="how many are drawn")
    made.add_argument("--check", action="store_true", help="compare what both sides write")
    options = made.parse_args()
    if options.worker:
        work(options.worker)
    elif options.check:
        with _session() as spark, tempfile.TemporaryDirectory() as scratch:
            drawn = variants(options.seed, options.count)
            check(spark, options.data, Path(scratch), drawn)
    else:
        finished(NAME, options, lambda: _measured(options), report)


def _session() -> AbstractContextManager[SparkSession]:
    return rowbook_side.session(extras=["delta"])


def _measured(options: argparse.Namespace) -> Results:
    drawn = variants(options.seed, options.count)
    turns = [
        Turn(
            name,
            f"{number}: {variant.label}",
            {
                "contestant": name,
                "seed": options.seed,
                "number": number,
                "rows": options.rows,
                "data": str(options.data),
            },
        )
        for number, variant in enumerate(drawn)
        for name in CONTESTANTS
    ]
    for variant in drawn:
        for rows in (WARM_UP_ROWS, options.rows):
            variant_data(options.data, rows, variant)
    return measured(NAME, turns, options)


def work(job: Job) -> None:
    """The worker: warm from few lines, then the close that is timed."""
    folder, number, scratch = Path(str(job["data"])), int(job["number"]), tempfile.gettempdir()
    variant = variants(int(job["seed"]), number + 1)[number]
    small = variant_data(folder, WARM_UP_ROWS, variant)
    data = variant_data(folder, int(job["rows"]), variant)
    close = CONTESTANTS[str(job["contestant"])]
    with _session() as spark:
        close(spark, small, variant, Path(scratch, "small"))
        into_page_cache(data.folder)
        timed(lambda: close(spark, data, variant, Path(scratch, "out")), int(job["limit"]))


def _rowbook(spark: SparkSession, data: LedgerData, variant: Variant, out: Path) -> Path:
    """Checks the workspace, plans and runs the project."""
    out.mkdir()
    text = workspace(data, variant, out / "books")
    (out / "rowbook.yaml").write_text(text, encoding="utf-8")
    return rowbook_side.run(spark, rowbook_side.wanted(out, PROJECT, PERIOD))


def _pyspark(spark: SparkSession, data: LedgerData, variant: Variant, out: Path) -> Path:
    by_hand(spark, data, variant, out)
    return out


CONTESTANTS: dict[str, Close] = {"rowbook": _rowbook, "pyspark": _pyspark}


def check(spark: SparkSession, data: Path, folder: Path, drawn: Sequence[Variant]) -> None:
    """Ends with an error where the two sides write other rows."""
    for number, variant in enumerate(drawn):
        lines = variant_data(data, CHECKED_ROWS, variant)
        kind = "delta" if variant.feature == "Delta out" else "parquet"
        ours, hand = (
            close(spark, lines, variant, folder / f"{number}-{name}")
            for name, close in CONTESTANTS.items()
        )
        for name, columns in variant.tables.items():
            expected, got = (
                read_frame(spark.read.format(kind).load(str(each / name)), columns)
                for each in (hand, ours)
            )
            if not got or (found := differences(expected, got)):
                raise SystemExit(f"{variant.label}: {name}: {found if got else 'no rows'}")
        print(f"{variant.label}: the same rows in {', '.join(variant.tables)}")


def report(results: Results) -> Report:
    """Both times and their ratio, for each variant."""
    return beside_pyspark(results, "close")


if __name__ == "__main__":
    main()
