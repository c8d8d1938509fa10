"""Rows of a test as a frame that lies in the JVM. One made of a Python list is unpacked by Python
processes whenever it is read, which takes several times as long as all that a test does with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType


def local_frame(
    spark: SparkSession, rows: Sequence[Sequence[Any]], columns: str | StructType
) -> DataFrame:
    """Of `columns` as Spark words them: `id string, amount decimal(18,2)`."""
    schema = StructType.fromDDL(columns) if isinstance(columns, str) else columns
    assert isinstance(schema, StructType)
    typed = to_arrow_schema(schema)
    arrays = [pa.array([row[i] for row in rows], kind) for i, kind in enumerate(typed.types)]
    frame: DataFrame = spark.createDataFrame(pa.table(arrays, names=typed.names), schema)
    return frame
