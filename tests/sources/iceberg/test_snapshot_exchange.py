"""What is staged is seen by nobody; published, it is there once and whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.errors import RowbookError
from rowbook.sources import registry
from rowbook.sources.iceberg.iceberg_table import IcebergTarget
from rowbook.sources.source import Mode, Publishing, StagedOutput, WriteRequest
from rowbook.sources.source_errors import NeedsSparkError
from tests.sources.all_kinds import Table, frame, table_of
from tests.sources.iceberg.iceberg_itself import own_catalog
from tests.sources.iceberg.lakes import staged_leftovers
from tests.sources.one_write import PERIODIC
from tests.support.refusal import refusal

pytestmark = pytest.mark.spark

OLD, RUN, OTHER = (f"0199a000-0000-7000-8000-00000000000{n}" for n in range(1, 4))
JANUARY, FEBRUARY = ("2026-01",), ("2026-02",)


@pytest.fixture(params=["iceberg", pytest.param("iceberg_sql", marks=pytest.mark.campaign)])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Table:
    return table_of(request.param, tmp_path, lambda _: pytest.fail("no database"))


def booked(period: str, *accounts: str) -> list[dict[str, Any]]:
    return [{"account": a, "amount": Decimal("1.00"), "_period": period} for a in accounts]


@pytest.fixture
def stage(spark: SparkSession, table: Table) -> Callable[..., StagedOutput]:
    def staged(
        rows: list[dict[str, Any]], mode: Mode = "replace", *periods: str, run: str = RUN
    ) -> StagedOutput:
        order = WriteRequest(mode, periods or None, run, 1)
        found = registry.stage(frame(spark, PERIODIC, rows), table.target, order)
        recorded = json.loads(json.dumps(found.as_json()))
        return StagedOutput.from_json(recorded, table.target, run, 1)

    return staged


def accounts(spark: SparkSession, table: Table, *periods: str) -> list[str]:
    return sorted(row["account"] for row in table.rows(spark, PERIODIC, *periods))


def test_staged_rows_are_published_without_spark(
    spark: SparkSession, table: Table, stage: Callable[..., StagedOutput], tmp_path: Path
) -> None:
    """Once, however often it is asked; a table that is not there comes with them."""
    staged = stage(booked("2026-01", "a", "b"), "replace", *JANUARY)
    with pytest.raises(RowbookError, match="no data at"):
        registry.contents(registry.table_of(table.target))
    assert registry.damage(staged) is None
    for _ in range(2):
        (written,) = registry.publish((staged,), Publishing())
        assert (written.rows, written.files) == (2, 1)
        assert accounts(spark, table, *JANUARY) == ["a", "b"]
    assert registry.settle(table.target, RUN, 1).published
    registry.discard(staged)
    assert accounts(spark, table, *JANUARY) == ["a", "b"]
    assert staged_leftovers(_target(table)) == []


def test_a_table_that_others_changed_gets_the_rows_all_the_same(
    spark: SparkSession, table: Table, stage: Callable[..., StagedOutput]
) -> None:
    """They are written again, upon what it is now: that takes Spark."""
    table.put(frame(spark, PERIODIC, booked("2026-01", "old")), periods=JANUARY, run_id=OLD)
    staged = stage(booked("2026-01", "new"), "replace", *JANUARY)
    rows = frame(spark, PERIODIC, booked("2026-02", "other"))
    table.put(rows, periods=FEBRUARY, run_id=OTHER)
    with pytest.raises(NeedsSparkError):
        registry.publish((staged,), Publishing())
    assert accounts(spark, table, *JANUARY, *FEBRUARY) == ["old", "other"]
    (written,) = registry.publish((staged,), Publishing(spark=lambda: spark))
    assert written.rows == 1
    assert accounts(spark, table, *JANUARY, *FEBRUARY) == ["new", "other"]
    assert staged_leftovers(_target(table)) == []


@pytest.mark.campaign
def test_rows_are_added_to_what_others_added_meanwhile(
    spark: SparkSession, table: Table, stage: Callable[..., StagedOutput]
) -> None:
    table.put(frame(spark, PERIODIC, booked("2026-01", "old")), "append", run_id=OLD)
    staged = stage(booked("2026-01", "new", "new"), "append")
    table.put(frame(spark, PERIODIC, booked("2026-01", "other")), "append", run_id=OTHER)
    registry.publish((staged,), Publishing(spark=lambda: spark))
    assert accounts(spark, table) == ["new", "new", "old", "other"]


@pytest.mark.campaign
def test_of_many_writers_at_once_nothing_is_lost(spark: SparkSession, table: Table) -> None:
    names = [f"a{number}" for number in range(8)]

    def write(number: int) -> None:
        rows = frame(spark, PERIODIC, booked("2026-01", names[number]))
        table.put(rows, "append", run_id=OLD, seq=number)

    with ThreadPoolExecutor(len(names)) as threads:
        list(threads.map(write, range(len(names))))
    assert accounts(spark, table) == names


def test_what_was_given_up_is_not_published_late(
    spark: SparkSession, table: Table, stage: Callable[..., StagedOutput], tmp_path: Path
) -> None:
    before = sorted(tmp_path.rglob("*.parquet"))
    staged = stage(booked("2026-01", "a"), "replace", *JANUARY)
    assert not registry.settle(table.target, RUN, 1).published
    assert registry.damage(staged) == "its staged files are gone"
    found = refusal(lambda: registry.publish((staged,), Publishing()))
    assert "cannot be published: its staged files are gone" in found.message
    assert sorted(tmp_path.rglob("*.parquet")) == before
    assert not registry.settle(table.target, RUN, 1).published


def test_staged_files_that_are_damaged_are_not_published(
    table: Table, stage: Callable[..., StagedOutput], tmp_path: Path
) -> None:
    staged = stage(booked("2026-01", "a"), "replace", *JANUARY)
    (file,) = tmp_path.rglob("*.parquet")
    file.write_bytes(file.read_bytes()[:-1])
    assert "is damaged" in (registry.damage(staged) or "")
    found = refusal(lambda: registry.publish((staged,), Publishing()))
    assert "cannot be published: its staged file" in found.message
    assert _target(table).metadata() is None
    file.unlink()
    assert "is gone" in (registry.damage(staged) or "")
    with pytest.raises(ValueError, match="no folder of output"):
        registry.damage(replace(staged, details={**staged.details, "folder": "../../elsewhere"}))


@pytest.mark.some(1)
def test_iceberg_reads_what_is_published_and_keeps_it_by_its_tag(
    spark: SparkSession, tmp_path: Path
) -> None:
    """An output that was replaced is there after all that may go has gone: a proof a year later."""
    table = table_of("iceberg", tmp_path, lambda _: pytest.fail("no database"))
    for run, account in ((OLD, "first"), (RUN, "second"), (OTHER, "third")):
        rows = frame(spark, PERIODIC, booked("2026-01", account))
        table.put(rows, periods=JANUARY, run_id=run)
    with own_catalog(spark, _target(table).catalog) as catalog:
        name = f"{catalog}.books.gl"
        assert [row["account"] for row in spark.table(name).collect()] == ["third"]
        refs = spark.table(f"{name}.refs").where("type = 'TAG'").collect()
        assert {row["name"] for row in refs} == {f"rowbook_{each}_1" for each in (OLD, RUN, OTHER)}
        assert spark._jvm is not None
        found = spark._jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(
            spark._jsparkSession, name
        )
        found.expireSnapshots().expireOlderThan(2**62).retainLast(1).commit()
    traced = registry.trace(table.target, OLD, 1, ["account"], JANUARY)
    assert traced is not None
    version = traced.table.version
    past = replace(table, place=lambda *_: traced.table)
    assert accounts(spark, past, *JANUARY) == ["first"]
    assert version != registry.pin(registry.table_of(table.target)).version


def _target(table: Table) -> IcebergTarget:
    assert isinstance(table.target, IcebergTarget)
    return table.target
