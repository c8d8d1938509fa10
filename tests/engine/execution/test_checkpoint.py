"""What is kept is what was computed, wherever it is kept."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.execution.checkpoint import checkpoint
from rowbook.engine.strategy.stages import Storage
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FIELDS = [
    Field("text", t.STRING),
    Field("number", t.INTEGER),
    Field("amount", t.decimal(38, 18)),
    Field("ratio", t.FLOAT),
    Field("day", t.DATE),
    Field("moment", t.TIMESTAMP),
    Field("sure", t.BOOLEAN),
]
ROWS = [
    {
        "text": "größer ☂",
        "number": -(2**63),
        "amount": Decimal("99999999999999999999.999999999999999999"),
        "ratio": -0.0,
        "day": date(1, 1, 1),
        "moment": datetime(1, 1, 1, tzinfo=UTC),
        "sure": True,
    },
    {
        "text": "",
        "number": 2**63 - 1,
        "amount": Decimal("-0.000000000000000001"),
        "ratio": float("inf"),
        "day": date(9999, 12, 31),
        "moment": datetime(2026, 10, 25, 2, 30, 0, 123456, tzinfo=UTC),
        "sure": False,
    },
    {},
]


def plan_of(frame: DataFrame) -> str:
    return str(frame._jdf.queryExecution().analyzed().toString())


@pytest.mark.parametrize("storage", [Storage("one"), Storage("two"), Storage("two", 2**20)])
def test_rows_come_back_as_they_were(spark: SparkSession, storage: Storage) -> None:
    frame = frame_of(spark, ROWS, FIELDS)
    kept = checkpoint(frame, storage)
    assert kept.schema == frame.schema
    rows = collect(kept, FIELDS)
    assert rows == [{field.name: row.get(field.name) for field in FIELDS} for row in ROWS]
    assert str(rows[0]["ratio"]) == "-0.0"


def test_few_rows_go_on_from_the_driver(spark: SparkSession) -> None:
    kept = checkpoint(frame_of(spark, ROWS, FIELDS), Storage("two", 2**20))
    assert plan_of(kept).startswith("LocalRelation")


def test_many_bytes_stay_with_the_executors(spark: SparkSession) -> None:
    """Two texts of 600 bytes are more than 1,000."""
    frame = frame_of(spark, [{"text": "é" * 300}] * 2, FIELDS[:1])
    assert plan_of(checkpoint(frame, Storage("two", 1_000))).startswith("LogicalRDD")
    assert plan_of(checkpoint(frame, Storage("two", 2_000))).startswith("LocalRelation")


def test_no_rows_are_few_rows(spark: SparkSession) -> None:
    assert checkpoint(frame_of(spark, [], FIELDS), Storage("two", 1)).collect() == []


def test_a_shared_folder_holds_the_rows(spark: SparkSession, tmp_path: Path) -> None:
    spark.sparkContext.setCheckpointDir(tmp_path.as_uri())
    kept = checkpoint(frame_of(spark, ROWS, FIELDS), Storage("shared_folder"))
    assert list(tmp_path.rglob("part-*"))
    assert kept.count() == 3
