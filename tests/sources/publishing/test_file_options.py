"""How outputs of files are packed, and into how many files they go."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pyarrow.dataset as ds
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.locations.file_options import CODECS
from rowbook.sources.files.listing import KINDS as ALL_KINDS
from tests.sources.tables import contents, files_in, names_in, put, target

pytestmark = pytest.mark.spark

FILE_KINDS = [kind for kind in ALL_KINDS if kind in CODECS]
KINDS = pytest.mark.parametrize(
    "kind",
    ["parquet", "csv", *(pytest.param(k, marks=pytest.mark.campaign) for k in ("orc", "json"))],
)
ENDINGS = {
    ("parquet", "snappy"): ".snappy.parquet",
    ("parquet", "gzip"): ".gz.parquet",
    ("parquet", "zstd"): ".zstd.parquet",
    ("parquet", "lz4"): ".lz4hadoop.parquet",
    ("orc", "snappy"): ".snappy.orc",
    ("orc", "zlib"): ".zlib.orc",
    ("orc", "zstd"): ".zstd.orc",
    ("orc", "lz4"): ".lz4.orc",
    ("csv", "gzip"): ".csv.gz",
    ("csv", "bzip2"): ".csv.bz2",
    ("json", "gzip"): ".json.gz",
    ("json", "bzip2"): ".json.bz2",
}


def numbers(spark: SparkSession, rows: int, tasks: int) -> DataFrame:
    """Rows with a text of two lines, in order, by so many tasks."""
    note = F.concat(F.lit('a "b"\n'), F.col("id"))
    return spark.range(0, rows, 1, tasks).select(F.col("id").cast("string"), note.alias("note"))


def expected(rows: int) -> list[tuple[str, str]]:
    return sorted(((str(i), f'a "b"\n{i}') for i in range(rows)), key=repr)


@pytest.mark.some(4)
@pytest.mark.parametrize(
    ("kind", "codec"), [(kind, codec) for kind in FILE_KINDS for codec in CODECS[kind]]
)
def test_files_are_packed_as_the_option_says(
    spark: SparkSession, tmp_path: Path, kind: str, codec: str
) -> None:
    where = target(tmp_path / "t", kind, compression=codec)
    written = put(numbers(spark, 20, 3), where)
    (file,) = files_in(tmp_path / "t")
    assert (written.rows, written.files, written.bytes) == (20, 1, file.stat().st_size)
    assert file.name.endswith(ENDINGS.get((kind, codec), f"c000.{kind}"))
    assert contents(spark, where, "id", "note") == expected(20)


@pytest.mark.some(2)
@KINDS
@pytest.mark.parametrize(
    ("tasks", "packed"),
    [
        (1, True),
        (7, False),
        pytest.param(1, False, marks=pytest.mark.campaign),
        pytest.param(7, True, marks=pytest.mark.campaign),
    ],
)
def test_a_number_of_files_is_what_there_is(
    spark: SparkSession, tmp_path: Path, kind: str, tasks: int, packed: bool
) -> None:
    codec = CODECS[kind][0] if packed else "none"
    where = target(tmp_path / "t", kind, files="3", compression=codec)
    written = put(numbers(spark, 100, tasks), where)
    assert (written.rows, written.files) == (100, 3)
    files = files_in(tmp_path / "t")
    assert written.bytes == sum(file.stat().st_size for file in files)
    assert contents(spark, where, "id", "note") == expected(100)
    in_order = [int(row) for file in files for row in ids_in(kind, file)]
    assert in_order == list(range(100))


def ids_in(kind: str, file: Path) -> list[str]:
    """The rows of one file in their order."""
    if kind in ("parquet", "orc"):
        return list(ds.dataset(file, format=kind).to_table(["id"])["id"].to_pylist())
    content = file.read_bytes()
    lines = io.StringIO((gzip.decompress(content) if file.suffix == ".gz" else content).decode())
    if kind == "json":
        return [json.loads(line)["id"] for line in lines]
    return [row["id"] for row in csv.DictReader(lines)]


@pytest.mark.campaign
@KINDS
def test_each_folder_has_the_number_of_files(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    frame = numbers(spark, 90, 4).withColumn(
        "_period", F.when(F.col("id") % 3 == 0, F.lit("2026-01")).otherwise(F.lit("2026 Q1/x"))
    )
    where = target(tmp_path / "t", kind, files="2")
    written = put(frame, where, periods=("2026-01", "2026 Q1/x"))
    assert (written.rows, written.files) == (90, 4)
    assert {len(list(folder.iterdir())) for folder in files_in(tmp_path / "t")} == {2}
    found = contents(spark, where, "id", "_period")
    assert len(found) == 90
    assert sum(1 for _, period in found if period == "2026-01") == 30


@pytest.mark.campaign
@KINDS
def test_fewer_rows_than_files_are_a_file_each(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    where = target(tmp_path / "t", kind, files="5")
    assert put(numbers(spark, 2, 1), where).files == 2
    assert put(numbers(spark, 0, 1), where).files == 1
    assert contents(spark, where, "id") == []


@pytest.mark.campaign
@KINDS
def test_files_are_of_the_size_that_is_asked_for(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    noise = F.sha2(F.col("id").cast("string"), 512)
    frame = spark.range(0, 8_000, 1, 1).select(F.col("id").cast("string"), noise.alias("note"))
    where = target(tmp_path / "t", kind, file_size="256kb", compression="none")
    written = put(frame, where)
    assert written.rows == 8_000
    sizes = [file.stat().st_size for file in files_in(tmp_path / "t")]
    assert len(sizes) >= written.bytes / 2**19
    assert max(sizes) <= 2 * 2**18
    assert min(sizes) >= 2**17 / 2
    assert len(contents(spark, where, "id")) == 8_000
    many = put(frame.repartition(60), where)
    assert many.files <= 2 * len(sizes)
    assert len(contents(spark, where, "id")) == 8_000


@pytest.mark.some(1)
@KINDS
def test_many_small_files_of_a_large_result_are_joined(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr("rowbook.sources.publishing.file_layout.SMALL", 1_000)
    monkeypatch.setattr("rowbook.sources.publishing.file_layout.USUAL", 8_000)
    where = target(tmp_path / "t", kind)
    written = put(numbers(spark, 300, 20), where)
    assert written.rows == 300
    assert 1 <= written.files < 12
    assert contents(spark, where, "id", "note") == expected(300)


@pytest.mark.campaign
@KINDS
def test_the_same_rows_become_the_same_files(
    spark: SparkSession, tmp_path: Path, kind: str
) -> None:
    def rows_by_file(name: str) -> list[list[str]]:
        where = target(tmp_path / name, kind, files="4")
        put(numbers(spark, 50, 3), where)
        return [ids_in(kind, file) for file in files_in(tmp_path / name)]

    assert rows_by_file("one") == rows_by_file("two")


def test_packed_text_is_the_same_bytes_each_time(spark: SparkSession, tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        put(numbers(spark, 50, 3), target(tmp_path / name, "csv", files="2", compression="gzip"))
        found.append([file.read_bytes() for file in files_in(tmp_path / name)])
    assert found[0] == found[1]


def test_nothing_is_left_beside_a_table_that_was_rearranged(
    spark: SparkSession, tmp_path: Path
) -> None:
    for kind in ("parquet", "csv"):
        put(numbers(spark, 50, 3), target(tmp_path / kind, kind, files="2"))
        assert all(name.startswith("part-") for name in names_in(tmp_path / kind))
    assert names_in(tmp_path) == ["csv", "parquet"]
