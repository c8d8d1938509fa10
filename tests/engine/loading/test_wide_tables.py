"""Columns that become rows: on Spark as by the reference engine, row ids among it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from rowbook.definitions.models.dataset import UnpivotDefinition
from rowbook.errors import RowbookError
from rowbook.reference.loading.dataset_rows import SourceTables
from rowbook.reference.loading.dataset_rows import load as load_plain
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.plain_tables import read_places
from tests.sources.tables import context, csv_file, dataset, faults, load_all, place

pytestmark = pytest.mark.spark

RATES = ("day date!", "currency string", "rate decimal(18,4)")
RATES_CSV = "day,USD,GBP\n2026-01-31,1.10,0.90\n2026-02-28,1.20,\n"
UNPIVOT = UnpivotDefinition(columns=("USD", "GBP"), name="currency", value="rate")


def both(
    spark: SparkSession, where: FileTable, columns: Sequence[str] = RATES, **how: Any
) -> list[tuple[Any, ...]]:
    """The rows of both engines, which are the same, with what tells them apart."""
    wanted = dataset(*columns, **how)
    on_spark = load_all(spark, wanted, where).frame
    plain = load_plain(wanted, SourceTables(read_places([where])), context(), keep_deleted=True)
    places = plain.identities if plain.unique else [()] * len(plain.rows)
    found = [(*row.values(), *told) for row, told in zip(plain.rows, places, strict=True)]
    assert [tuple(row) for row in on_spark.collect()] == found
    return [tuple(map(str, row)) for row in found]


def test_each_column_becomes_a_row_and_empty_ones_none(spark: SparkSession, tmp_path: Path) -> None:
    found = both(spark, place(csv_file(tmp_path, RATES_CSV)), unpivot=UNPIVOT)
    assert found == [
        ("2026-01-31", "USD", "1.1000"),
        ("2026-01-31", "GBP", "0.9000"),
        ("2026-02-28", "USD", "1.2000"),
    ]


def test_empty_ones_may_be_kept_and_the_period_is_that_of_a_date(
    spark: SparkSession, tmp_path: Path
) -> None:
    kept = UNPIVOT.model_copy(update={"nulls": "keep", "columns": ("GBP", "USD")})
    text = RATES_CSV.replace("0.90", "")
    where = place(csv_file(tmp_path, text))
    found = both(spark, where, unpivot=kept, mode="period", period_from="day")
    assert found == [
        ("2026-01-31", "GBP", "None", "2026-01"),
        ("2026-01-31", "USD", "1.1000", "2026-01"),
    ]


def test_rows_of_one_row_are_told_apart_by_the_column(spark: SparkSession, tmp_path: Path) -> None:
    table = pa.table({"_row_id": ["a"], "account": ["x"], "2024": [1.5], "2025": [2.5]})
    pq.write_table(table, tmp_path / "gl.parquet")
    unpivot = UnpivotDefinition(columns=("2024", "2025"), name="year", value="amount")
    where = place(tmp_path / "gl.parquet", "parquet")
    columns = ("account string", "year integer", "amount decimal(18,2)")
    assert both(spark, where, columns, unpivot=unpivot) == [
        ("x", "2024", "1.50", "data/gl.parquet", "0", "2024"),
        ("x", "2025", "2.50", "data/gl.parquet", "0", "2025"),
    ]


def test_a_file_without_header_is_taken_by_position(spark: SparkSession, tmp_path: Path) -> None:
    where = place(csv_file(tmp_path, "1.10,2026-01-31,0.90\n"), header="false")
    unpivot = UnpivotDefinition(columns=("c1", "c3"), name="currency", value="rate")
    assert both(spark, where, unpivot=unpivot) == [
        ("2026-01-31", "c1", "1.1000"),
        ("2026-01-31", "c3", "0.9000"),
    ]


def test_a_value_that_does_not_fit_is_told_by_its_physical_column(
    spark: SparkSession, tmp_path: Path
) -> None:
    where = place(csv_file(tmp_path, RATES_CSV.replace("0.90", "n/a")))
    wanted = dataset(*RATES, unpivot=UNPIVOT)
    assert [str(each) for each in faults(spark, wanted, where)] == [
        "DATASET_011  dataset 'gl_entries': 1 value of column 'GBP' does not fit decimal(18,4):"
        " 'n/a' at data/gl.csv:2"
    ]


def test_a_listed_column_that_is_missing_is_told(spark: SparkSession, tmp_path: Path) -> None:
    unpivot = UNPIVOT.model_copy(update={"columns": ("USD", "CHF")})
    where = place(csv_file(tmp_path, RATES_CSV))
    with pytest.raises(RowbookError, match=r"DATASET_010.*column 'CHF' is missing"):
        load_all(spark, dataset(*RATES, unpivot=unpivot), where)
