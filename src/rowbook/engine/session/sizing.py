"""How many tasks a shuffle has: by how much the run reads.

Spark's 200 are too many for a hundred rows and too few for a billion. Its adaptive execution joins
small tasks after the fact, but never splits what a shuffle made too large.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SETTING = "spark.sql.shuffle.partitions"
_GROWTH = 5
"""Columns packed in files take about five times as much when they are rows."""
SMALL = 2 * 2**20
"""Bytes of files that one task reads as fast as several would begin."""
_PER_TASK = 64 * 2**20
_MOST = 8_192


def shuffle_partitions(input_bytes: int, cores: int) -> int:
    """About 64 MiB of rows for each task; no fewer tasks than cores."""
    wanted = math.ceil(input_bytes * _GROWTH / _PER_TASK)
    return max(cores, min(wanted, _MOST))


def in_one_task(frame: DataFrame) -> DataFrame:
    """Few rows in one task: grouping and joining them then needs no shuffle at all."""
    return frame.coalesce(1)


def size_shuffles(
    spark: SparkSession, input_bytes: int, cores: int, given: Mapping[str, str]
) -> None:
    """Sets it for what follows, unless the workspace's `engine.conf` does."""
    if SETTING not in given:
        spark.conf.set(SETTING, str(shuffle_partitions(input_bytes, cores)))
