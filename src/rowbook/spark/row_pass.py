"""Rows that pass through a Python process beside each of Spark's tasks, as batches of Arrow."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

Pass: TypeAlias = Callable[[Iterable["pa.RecordBatch"]], Iterator["pa.RecordBatch"]]
"""What a task does with its rows, and what it gives instead of them."""

PASS_CONF = {
    "spark.sql.execution.arrow.maxBytesPerBatch": f"{2**31 - 1}",
}
"""Spark would ask each column after each row how large the batch is by now, which takes longer than
filling it. It ends at so many rows as `spark.sql.execution.arrow.maxRecordsPerBatch` says."""

MOST_COLUMNS = 200
"""Of more, ten thousand rows are too much for a batch."""


def can_pass(frame: DataFrame) -> bool:
    return len(frame.columns) <= MOST_COLUMNS and has_workers(frame.sparkSession)


def has_workers(spark: SparkSession) -> bool:
    """Whether tasks run on this machine, with this Python beside them."""
    if not runs_here(spark):
        return False
    settled = all(spark.conf.get(key, None) == value for key, value in PASS_CONF.items())
    return settled and spark.sparkContext.pythonExec == sys.executable


def runs_here(spark: SparkSession) -> bool:
    """Whether tasks run on this machine, and see its files."""
    from pyspark.sql.utils import is_remote

    return not is_remote() and (spark.conf.get("spark.master", None) or "").startswith("local")


def passed(frame: DataFrame, task: Pass, schema: StructType | str) -> DataFrame:
    return frame.mapInArrow(lambda batches: task(batches), schema)
