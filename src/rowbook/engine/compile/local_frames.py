"""Rows written in a file of ours as a frame that Spark knows the size of.

Through Arrow they become a local relation: small joins are broadcast, and nothing is shuffled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructField, StructType

from rowbook.engine.compile.spark_types import spark_type
from rowbook.expressions.scope import Field
from rowbook.spark.arrow_types import arrow_type


def frame_of(
    spark: SparkSession, rows: Sequence[Mapping[str, Any]], fields: Sequence[Field]
) -> DataFrame:
    """The rows with exactly these columns; a cell that a row lacks is NULL."""
    return relation_of(spark, rows, fields).frame


@dataclass(frozen=True, slots=True)
class LocalRelation:
    """A frame of few rows, and the rows."""

    frame: DataFrame
    table: pa.Table

    @classmethod
    def of(cls, spark: SparkSession, table: pa.Table, schema: StructType) -> LocalRelation:
        """Any column may hold NULL, whatever the schema says. Chunks are combined: Spark reads no
        further than the first that is empty."""
        fields = [StructField(each.name, each.dataType) for each in schema.fields]
        whole = table.combine_chunks()
        return cls(spark.createDataFrame(whole, StructType(fields)), whole)

    @classmethod
    def collected(cls, frame: DataFrame) -> LocalRelation:
        """Computed here and now."""
        return cls.of(frame.sparkSession, frame.toArrow(), frame.schema)


def relation_of(
    spark: SparkSession, rows: Sequence[Mapping[str, Any]], fields: Sequence[Field]
) -> LocalRelation:
    return relation_of_columns(spark, {f: [row.get(f.name) for row in rows] for f in fields})


def relation_of_columns(
    spark: SparkSession, columns: Mapping[Field, Sequence[Any]]
) -> LocalRelation:
    arrays = [pa.array(values, arrow_type(f.type)) for f, values in columns.items()]
    schema = StructType([StructField(f.name, spark_type(f.type)) for f in columns])
    return LocalRelation.of(spark, pa.table(arrays, names=[f.name for f in columns]), schema)
