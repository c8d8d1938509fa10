"""How many rows files say that they have."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from rowbook.engine.counting.stored_counts import stored_count

pytestmark = pytest.mark.spark


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "some rows%.parquet"
    pq.write_table(pa.table({"k": ["a", "b", "c"], "gone": [False, True, False]}), path)
    return str(path)


def test_files_say_how_many_rows_they_have(spark: SparkSession, rows: str) -> None:
    frame = spark.read.parquet(rows)
    visible = frame.coalesce(1).select("k", F.lit(False).alias("_deleted"))
    assert stored_count(visible) == 3
    assert stored_count(visible.unionByName(visible)) == 6


def test_rows_that_must_be_looked_at_are_not_counted(spark: SparkSession, rows: str) -> None:
    frame = spark.read.parquet(rows)
    assert stored_count(frame.withColumnRenamed("gone", "_deleted")) is None
    assert stored_count(frame.withColumn("_deleted", F.lit(False)).filter("k = 'a'")) is None
    assert stored_count(spark.range(3).withColumn("_deleted", F.lit(False))) is None
