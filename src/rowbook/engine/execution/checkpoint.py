"""Rows computed here and now, and kept where the strategy says."""

from __future__ import annotations

from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StringType
from pyspark.sql.utils import is_remote

from rowbook.engine.compile.local_frames import LocalRelation
from rowbook.engine.strategy.stages import Storage
from rowbook.spark.column_names import column

_CELL = 16
"""Bytes of a cell in Arrow, the largest that is no text."""


def checkpoint(frame: DataFrame, storage: Storage) -> DataFrame:
    """What follows starts from the result. Few rows that are brought to the driver go on from there
    as a local relation: no executor is asked for them again."""
    match storage.copies:
        case "driver":
            return LocalRelation.collected(frame).frame
        case "one":
            kept = frame.localCheckpoint(eager=True)
        case "two":
            kept = frame.localCheckpoint(eager=True, storageLevel=StorageLevel.MEMORY_AND_DISK_2)
        case "shared_folder":
            kept = frame.checkpoint(eager=True)
    if storage.collected and _size(kept) <= storage.collected:
        return kept.sparkSession.createDataFrame(kept.toArrow(), kept.schema)
    return kept


def is_in_one_task(kept: DataFrame) -> bool:
    """Whether rows that are kept are in one part, so that grouping them needs no shuffle; not known
    of a server's."""
    return not is_remote() and kept._jdf.queryExecution().toRdd().getNumPartitions() == 1


def _size(frame: DataFrame) -> int:
    """About how many bytes the rows are."""
    texts = [f.name for f in frame.schema.fields if isinstance(f.dataType, StringType)]
    sums = [F.sum(F.octet_length(column(name))) for name in texts]
    row = frame.agg(F.count(F.lit(1)), *sums).collect()[0]
    rows, *lengths = row
    return int(rows) * _CELL * len(frame.columns) + sum(int(each or 0) for each in lengths)
