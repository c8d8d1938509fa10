"""Rows brought here: the columns that are asked for, timestamps as instants."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from rowbook.engine.compile.collect import collect
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field

pytestmark = pytest.mark.spark


def test_exactly_the_fields_come_in_their_order_whatever_their_names(spark: SparkSession) -> None:
    frame = spark.range(1).select(F.lit(1).alias("a.b"), F.lit("x").alias("`c`"), F.lit(2))
    found = collect(frame, [Field("`c`", t.STRING), Field("a.b", t.INTEGER)])
    assert [list(row.items()) for row in found] == [[("`c`", "x"), ("a.b", 1)]]


def test_an_instant_is_exact_to_the_microsecond_before_and_after_1970(spark: SparkSession) -> None:
    texts = ("1850-01-01 00:00:00.000001", "9999-12-31 23:59:59.999999")
    frame = spark.createDataFrame([(x,) for x in (*texts, None)], "x string").select(
        F.col("x").cast("timestamp").alias("at")
    )
    assert [row["at"] for row in collect(frame, [Field("at", t.TIMESTAMP)])] == [
        datetime(1850, 1, 1, 0, 0, 0, 1, UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999999, UTC),
        None,
    ]


@pytest.mark.parametrize(("limit", "rows"), [(None, 5), (0, 0), (3, 3), (9, 5)])
def test_no_more_rows_come_than_are_asked_for(
    spark: SparkSession, limit: int | None, rows: int
) -> None:
    assert len(collect(spark.range(5), [Field("id", t.INTEGER)], limit)) == rows
