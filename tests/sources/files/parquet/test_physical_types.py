"""What is known of a parquet file without Spark is what Spark finds."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import types as s

from rowbook.sources.files.parquet.physical_types import spark_schema

MOMENT = datetime(2026, 1, 31, 12, tzinfo=UTC)
KNOWN = {
    "yes": pa.array([True]),
    "byte": pa.array([1], "int8"),
    "short": pa.array([1], "int16"),
    "int": pa.array([1], "int32"),
    "long": pa.array([1], "int64"),
    "real": pa.array([1.5], "float32"),
    "double": pa.array([1.5], "float64"),
    "text": pa.array(["a"]),
    "bytes": pa.array([b"a"]),
    "day": pa.array([date(2026, 1, 31)]),
    "few digits": pa.array([Decimal("1.5")], pa.decimal128(5, 2)),
    "many digits": pa.array([Decimal("1.5")], pa.decimal128(38, 10)),
    "micro": pa.array([MOMENT], pa.timestamp("us", tz="UTC")),
    "milli": pa.array([MOMENT], pa.timestamp("ms", tz="UTC")),
    "local": pa.array([MOMENT.replace(tzinfo=None)], pa.timestamp("us")),
}
UNKNOWN = {
    "unsigned": pa.array([1], "uint32"),
    "nano": pa.array([MOMENT], pa.timestamp("ns", tz="UTC")),
    "list": pa.array([[1]]),
    "struct": pa.array([{"a": 1}]),
    "fixed": pa.array([b"ab"], pa.binary(2)),
    "time": pa.array([1], pa.time64("us")),
}


@pytest.mark.spark
@pytest.mark.parametrize("nullable", [True, False])
@pytest.mark.parametrize("small", [True, False])
def test_types_are_those_that_spark_finds(
    spark: SparkSession, tmp_path: Path, nullable: bool, small: bool
) -> None:
    path = tmp_path / "t.parquet"
    fields = [pa.field(name, values.type, nullable=nullable) for name, values in KNOWN.items()]
    table = pa.table(list(KNOWN.values()), schema=pa.schema(fields))
    pq.write_table(table, path, store_decimal_as_integer=small)
    assert spark_schema(path) == spark.read.parquet(str(path)).schema


@pytest.mark.spark
def test_types_of_spark_s_own_files_are_those_it_wrote(spark: SparkSession, tmp_path: Path) -> None:
    plain = "a string, b decimal(12,3), c timestamp, d date, e tinyint, f timestamp_ntz, g binary"
    spark.createDataFrame([], plain).coalesce(1).write.parquet(str(tmp_path / "plain"))
    (file,) = (tmp_path / "plain").glob("*.parquet")
    assert spark_schema(file) == spark.read.parquet(str(file)).schema


@pytest.mark.spark
@pytest.mark.parametrize("kind", ["interval day", "interval year", "array<int>"])
def test_where_spark_wrote_something_else_it_is_asked(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    written = spark.createDataFrame([], "n int, x " + kind).coalesce(1)
    written.write.parquet(str(tmp_path / "t"))
    (file,) = (tmp_path / "t").glob("*.parquet")
    found = spark_schema(file)
    assert found is None or found == spark.read.parquet(str(file)).schema


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_column_of_another_kind_is_left_to_spark(tmp_path: Path, name: str) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"n": [1], name: UNKNOWN[name]}), path)
    assert spark_schema(path) is None


def test_a_name_with_a_dot_is_no_column_inside_another(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a.b": [1]}), path)
    assert spark_schema(path) == s.StructType([s.StructField("a.b", s.LongType())])


def test_what_is_no_parquet_file_is_left_to_spark(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_text("a,b")
    assert spark_schema(tmp_path / "t.parquet") is None
    assert spark_schema(tmp_path / "gone.parquet") is None
