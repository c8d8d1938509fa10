"""What each row's file says about it, however many files a scan has."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from rowbook.sources.files.bundles import bundle
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.scan import file_name, scan_typed

pytestmark = pytest.mark.spark

NAMES = ("1.parquet", "01.parquet", "a b.parquet", *(f"{i}1.parquet" for i in range(1, 8)))


@pytest.mark.parametrize("count", [1, 2, 3, 10])
def test_the_names_of_few_files_are_those_that_spark_would_make(
    spark: SparkSession, tmp_path: Path, count: int
) -> None:
    folder = tmp_path / "gl"
    folder.mkdir()
    for name in NAMES[:count]:
        pq.write_table(pa.table({"told": [name.replace(" ", "%20")]}), folder / name)
    (each,) = bundle([FileTable("parquet", folder, label="lake/gl")], lambda _: "").each
    frame = scan_typed(spark, each, "parquet")
    rows = frame.select("told", file_name(each, frame.metadataColumn("_metadata"))).collect()
    assert sorted(map(tuple, rows)) == sorted(
        (name.replace(" ", "%20"), f"lake/gl/{name.replace(' ', '%20')}") for name in NAMES[:count]
    )


def test_a_table_of_one_file_is_called_as_it_is(spark: SparkSession, tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), tmp_path / "gl.parquet")
    place = FileTable("parquet", tmp_path / "gl.parquet", label="lake/gl.parquet")
    (each,) = bundle([place], lambda _: "").each
    frame = scan_typed(spark, each, "parquet")
    (row,) = frame.select(file_name(each, frame.metadataColumn("_metadata"))).collect()
    assert row[0] == "lake/gl.parquet"
