"""Iceberg itself knows what Rowbook commits to a REST catalog, and Rowbook what Iceberg does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from rowbook.sources import registry
from rowbook.sources.iceberg.iceberg_table import IcebergTarget
from rowbook.sources.source import Mode, Publishing, StagedOutput, WriteRequest
from tests.sources.iceberg.iceberg_itself import own_catalog
from tests.sources.iceberg.lakes import rest_lake, staged_leftovers
from tests.support.local_frame import local_frame
from tests.support.refusal import refusal

pytestmark = pytest.mark.spark

RUNS = [f"0199a000-0000-7000-8000-{number:012}" for number in range(8)]
JANUARY, FEBRUARY = "2026-01", "2026-02"


@pytest.fixture
def target(tmp_path: Path) -> Iterator[IcebergTarget]:
    with rest_lake(tmp_path) as lake:
        yield IcebergTarget(lake, "books.gl", "lake:books.gl")


def rows(spark: SparkSession, name: str, period: str = JANUARY) -> DataFrame:
    return local_frame(spark, [(name, period)], "id string, _period string")


def staged(
    frame: DataFrame, target: IcebergTarget, run: int, *periods: str, mode: Mode = "replace"
) -> StagedOutput:
    return registry.stage(frame, target, WriteRequest(mode, periods or None, RUNS[run], 1))


def put(frame: DataFrame, target: IcebergTarget, run: int, *periods: str, mode: Mode) -> None:
    order = WriteRequest(mode, periods or None, RUNS[run], 1)
    registry.write(frame, target, order)


def names(spark: SparkSession, target: IcebergTarget) -> list[str]:
    with ExitStack() as held:
        (raw,) = registry.read(spark, [registry.table_of(target)], held)
        return sorted(row["id"] for row in raw.frame.collect())


def test_a_table_of_ours_is_one_of_icebergs(spark: SparkSession, target: IcebergTarget) -> None:
    """Divided by period, with its snapshots and tags, and another column later."""
    put(rows(spark, "january"), target, 0, JANUARY, mode="replace")
    put(rows(spark, "february", FEBRUARY), target, 1, FEBRUARY, mode="replace")
    put(rows(spark, "corrected"), target, 2, JANUARY, mode="replace")
    wider = local_frame(spark, [("more", 1, JANUARY)], "id string, n int, _period string")
    put(wider, target, 3, mode="append")
    with own_catalog(spark, target.catalog) as catalog:
        name = f"{catalog}.books.gl"
        found = spark.table(name).orderBy("id").collect()
        assert [(row["id"], row["n"]) for row in found] == [
            ("corrected", None),
            ("february", None),
            ("more", 1),
        ]
        past = spark.sql(f"SELECT id FROM {name} VERSION AS OF 'rowbook_{RUNS[0]}_1'").collect()
        assert [row["id"] for row in past] == ["january"]
        divided = spark.table(f"{name}.partitions").collect()
        assert {row["partition"]["_period"] for row in divided} == {JANUARY, FEBRUARY}
    assert names(spark, target) == ["corrected", "february", "more"]
    assert staged_leftovers(target) == []


@pytest.mark.parametrize("is_empty", [False, True])
def test_a_table_of_icebergs_is_written_to(
    spark: SparkSession, target: IcebergTarget, is_empty: bool
) -> None:
    """Also one that nobody wrote to yet."""
    with own_catalog(spark, target.catalog) as catalog:
        name = f"{catalog}.books.gl"
        spark.sql(f"CREATE NAMESPACE {catalog}.books")
        spark.sql(
            f"CREATE TABLE {name} (id STRING, _period STRING) USING iceberg"
            " PARTITIONED BY (_period)"
        )
        if not is_empty:
            spark.sql(f"INSERT INTO {name} VALUES ('theirs', '{FEBRUARY}')")
        put(rows(spark, "ours"), target, 0, JANUARY, mode="replace")
        spark.sql(f"INSERT INTO {name} VALUES ('later', '{FEBRUARY}')")
        wanted = ["later", "ours"] if is_empty else ["later", "ours", "theirs"]
        assert sorted(row["id"] for row in spark.table(name).collect()) == wanted
        assert names(spark, target) == wanted


def test_a_table_that_is_staged_for_the_first_time_is_not_there_yet(
    spark: SparkSession, target: IcebergTarget
) -> None:
    """Though the catalog has its name; what comes first decides its columns."""
    first = staged(rows(spark, "first"), target, 0, JANUARY)
    second = staged(rows(spark, "second"), target, 1, FEBRUARY, mode="error_if_exists")
    table = registry.table_of(target)
    assert refusal(lambda: registry.contents(table)).code == "DATASOURCE_006"
    registry.publish([first], Publishing())
    assert names(spark, target) == ["first"]
    found = refusal(lambda: registry.publish([second], Publishing(spark=lambda: spark)))
    assert "exists already" in found.message
    assert not registry.settle(target, RUNS[1], 1).published
    assert registry.settle(target, RUNS[0], 1).published
    metadata = target.metadata()
    assert metadata is not None
    assert set(metadata.content["refs"]) == {"main", f"rowbook_{RUNS[0]}_1"}
    assert staged_leftovers(target) == []


def test_what_was_given_up_is_not_committed_late(
    spark: SparkSession, target: IcebergTarget
) -> None:
    """The server refuses it, though nobody wrote to the table since."""
    put(rows(spark, "before"), target, 0, JANUARY, mode="replace")
    output = staged(rows(spark, "late"), target, 1, mode="append")

    def give_up(_: object) -> None:
        assert not registry.settle(target, RUNS[1], 1).published

    found = refusal(lambda: registry.publish([output], Publishing(announce=give_up)))
    assert found.code == "OUTPUT_006"
    assert names(spark, target) == ["before"]
    assert staged_leftovers(target) == []
