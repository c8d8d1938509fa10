from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession

from rowbook.spark.row_pass import MOST_COLUMNS, PASS_CONF, can_pass, has_workers, passed
from tests.engine.running import settings

pytestmark = pytest.mark.spark


def test_batches_go_through_a_process_of_this_python(spark: SparkSession) -> None:
    def doubled(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            numbers = [2 * each for each in batch.column("id").to_pylist()]
            yield pa.record_batch({"n": numbers, "python": [sys.executable] * len(numbers)})

    rows = passed(spark.range(0, 4, 1, 2), doubled, "n long, python string").collect()
    assert sorted(row["n"] for row in rows) == [0, 2, 4, 6]
    assert {row["python"] for row in rows} == {sys.executable}


def test_it_imports_nothing_from_the_folder_it_happens_to_run_in(spark: SparkSession) -> None:
    def places(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for _ in batches:
            yield pa.record_batch({"place": [str(Path.cwd()), *sys.path]})

    (here, *path) = (
        row["place"] for row in passed(spark.range(1), places, "place string").collect()
    )
    assert not {"", ".", here} & set(path)


def test_only_where_sparks_settings_are_ours(spark: SparkSession) -> None:
    with settings(spark, PASS_CONF):
        assert has_workers(spark)
    with settings(spark, dict.fromkeys(PASS_CONF, "1000")):
        assert not has_workers(spark)


def test_rows_of_too_many_columns_do_not_pass(spark: SparkSession) -> None:
    with settings(spark, PASS_CONF):
        assert can_pass(spark.range(1))
        wide = spark.range(1).selectExpr(*(f"id AS c{i}" for i in range(MOST_COLUMNS + 1)))
        assert not can_pass(wide)
