"""Few rows at the driver: as Spark gets them, and as they come back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compile.collect import collect
from rowbook.engine.execution.driver.driver_rows import DriverRows
from rowbook.planning.columns import ROW_ID
from rowbook.reference.loading.dataset_rows import load
from tests.engine.strategy.deciding import WORKSPACE
from tests.support.reference_run import source_of
from tests.support.small_plans import CONTEXT, numbered, plan_of, update

pytestmark = pytest.mark.spark

ROWS: list[dict[str, Any]] = [
    {"s": "a", "k": None, "m": Decimal("1.50"), "c": "x"},
    {"s": "b", "k": "2", "m": None, "c": "y", "_deleted": True},
]


def driver_rows(folder: Path, *, with_ids: bool = True, stored: bool = False) -> DriverRows:
    plan = plan_of(folder, WORKSPACE + numbered(update("c", "'x'")))
    rows = [{**row, ROW_ID: f"row {i}"} for i, row in enumerate(ROWS)] if stored else ROWS
    loaded = load(plan.input, source_of({"t": rows})(plan.input), CONTEXT, keep_deleted=True)
    return DriverRows.started(loaded, plan, CONTEXT, with_ids=with_ids)


@pytest.mark.parametrize("stored", [False, True])
def test_rows_and_their_ids_come_back_as_they_went(
    tmp_path: Path, spark: SparkSession, stored: bool
) -> None:
    rows = driver_rows(tmp_path, stored=stored)
    assert rows.visible == 1
    assert rows.working.rows[0]["_created_at"] == CONTEXT.now
    back = DriverRows.of(rows.on_spark(spark), CONTEXT)
    assert back == rows


@pytest.mark.parametrize("stored", [False, True])
def test_spark_writes_the_same_ids(tmp_path: Path, spark: SparkSession, stored: bool) -> None:
    rows = driver_rows(tmp_path, stored=stored)
    working = rows.on_spark(spark)
    found = collect(working.rows(CONTEXT), list(working.columns.fields.values()))
    assert [row[ROW_ID] for row in found] == [row[ROW_ID] for row in rows.working.rows]
    assert (found[0][ROW_ID] == "row 0") == stored


def test_what_is_dropped_is_not_handed_over(tmp_path: Path, spark: SparkSession) -> None:
    rows = driver_rows(tmp_path, with_ids=False).without({"m", "_updated_at"})
    back = DriverRows.of(rows.on_spark(spark), CONTEXT)
    assert back.dropped == {ROW_ID, "m", "_updated_at"}
    assert [row["m"] for row in back.working.rows] == [None, None]
    assert [row["s"] for row in back.working.rows] == ["a", "b"]


def test_timestamps_are_those_of_utc(tmp_path: Path, spark: SparkSession) -> None:
    rows = driver_rows(tmp_path)
    moment = datetime(2026, 1, 31, 23, 59, 59, 999999, tzinfo=UTC)
    working = replace(
        rows.working, rows=[{**row, "_created_at": moment} for row in rows.working.rows]
    )
    back = DriverRows.of(rows.after(working).on_spark(spark), CONTEXT)
    assert [row["_created_at"] for row in back.working.rows] == [moment, moment]
