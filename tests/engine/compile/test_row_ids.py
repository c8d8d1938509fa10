"""Row ids: valid, unique, and the same whenever a row is computed again."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.loading.load import load
from rowbook.planning.columns import ROW_ID
from rowbook.planning.datasets import Dataset
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.read_tables import read_places
from tests.engine.running import ListWriter, Rows, TableReader, run
from tests.support.small_plans import CONTEXT, NOW, plan_of

pytestmark = pytest.mark.spark

TEXT = """
dataset:
  name: lines
  main_table:
    name: l
    columns:
      - {name: account, type: string}
      - {name: amount, type: "decimal(18,2)"}
---
project:
  name: p
  input_dataset_id: lines
  operations:
    - {seq: 1, name: again, type: append, arguments: {source: {dataset_id: lines}}}
    - seq: 2
      name: totals
      type: aggregate
      arguments: {group_by: [account], aggregations: [{column: amount, expression: SUM(amount)}]}
    - {seq: 3, name: drop, type: delete, selector: amount < 0}
"""

LINES: Rows = [
    {"account": "4000", "amount": Decimal("10.50")},
    {"account": "4000", "amount": Decimal("10.50")},
    {"account": "4000", "amount": Decimal("-3.00")},
    {"account": None, "amount": Decimal("7.00")},
    {"account": "7.00", "amount": None},
    {"account": None, "amount": None},
    {"account": None, "amount": None},
]


def ids(rows: Rows) -> list[str]:
    """Ids in an order that does not depend on the ids of equal rows being told apart."""
    return sorted(row["_row_id"] for row in rows)


@pytest.fixture
def tables() -> dict[str, Rows]:
    return {"lines": LINES}


def test_ids_are_unique_valid_and_of_the_runs_start(
    spark: SparkSession, tmp_path: Path, tables: dict[str, Rows]
) -> None:
    rows, _ = run(plan_of(tmp_path, TEXT), TableReader(spark, tables))
    assert len(rows) == 7 + 7 + 3
    made = [uuid.UUID(row["_row_id"]) for row in rows]
    assert len(set(made)) == 17
    assert {m.version for m in made} == {7}
    assert {m.variant for m in made} == {uuid.RFC_4122}
    assert {m.int >> 80 for m in made} == {int(NOW.timestamp() * 1000)}
    assert all(str(m) == row["_row_id"] for m, row in zip(made, rows, strict=True))


def test_two_equal_source_rows_get_two_ids(
    spark: SparkSession, tmp_path: Path, tables: dict[str, Rows]
) -> None:
    rows, _ = run(plan_of(tmp_path, TEXT), TableReader(spark, tables))
    twins = [r for r in rows if r["amount"] == Decimal("10.50") and r["_operation_seq"] is None]
    assert len(twins) == 2
    assert twins[0]["_row_id"] != twins[1]["_row_id"]


@pytest.mark.some(1)
@pytest.mark.parametrize("partitions", [1, 2, 200])
def test_a_repeated_run_gives_the_same_ids_however_the_work_is_divided(
    spark: SparkSession, tmp_path: Path, tables: dict[str, Rows], partitions: int
) -> None:
    plan = plan_of(tmp_path, TEXT)
    before, _ = run(plan, TableReader(spark, tables))

    def reshape(frame: DataFrame) -> DataFrame:
        return frame.repartition(min(partitions, 7))

    usual = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", partitions)
    try:
        shuffled = {"lines": LINES[::-1]}
        after, _ = run(plan, TableReader(spark, shuffled, reshape))
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", str(usual))
    assert ids(after) == ids(before)


@pytest.mark.campaign
def test_another_clock_gives_other_ids(
    spark: SparkSession, tmp_path: Path, tables: dict[str, Rows]
) -> None:
    plan = plan_of(tmp_path, TEXT)
    before, _ = run(plan, TableReader(spark, tables))
    later = replace(CONTEXT, now=NOW + timedelta(milliseconds=1))
    after, _ = run(plan, TableReader(spark, tables), later)
    assert not set(ids(before)) & set(ids(after))


def test_a_stored_id_is_kept(spark: SparkSession, tmp_path: Path) -> None:
    stored = "01933e4f-8a12-7c9a-8e5d-123456789abc"
    tables: dict[str, Rows] = {
        "lines": [
            {**LINES[0], "_row_id": stored},
            *({**line, "_row_id": None} for line in (LINES[1], LINES[2], LINES[2])),
        ]
    }
    rows, _ = run(plan_of(tmp_path, TEXT), TableReader(spark, tables))
    inputs = [row["_row_id"] for row in rows if row["_operation_seq"] is None]
    assert stored in inputs
    assert len(set(inputs)) == 4


class FileReader(TableReader):
    """The same rows from parquet files."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        super().__init__(spark, {})
        self.place = FileTable("parquet", folder, label="lines")

    def read(self, dataset: Dataset, *, keep_deleted: bool, with_ids: bool) -> DataFrame:
        raws = read_places(self.spark, [self.place])
        return load(dataset, raws, CONTEXT, keep_deleted=keep_deleted).frame


def test_ids_of_rows_in_files_do_not_depend_on_how_the_files_are_split(
    spark: SparkSession, tmp_path: Path
) -> None:
    plan = plan_of(tmp_path, TEXT)
    rows: Rows = [{"account": str(i % 50), "amount": Decimal(i % 7)} for i in range(4000)]
    folder = tmp_path / "lines"
    frame = frame_of(spark, rows, plan.input.fields).repartition(2)
    frame.write.option("parquet.block.size", 4096).parquet(folder.as_uri())
    before, _ = run(plan, FileReader(spark, folder))
    usual = spark.conf.get("spark.sql.files.maxPartitionBytes")
    spark.conf.set("spark.sql.files.maxPartitionBytes", "3000")
    try:
        pieces = FileReader(spark, folder).read(plan.input, keep_deleted=True, with_ids=True)
        assert pieces.select(F.spark_partition_id()).distinct().count() > 2
        after, _ = run(plan, FileReader(spark, folder))
    finally:
        spark.conf.set("spark.sql.files.maxPartitionBytes", str(usual))
    assert len(set(ids(before))) == 8050
    assert ids(after) == ids(before)


def test_rows_are_told_apart_only_for_who_asks(spark: SparkSession, tmp_path: Path) -> None:
    asked: list[bool] = []

    class Asked(TableReader):
        def read(self, dataset: Dataset, *, keep_deleted: bool, with_ids: bool) -> DataFrame:
            asked.append(with_ids)
            return super().read(dataset, keep_deleted=keep_deleted, with_ids=with_ids)

    reader = Asked(spark, {"lines": [{"account": "1", "amount": Decimal(2)}]})
    for columns in ("[account]", "[account, _row_id]"):
        text = f"{TEXT}    - {{seq: 90, name: out, type: output, arguments: {{destination: "
        text += f"{{location: {{path: out}}}}, columns: {columns}}}}}\n"
        working = Pipeline(plan_of(tmp_path, text), CONTEXT, reader, ListWriter()).run()
        assert (ROW_ID in working.dropped) == ("_row_id" not in columns)
    assert set(asked) == {False, True}
