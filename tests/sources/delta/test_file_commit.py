"""Staged files in a Delta table: named by a commit of ours, and read by others as Delta's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from rowbook.sources.delta.source import DeltaSource
from rowbook.sources.source import Mode, Publishing, StagedOutput, WriteRequest, WriteResult
from rowbook.sources.source_errors import NeedsSparkError
from tests.sources.delta.samples import commit, found, newest, put, read, target
from tests.sources.tables import names_in

pytestmark = pytest.mark.spark

OLD = "0199a000-0000-7000-8000-000000000001"
RUN = "0199a000-0000-7000-8000-000000000002"
JANUARY, FEBRUARY = ("2026-01",), ("2026-02",)


def rows(spark: SparkSession, *values: tuple[Any, ...]) -> DataFrame:
    return spark.createDataFrame(list(values), "id string, _period string")


def stage(
    frame: DataFrame, path: Path, mode: Mode = "replace", periods: tuple[str, ...] | None = None
) -> StagedOutput:
    return DeltaSource().stage(frame, target(path), WriteRequest(mode, periods, RUN, 7))


def publish(staged: StagedOutput, publishing: Publishing | None = None) -> WriteResult:
    (written,) = DeltaSource().publish((staged,), publishing or Publishing(has_turn=True))
    return written


@pytest.fixture
def path(spark: SparkSession, tmp_path: Path) -> Path:
    made = tmp_path / "closed"
    put(rows(spark, ("J1", "2026-01"), ("J2", "2026-01")), made, "replace", JANUARY, OLD)
    put(rows(spark, ("F1", "2026-02")), made, "replace", FEBRUARY, OLD[:-1] + "9")
    return made


def test_a_period_is_replaced_without_spark_and_without_another_copy_of_the_rows(
    spark: SparkSession, path: Path
) -> None:
    staged = stage(rows(spark, ("N1", "2026-01")), path, "replace", JANUARY)
    assert found(path, "id") == [("F1",), ("J1",), ("J2",)]
    written = publish(staged)
    assert (written.rows, written.files, newest(path)) == (1, 1, 2)
    assert found(path, "id", "_period") == [("F1", "2026-02"), ("N1", "2026-01")]
    assert sorted(row["id"] for row in read(spark, path).collect()) == ["F1", "N1"]
    assert found(path, "id", version=1) == [("F1",), ("J1",), ("J2",)]
    kinds = [next(iter(action)) for action in commit(path, 2)]
    assert (kinds[:2], set(kinds[2:])) == (["commitInfo", "txn"], {"remove", "add"})
    assert names_in(path.parent) == ["closed"]


@pytest.mark.campaign
def test_an_append_and_a_whole_replacement(spark: SparkSession, path: Path) -> None:
    publish(stage(rows(spark, ("J3", "2026-01")), path, "append", JANUARY))
    assert found(path, "id") == [("F1",), ("J1",), ("J2",), ("J3",)]
    whole = path.with_name("whole")
    put(rows(spark, ("a", "x"), ("b", "x")), whole)
    publish(stage(rows(spark, ("c", "x")), whole))
    assert found(whole, "id") == [("c",)]


@pytest.mark.campaign
def test_it_is_published_once_however_often_it_is_asked_for(
    spark: SparkSession, path: Path
) -> None:
    staged = stage(rows(spark, ("J3", "2026-01")), path, "append", JANUARY)
    assert publish(staged).rows == publish(staged).rows == 1
    assert newest(path) == 2
    assert DeltaSource().settle(target(path), RUN, 7).published
    assert DeltaSource().damage(staged) == "its staged files are gone"


@pytest.mark.campaign
def test_spark_writes_to_it_afterwards_and_beyond_a_checkpoint(
    spark: SparkSession, path: Path
) -> None:
    for number in range(10):
        run_id = f"0199a000-0000-7000-8000-0000000001{number:02}"
        put(rows(spark, (f"K{number}", "2026-03")), path, "replace", ("2026-03",), run_id)
    assert list((path / "_delta_log").glob("*.checkpoint.parquet"))
    publish(stage(rows(spark, ("N1", "2026-01")), path, "replace", JANUARY))
    put(rows(spark, ("F2", "2026-02")), path, "append", FEBRUARY, OLD[:-1] + "8")
    assert found(path, "id") == [("F1",), ("F2",), ("K9",), ("N1",)]


@pytest.mark.campaign
def test_a_table_that_asks_more_is_left_to_spark(spark: SparkSession, path: Path) -> None:
    property_ = "'delta.enableChangeDataFeed' = 'true'"
    spark.sql(f"ALTER TABLE delta.`{path}` SET TBLPROPERTIES ({property_})")
    staged = stage(rows(spark, ("N1", "2026-01")), path, "replace", JANUARY)
    with pytest.raises(NeedsSparkError, match="data/closed can be published with Spark alone"):
        publish(staged)
    assert DeltaSource().damage(staged) is None
    publish(staged, Publishing(has_turn=True, spark=lambda: spark))
    assert sorted(row["id"] for row in read(spark, path).collect()) == ["F1", "N1"]


@pytest.mark.campaign
def test_other_columns_are_left_to_spark_which_adds_them(spark: SparkSession, path: Path) -> None:
    wide = spark.createDataFrame([("N1", 1, "2026-01")], "id string, n int, _period string")
    staged = stage(wide, path, "replace", JANUARY)
    publish(staged, Publishing(has_turn=True, spark=lambda: spark))
    assert found(path, "id", "n") == [("F1", None), ("N1", 1)]
    assert names_in(path.parent) == ["closed"]
