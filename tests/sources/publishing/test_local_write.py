"""Few rows written without Spark: the same files that Spark would write."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.errors import RowbookError
from rowbook.expressions.scope import Field
from rowbook.expressions.types import (
    BOOLEAN,
    DATE,
    FLOAT,
    INTEGER,
    NULL,
    STRING,
    TIMESTAMP,
    decimal,
)
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.listing import data_files
from rowbook.sources.files.parquet.metadata import read_footer
from rowbook.sources.plain_output import PlainOutput
from rowbook.sources.registry import write, write_plain
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


_NAMES = ("id", "n", "small", "large", "x", "ok", "day", "at", "_period")
_TYPES = (
    STRING,
    INTEGER,
    decimal(18, 2),
    decimal(38, 6),
    FLOAT,
    BOOLEAN,
    DATE,
    TIMESTAMP,
    STRING,
)
_FIELDS = tuple(map(Field, _NAMES, _TYPES))


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


def plain(*rows: tuple[Any, ...]) -> PlainOutput:
    return PlainOutput(_FIELDS, [dict(zip(_NAMES, row, strict=True)) for row in rows])


def put_plain(
    output: PlainOutput, where: FileTarget, *, by_period: bool = True
) -> WriteResult | None:
    periods = ("2026-01", "2026/02") if by_period else None
    return write_plain(output, where, WriteRequest("replace", periods, RUN, local=True), None)


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


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_rows_that_spark_never_had_become_the_same_files(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    by_spark, without = target(tmp_path / "spark", kind), target(tmp_path / "plain", kind)
    put(rows(spark), by_spark, local=True)
    written = put_plain(plain(*_ROWS), without)
    assert written is not None
    assert written.rows == len(_ROWS)
    found, expected = files_in(without), files_in(by_spark)
    assert folders(found) == folders(expected)
    assert [file.read_bytes() for file in found] == [file.read_bytes() for file in expected]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_no_rows_that_spark_never_had_leave_a_file_too(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    by_spark, without = target(tmp_path / "spark", kind), target(tmp_path / "plain", kind)
    put(rows(spark).filter(F.lit(False)), by_spark, local=True)
    put_plain(plain(), without)
    (found,), (expected,) = files_in(without), files_in(by_spark)
    assert found.parent.name == expected.parent.name
    assert found.read_bytes() == expected.read_bytes()


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("json", {}),
        ("orc", {}),
        ("parquet", {"files": "2"}),
        ("csv", {"compression": "gzip"}),
        ("csv", {"date_format": "dd.MM.yyyy"}),
        ("csv", {"decimal_separator": ",", "delimiter": ";"}),
    ],
)
def test_what_only_spark_writes_so_is_left_to_it(
    tmp_path: Path, kind: str, options: dict[str, str]
) -> None:
    where = target(tmp_path / "closed", kind, **options)
    assert put_plain(plain(*_ROWS), where) is None
    assert not where.path.exists()


def test_a_column_of_nothing_but_null_is_left_to_spark(tmp_path: Path) -> None:
    output = PlainOutput((Field("nothing", NULL),), [{"nothing": None}])
    assert put_plain(output, target(tmp_path / "closed", "csv"), by_period=False) is None


def test_rows_of_other_periods_are_refused_without_spark_too(tmp_path: Path) -> None:
    where = target(tmp_path / "closed", "csv")
    with pytest.raises(RowbookError, match="rows of period 2026-03 are not of the run's period"):
        put_plain(plain((*_ROWS[0][:-1], "2026-03")), where)
    assert not where.path.exists()


def test_one_column_that_is_null_is_no_line_of_a_csv_file(tmp_path: Path) -> None:
    where = target(tmp_path / "closed", "csv")
    output = PlainOutput((Field("id", STRING),), [{"id": None}])
    with pytest.raises(RowbookError, match="a csv file of one column cannot hold NULL"):
        put_plain(output, where, by_period=False)
    assert not where.path.exists()


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
