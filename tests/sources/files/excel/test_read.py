"""Workbooks on Spark: the rows that are read without it, handed over."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.definitions.models.dataset import UnpivotDefinition
from tests.sources.files.excel.books import Error, table_at, write_book
from tests.sources.tables import dataset, load_all, refused, rows_of

pytestmark = pytest.mark.spark


def test_rows_come_with_the_declared_types(spark: SparkSession, tmp_path: Path) -> None:
    cells = [
        ["account", "amount", "posted", "at", "open", "n"],
        [1000, 12.1, date(2026, 1, 31), datetime(2026, 1, 31, 23, 59, 59), True, 7],
        [None, None, None, None, None, 8],
    ]
    wanted = dataset(
        *("account string", "amount decimal(18,2)", "posted date"),
        *("at timestamp", "open boolean", "n integer"),
    )
    path = write_book(tmp_path / "gl.xlsx", ("Sheet1", cells))
    assert rows_of(spark, wanted, table_at(path)) == [
        {
            "account": "1000",
            "amount": Decimal("12.10"),
            "posted": date(2026, 1, 31),
            "at": datetime(2026, 1, 31, 23, 59, 59, tzinfo=UTC),
            "open": True,
            "n": 7,
        },
        {**dict.fromkeys(("account", "amount", "posted", "at", "open")), "n": 8},
    ]


def test_what_does_not_fit_is_refused_before_a_job_runs(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = write_book(tmp_path / "gl.xlsx", ("Sheet1", [["a"], [1], [Error("#N/A")]]))
    (found,) = refused(spark, dataset("a integer"), table_at(path))
    assert found.message == (
        "dataset 'gl_entries': 1 value of column 'a' does not fit integer:"
        " '#N/A' at gl.xlsx Sheet1!A3"
    )


def test_rows_of_the_period_are_taken_of_a_wide_workbook(
    spark: SparkSession, tmp_path: Path
) -> None:
    cells = [["account", "2026-01", "2026-02"], ["1000", 1, 2], ["2000", 3, None]]
    path = write_book(tmp_path / "budget.xlsx", ("Sheet1", cells))
    unpivot = UnpivotDefinition(columns=("2026-01", "2026-02"), name="_period", value="amount")
    wanted = dataset(
        *("account string", "_period string", "amount decimal(18,2)"),
        mode="period",
        unpivot=unpivot,
    )
    loaded = load_all(spark, wanted, table_at(path), periods=("2026-02",))
    assert [tuple(row) for row in loaded.frame.collect()] == [
        ("1000", "2026-02", Decimal("2.00"), "budget.xlsx", 2, "2026-02")
    ]
