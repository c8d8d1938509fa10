"""Few rows written without Spark: the same files that Spark would write."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.errors import RowbookError
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.listing import data_files
from rowbook.sources.files.parquet.metadata import read_footer
from rowbook.sources.registry import write
from rowbook.sources.source import WriteRequest, WriteResult
from tests.sources.tables import RUN, target
from tests.support.local_frame import local_frame

pytestmark = pytest.mark.spark

_SCHEMA = (
    "id string, n bigint, small decimal(18,2), large decimal(38,6), x double, ok boolean,"
    " day date, at timestamp, _period string"
)
_ROWS = [
    (
        "a,b",
        1,
        Decimal("1.50"),
        Decimal("-12345678901234567890.000001"),
        1e21,
        True,
        date(1500, 1, 2),
        datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC),
        "2026-01",
    ),
    ('say "hi"', None, None, None, None, None, None, None, "2026-01"),
    ("", -7, Decimal("0.00"), Decimal("0.5"), 0.1, False, date(9999, 12, 31), None, "2026/02"),
    ("two\nlines", 0, Decimal("-0.01"), None, float("nan"), None, None, None, "2026/02"),
    (" spaces kept ", 0, None, None, None, None, None, None, "2026-01"),
    ("a\rb", 0, None, None, None, None, None, None, "2026-01"),
    ("ä 😀 # ' \\", 0, None, None, None, None, None, None, "2026-01"),
]


def rows(spark: SparkSession) -> DataFrame:
    return local_frame(spark, _ROWS, _SCHEMA).coalesce(1)


def put(frame: DataFrame, where: FileTarget, *, local: bool, by_period: bool = True) -> WriteResult:
    periods = ("2026-01", "2026/02") if by_period else None
    return write(frame, where, WriteRequest("replace", periods, RUN, local=local))


def both(spark: SparkSession, folder: Path, kind: str, **options: str) -> tuple[list[Path], ...]:
    """The files that Spark wrote, and those that were written here."""
    found = []
    for local in (False, True):
        where = target(folder / f"local {local}", kind, **options)
        assert put(rows(spark), where, local=local).rows == len(_ROWS)
        found.append(files_in(where))
    return tuple(found)


def files_in(where: FileTarget) -> list[Path]:
    return sorted(file.path for file in data_files(where.path, where.kind))


def folders(files: list[Path]) -> list[str]:
    return [file.parent.name for file in files]


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_a_csv_file_has_the_bytes_that_spark_would_write(
    spark: SparkSession, tmp_path: Path, delimiter: str
) -> None:
    by_spark, here = both(spark, tmp_path, "csv", delimiter=delimiter)
    assert folders(here) == folders(by_spark) == ["period=2026%2F02", "period=2026-01"]
    assert [file.read_bytes() for file in here] == [file.read_bytes() for file in by_spark]


@pytest.mark.parametrize("codec", ["snappy", "gzip", "zstd", "none"])
def test_a_parquet_file_has_the_types_and_values_that_spark_would_write(
    spark: SparkSession, tmp_path: Path, codec: str
) -> None:
    by_spark, here = both(spark, tmp_path, "parquet", compression=codec)
    assert folders(here) == folders(by_spark)
    for ours, theirs in zip(here, by_spark, strict=True):
        assert ours.name.split(".", 1)[1].removeprefix("c000.") == theirs.name.split(".", 2)[2]
        found, expected = (read_footer(each, "closed") for each in (ours, theirs))
        assert (found.signature, found.types()) == (expected.signature, expected.types())
        assert found.never_null() == expected.never_null()
        values = [str(pq.ParquetFile(each).read().to_pylist()) for each in (ours, theirs)]
        assert values[0] == values[1]
        chunks = [each.metadata.row_group(0).column(0) for each in (found, expected)]
        assert chunks[0].compression == chunks[1].compression


def test_spark_reads_the_types_it_would_have_written(spark: SparkSession, tmp_path: Path) -> None:
    by_spark, here = both(spark, tmp_path, "parquet")
    schemas = [spark.read.parquet(str(files[0])).schema for files in (by_spark, here)]
    assert schemas[0] == schemas[1]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_no_rows_leave_a_file_that_has_the_columns(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    found = []
    for local in (False, True):
        where = target(tmp_path / f"local {local}", kind)
        assert put(rows(spark).filter(F.lit(False)), where, local=local).rows == 0
        (file,) = files_in(where)
        names = pq.read_schema(file).names if kind == "parquet" else file.read_text().split("\n")
        found.append((file.parent.name, names))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("json", {}),
        ("orc", {}),
        ("parquet", {"compression": "lz4"}),
        ("csv", {"escape": "\\"}),
        ("csv", {"compression": "gzip"}),
        ("csv", {"encoding": "latin-1"}),
    ],
)
def test_what_only_spark_can_write_is_written_by_spark(
    spark: SparkSession, tmp_path: Path, kind: str, options: dict[str, str]
) -> None:
    where = target(tmp_path / "closed", kind, **options)
    frame = local_frame(spark, [("a",), ("b",)], "id string").coalesce(1)
    assert put(frame, where, local=True, by_period=False).rows == 2


def test_a_row_that_fails_leaves_the_table_as_it_was(spark: SparkSession, tmp_path: Path) -> None:
    where = target(tmp_path / "closed", "csv")
    put(local_frame(spark, [("old",)], "id string"), where, local=True, by_period=False)
    before = [file.read_bytes() for file in files_in(where)]
    bad = spark.range(1).select(F.raise_error(F.lit("no")).cast("string").alias("id"))
    with pytest.raises(PySparkException):
        put(bad, where, local=True, by_period=False)
    empty = local_frame(spark, [(None,)], "id string")
    with pytest.raises(RowbookError, match="OUTPUT_006"):
        put(empty, where, local=True, by_period=False)
    assert [file.read_bytes() for file in files_in(where)] == before
    assert [each.name for each in tmp_path.iterdir() if "staging" in each.name] == []
