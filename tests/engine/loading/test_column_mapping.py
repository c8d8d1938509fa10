"""Declared columns found among a source's physical ones, missing ones named."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.sources.files.file_table import FileTable
from tests.engine.loading.tables import PERIODIC, RENAMED, ids, parquet
from tests.sources.tables import csv_file, dataset, place, refused, rows_of

pytestmark = pytest.mark.spark


def test_declared_columns_are_loaded_by_their_physical_names(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, "No.,ignored,Amount (USD),`x`\n7,?,1.50,y\n")
    wanted = dataset("amount decimal(18,2) <- Amount (USD)", "id integer <- No.", "x string <- `x`")
    assert rows_of(spark, wanted, place(path)) == [{"amount": Decimal("1.50"), "id": 7, "x": "y"}]


def test_a_file_without_header_may_lack_columns(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "J1\n")
    wanted = dataset("id string", "amount decimal(18,2)")
    (diagnostic,) = refused(spark, wanted, place(path, header="false"))
    assert diagnostic.message == "dataset 'gl_entries': column 'c2' is missing in data/gl.csv"


def test_missing_columns_are_named_all_at_once_with_what_is_there(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, "Journal_ID,amout,x\n1,2,3\n")
    wanted = dataset("journal_id string", "amount decimal(18,2)", "memo string <- Remark")
    (diagnostic,) = refused(spark, wanted, place(path))
    assert diagnostic.code == "DATASET_010"
    assert diagnostic.message == (
        "dataset 'gl_entries': columns 'journal_id', 'amount', 'Remark' are missing in data/gl.csv"
    )
    assert diagnostic.hint == (
        "did you mean 'Journal_ID' for 'journal_id'?  did you mean 'amout' for 'amount'?"
        "  columns: Journal_ID, amout, x"
    )


def test_a_column_that_one_file_of_many_lacks_is_missing(
    spark: SparkSession, tmp_path: Path
) -> None:
    parquet(tmp_path / "gl" / "1.parquet", id=["a"], note=["x"])
    parquet(tmp_path / "gl" / "2.parquet", id=["b"])
    where = FileTable("parquet", tmp_path / "gl", label="lake/gl")
    (diagnostic,) = refused(spark, dataset("id string", "note string"), where)
    assert diagnostic.message == (
        "dataset 'gl_entries': column 'note' is missing in lake/gl/2.parquet"
    )
    assert ids(rows_of(spark, dataset("id string"), where)) == ["a", "b"]


def test_an_empty_file_has_no_columns(spark: SparkSession, tmp_path: Path) -> None:
    (diagnostic,) = refused(spark, dataset("id string"), place(csv_file(tmp_path, "")))
    assert diagnostic.message == "dataset 'gl_entries': column 'id' is missing in data/gl.csv"


def test_every_fault_of_every_source_is_reported_together(
    spark: SparkSession, tmp_path: Path
) -> None:
    one = parquet(tmp_path / "1.parquet", id=[1], n=["x"])
    two = parquet(tmp_path / "2.parquet", n=[1])
    found = refused(spark, dataset("id string", "n integer"), one, two)
    assert [(d.code, d.message.split(": ", 1)[1]) for d in found] == [
        ("DATASET_011", "column 'id' is declared as string, but 'id' in lake/1.parquet is bigint"),
        ("DATASET_010", "column 'id' is missing in lake/2.parquet"),
    ]


def test_rows_of_a_periods_own_place_get_that_period(spark: SparkSession, tmp_path: Path) -> None:
    one = csv_file(tmp_path, "id\na\n", "1.csv")
    two = csv_file(tmp_path, "id\nb\n", "2.csv")
    places = [place(one, period="2026-01"), place(two, period="2026-02")]
    found = rows_of(spark, PERIODIC, *places, periods=("2026-01", "2026-02"))
    assert found == [{"id": "a", "_period": "2026-01"}, {"id": "b", "_period": "2026-02"}]


def test_a_declared_period_that_the_file_lacks_is_that_of_its_place(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, "id\na\n")
    assert rows_of(spark, RENAMED, place(path, period="2026-01")) == [
        {"_period": "2026-01", "id": "a"}
    ]


def test_rows_without_any_period_are_refused(spark: SparkSession, tmp_path: Path) -> None:
    path = csv_file(tmp_path, "id\na\n")
    (diagnostic,) = refused(spark, PERIODIC, place(path))
    assert diagnostic.code == "DATASET_015"
    assert diagnostic.message == (
        "dataset 'gl_entries': data/gl.csv does not say which of its rows are of the run's period:"
        " it has no column '_period', and other periods have the same place"
    )
