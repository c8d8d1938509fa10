"""What a run wants of a dataset's places: periods, folders, physical names."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.planning.declared_columns import accepted_periods, wanted_folders
from rowbook.planning.resolution.locate import ResolvedLocation
from rowbook.sources.files.file_table import FileTable
from tests.engine.loading.tables import PERIODIC, RENAMED, ids, parquet
from tests.sources.tables import context, csv_file, dataset, place, rows_of

pytestmark = pytest.mark.spark


def test_a_file_without_header_gives_its_columns_in_order(
    spark: SparkSession, tmp_path: Path
) -> None:
    csv_file(tmp_path, "J1,1.50,extra\n", "gl/_period=2026-01/1.csv")
    wanted = dataset("id string", "_period string", "amount decimal(18,2)", mode="period")
    found = rows_of(spark, wanted, place(tmp_path / "gl", header="false"))
    assert found == [{"id": "J1", "_period": "2026-01", "amount": Decimal("1.50")}]


def test_finer_periods_are_accepted_where_they_were_resolved_for(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = csv_file(tmp_path, "month,id\n2026-01,a\n2026-02,b\n2026-04,c\n2026-Q1,d\n")
    run = context("2026-Q1")
    located = [
        ResolvedLocation(
            "r", "rule", "table", "files", "gl", "csv", ("2026-01", "2026-02", "2026-03"), False
        )
    ]
    accepted = accepted_periods(["2026-Q1"], located)
    assert accepted == ("2026-Q1", "2026-01", "2026-02", "2026-03")
    assert ids(rows_of(spark, RENAMED, place(path), run=run, periods=accepted)) == ["a", "b", "d"]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_folders_of_periods_are_periods(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    for period, name in (("2026-01", "a"), ("2026-02", "b"), ("2026", "c")):
        folder = tmp_path / "gl" / f"_period={period}"
        if kind == "csv":
            csv_file(folder, f"id\n{name}\n", "1.csv")
        else:
            parquet(folder / "1.parquet", id=[name])
    folders = wanted_folders(PERIODIC, ("2026-01",))
    where = FileTable("csv" if kind == "csv" else "parquet", tmp_path / "gl", only=folders)
    assert rows_of(spark, PERIODIC, where) == [{"id": "a", "_period": "2026-01"}]
    whole = FileTable("csv" if kind == "csv" else "parquet", tmp_path / "gl")
    assert ids(rows_of(spark, PERIODIC, whole, run=context("2026"))) == ["c"]


def test_only_a_periodic_table_passes_folders_over() -> None:
    assert wanted_folders(PERIODIC, ("2026-01",)) == {"_period": ("2026-01",)}
    assert wanted_folders(RENAMED, ("2026-01",)) == {"month": ("2026-01",)}
    assert wanted_folders(dataset("id string"), ("2026-01",)) == {}
