"""Rows of other periods on Spark: exactly the periods that are said, and those that lack."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.loading.load import find_absent
from rowbook.planning.datasets import Dataset, typed
from rowbook.planning.definitions.lookup import Version
from rowbook.planning.resolution.read_periods import read_periods
from rowbook.sources.files.file_table import FileTable
from tests.engine.loading.tables import ids
from tests.sources.tables import context, csv_file, place, read, rows_of
from tests.support.trial import Trial

pytestmark = pytest.mark.spark

ROWS = "id,at,_period,_deleted\n" + "".join(
    f"r{n},{period}-15,{period},{'true' if n == 2 else ''}\n"
    for n, period in enumerate(["2025-12", "2026-01", "2026-01", "2026-02", "2026-04", "2026-04"])
)


def view(trial: Trial, periods: str, table: str = "temporal_mode: period") -> Dataset:
    columns = "columns: [{name: id, type: string}, {name: at, type: date}]"
    text = f"""\
dataset: {{name: v, of: t, periods: {periods}}}
---
dataset: {{name: t, main_table: {{name: t, {table}, {columns}}}}}
"""
    found = trial.accepts(text).known.dataset("v", None)
    assert isinstance(found, Version)
    return typed(found)


def rows(spark: SparkSession, dataset: Dataset, where: FileTable, period: str) -> Counter[str]:
    run = context(period)
    periods = read_periods(dataset, run).identifiers
    found = rows_of(spark, dataset, where, run=run, periods=periods, keep_deleted=False)
    return Counter(f"{row['id']} {row['_period']}" for row in found)


@pytest.mark.parametrize(
    "table", ["temporal_mode: period", "temporal_mode: period, period_from: at"]
)
def test_a_year_to_date_is_that_of_the_month_before_and_the_month(
    table: str, spark: SparkSession, tmp_path: Path, trial: Trial
) -> None:
    where = place(csv_file(tmp_path, ROWS if "from" not in table else ROWS.replace("_period", "p")))
    ytd, own = view(trial, "year_to_date", table), view(trial, "current", table)
    found = [rows(spark, ytd, where, f"2026-0{month}") for month in (1, 2, 3, 4)]
    months = [rows(spark, own, where, f"2026-0{month}") for month in (1, 2, 3, 4)]
    assert found == [sum(months[:n], Counter()) for n in (1, 2, 3, 4)]
    assert sorted(found[3]) == ["r1 2026-01", "r3 2026-02", "r4 2026-04", "r5 2026-04"]


def test_all_periods_are_whichever_there_are(
    spark: SparkSession, tmp_path: Path, trial: Trial
) -> None:
    where = place(csv_file(tmp_path, ROWS + "r9,2026-01-01,,\n"))
    found = rows_of(spark, view(trial, "all"), where, run=context("2026-03"), periods=["2026-03"])
    assert ids(found) == ["r0", "r1", "r2", "r3", "r4", "r5"]


def test_a_period_of_deleted_rows_has_data_and_one_of_none_has_not(
    spark: SparkSession, tmp_path: Path, trial: Trial
) -> None:
    dataset, run = view(trial, "year_to_date"), context("2026-04")
    periods = read_periods(dataset, run).identifiers
    raws = read(spark, place(csv_file(tmp_path, ROWS.replace("r1,", "r2,").replace("r3", "r2"))))
    expected = {each: (each,) for each in periods}
    assert find_absent(dataset, raws, run, periods, expected) == ("2026-03",)
    assert find_absent(dataset, raws, run, periods, {}) == ()


def test_values_that_do_not_fit_are_left_to_the_run_to_tell(
    spark: SparkSession, tmp_path: Path, trial: Trial
) -> None:
    dataset, run = view(trial, "previous"), context("2026-04")
    raws = read(spark, place(csv_file(tmp_path, "id,at,_period\na,never,2026-03\n")))
    assert find_absent(dataset, raws, run, ("2026-03",), {"2026-03": ("2026-03",)}) == ()
