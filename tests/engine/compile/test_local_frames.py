"""Rows of ours to Spark and back: every type, and its furthest values."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql.types import LongType, StructField, StructType

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.local_frames import LocalRelation, frame_of
from rowbook.engine.compile.spark_types import spark_type
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field

pytestmark = pytest.mark.spark

FIELDS = [
    Field("s", t.STRING),
    Field("n", t.INTEGER),
    Field("d", t.decimal(38, 18)),
    Field("f", t.FLOAT),
    Field("b", t.BOOLEAN),
    Field("day", t.DATE),
    Field("at", t.TIMESTAMP),
]
ROWS: list[dict[str, Any]] = [
    {
        "s": "é😀\x00",
        "n": -(2**63),
        "d": Decimal("99999999999999999999.999999999999999999"),
        "f": 5e-324,
        "b": False,
        "day": date(1, 1, 1),
        "at": datetime(1582, 10, 10, 0, 0, 0, 1, tzinfo=UTC),
    },
    dict.fromkeys(("s", "n", "d", "f", "b", "day", "at")),
]


def test_rows_come_back_as_they_were(spark: SparkSession) -> None:
    frame = frame_of(spark, ROWS, FIELDS)
    assert [f.dataType for f in frame.schema.fields] == [spark_type(f.type) for f in FIELDS]
    assert collect(frame, FIELDS) == ROWS


def test_a_cell_that_a_row_lacks_is_null_and_one_too_many_is_left_out(spark: SparkSession) -> None:
    frame = frame_of(spark, [{"n": 1, "x": 2}], FIELDS[:2])
    assert collect(frame, FIELDS[:2]) == [{"s": None, "n": 1}]


def test_rows_after_a_part_that_has_none_are_there_too(spark: SparkSession) -> None:
    """As after an aggregate that picks no row: Spark ends at an empty chunk."""
    rows = pa.table({"n": [1, 2]})
    parts = pa.concat_tables([rows, rows.slice(0, 0), rows])
    relation = LocalRelation.of(spark, parts, StructType([StructField("n", LongType())]))
    assert [row["n"] for row in relation.frame.collect()] == [1, 2, 1, 2]


def test_no_rows_have_columns_too(spark: SparkSession) -> None:
    frame = frame_of(spark, [], FIELDS)
    assert frame.columns == ["s", "n", "d", "f", "b", "day", "at"]
    assert collect(frame, FIELDS) == []


def test_an_instant_of_another_zone_is_the_same_instant(spark: SparkSession) -> None:
    noon = datetime(2026, 1, 31, 12, tzinfo=timezone(timedelta(hours=5)))
    (row,) = collect(frame_of(spark, [{"at": noon}], FIELDS[-1:]), FIELDS[-1:])
    assert row["at"] == noon


def test_a_value_that_its_column_cannot_hold_is_refused(spark: SparkSession) -> None:
    with pytest.raises(pa.ArrowInvalid):
        frame_of(spark, [{"d": Decimal("1.555")}], [Field("d", t.decimal(18, 2))])
