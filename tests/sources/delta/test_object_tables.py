"""Delta tables in a bucket: their log is read without Spark, their rows by Spark at one version."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa
import pytest
from deltalake import write_deltalake
from pyspark.sql import SparkSession

from rowbook.sources import registry
from rowbook.sources.delta.delta_table import DeltaTable
from tests.sources.stores.buckets import Bucket
from tests.support.refusal import refusal


def put_table(bucket: Bucket, folder: Path, *states: list[str]) -> DeltaTable:
    """A table with a version for each state."""
    for accounts in states:
        table = pa.table({"account": pa.array(accounts, pa.string())})
        write_deltalake(folder, table, mode="overwrite")
    files = (file for file in folder.rglob("*") if file.is_file())
    bucket.put({f"gl/{file.relative_to(folder).as_posix()}": file.read_bytes() for file in files})
    return DeltaTable(bucket.path("gl"), f"{bucket.url}/gl", boundary=bucket.boundary)


def test_columns_and_versions_are_known_from_the_log(bucket: Bucket, tmp_path: Path) -> None:
    table = put_table(bucket, tmp_path / "made", ["4000"], ["4000", "5000"])
    assert registry.columns(table) == ("account",)
    (content,) = registry.fingerprint(table)
    assert (content.name, content.version) == (f"{bucket.url}/gl", "1")
    assert content.size > 0
    assert content.digest is not None
    assert registry.extras(table) == {"delta", "s3"}


def test_a_version_whose_files_are_gone_is_said_to_be(bucket: Bucket, tmp_path: Path) -> None:
    table = put_table(bucket, tmp_path / "made", ["4000"], ["5000"])
    first = registry.pin(table, registry.contents(DeltaTable(table.path, "gl", version=0)))
    for each in bucket.store.list("gl"):
        if each.key.endswith(".parquet"):
            bucket.store.delete(each.key)
    assert "version 0" in refusal(lambda: registry.contents(first), "DATASOURCE_006").message


def test_what_is_no_table_is_said_to_be_none(bucket: Bucket) -> None:
    table = DeltaTable(bucket.path("gl"), "gl")
    assert refusal(lambda: registry.columns(table)).code == "DATASOURCE_006"
    bucket.put({"gl/a.parquet": "x"})
    assert refusal(lambda: registry.columns(table)).code == "DATASOURCE_007"


def test_a_log_that_names_files_elsewhere_is_refused(bucket: Bucket, tmp_path: Path) -> None:
    table = put_table(bucket, tmp_path / "made", ["4000"])
    key = "gl/_delta_log/00000000000000000000.json"
    found = bucket.store.head(key)
    assert found is not None
    text = bucket.store.read(key, 0, found.size).decode()
    bucket.put({key: text.replace('"path":"', '"path":"../other/')})
    assert refusal(lambda: registry.columns(table)).code == "DATASOURCE_004"


@pytest.mark.spark
def test_spark_reads_the_version_that_was_pinned(
    spark: SparkSession, bucket: Bucket, tmp_path: Path
) -> None:
    table = put_table(bucket, tmp_path / "made", ["4000"], ["5000"])
    with ExitStack() as held:
        for version, accounts in ((0, ["4000"]), (1, ["5000"])):
            pinned = DeltaTable(table.path, "gl", version=version)
            (raw,) = registry.read(spark, [pinned], held)
            assert [row["account"] for row in raw.frame.collect()] == accounts
