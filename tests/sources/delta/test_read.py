"""Reading Delta tables: one version for all of a run, and of it no more than is wanted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import ExitStack, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.engine.compile.collect import collect
from rowbook.engine.loading.load import load
from rowbook.errors import RowbookError
from rowbook.sources import registry
from rowbook.sources.delta.source import DeltaSource
from tests.sources.delta.samples import commit, newest, place, put, read, refusal, target
from tests.sources.tables import context, dataset
from tests.support.local_frame import local_frame

pytestmark = pytest.mark.spark


def rows(spark: SparkSession, *values: tuple[str | None, ...]) -> DataFrame:
    return local_frame(spark, list(values), "id string, note string, _period string")


def made(spark: SparkSession, path: Path, by: str = "_period", **properties: str) -> Path:
    """A table as somebody else made it."""
    frame = rows(spark, ("J1", "a", "2026-01"), ("J2", "b", "2026-02"), ("J3", "c", None))
    writer = frame.write.format("delta").partitionBy(by)
    writer.options(**{f"delta.{name}": value for name, value in properties.items()})
    writer.save(str(path))
    return path


def ids(frame: DataFrame) -> list[str]:
    return sorted(row["id"] for row in frame.collect())


def plan(frame: DataFrame) -> str:
    with redirect_stdout(StringIO()) as said:
        frame.explain("simple")
    return said.getvalue()


def size_by_spark(spark: SparkSession, path: Path) -> int:
    (detail,) = spark.sql(f"DESCRIBE DETAIL delta.`{path}`").collect()
    return int(detail["sizeInBytes"])


def test_only_the_partitions_wanted_are_read(spark: SparkSession, tmp_path: Path) -> None:
    path = made(spark, tmp_path / "gl")
    wanted = read(spark, path, only={"_period": {"2026-01"}, "other": {"x"}})
    assert re.search(r"PartitionFilters: \[[^\]]*_period#", plan(wanted))
    (file,) = wanted.inputFiles()
    assert "/_period=2026-01/" in file
    assert ids(wanted) == ["J1"]


@pytest.mark.campaign
def test_a_column_that_is_no_partition_is_left_to_loading(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = made(spark, tmp_path / "gl", by="note")
    assert ids(read(spark, path, only={"_period": {"2026-01"}})) == ["J1", "J2", "J3"]


@pytest.mark.campaign
def test_a_partition_of_another_type_is_compared_as_text(
    spark: SparkSession, tmp_path: Path
) -> None:
    frame = local_frame(spark, [("J1", 2025), ("J2", 2026)], "id string, year int")
    frame.write.format("delta").partitionBy("year").save(str(tmp_path / "gl"))
    wanted = read(spark, tmp_path / "gl", only={"year": {"2026"}})
    assert len(wanted.inputFiles()) == 1
    assert ids(wanted) == ["J2"]


def test_a_table_is_read_as_it_was_when_it_was_looked_at(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = made(spark, tmp_path / "gl")
    before = read(spark, path)
    put(rows(spark, ("J9", "z", "2026-01")), path, periods=("2026-01",))
    assert ids(before) == ["J1", "J2", "J3"]
    assert ids(read(spark, path)) == ["J2", "J3", "J9"]
    assert ids(read(spark, path, version=0)) == ["J1", "J2", "J3"]


@pytest.mark.campaign
def test_a_folder_may_have_any_name(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "Ωmega a b%20 [x]{y} #1 ' \" $x ;@v0"
    for i in (1, 2):
        put(rows(spark, (f"J{i}", "a", "2026-01")), path, periods=("2026-01",))
    assert ids(read(spark, path)) == ["J2"]
    assert ids(read(spark, path, version=0)) == ["J1"]
    assert registry.contents(place(path))[0].version == "1"


_FEED = {"change data feed": {"enableChangeDataFeed": "true"}}
_FEATURES = {
    "deletion vectors": {"enableDeletionVectors": "true"},
    "column mapping": {"columnMapping.mode": "name"},
    "row tracking": {"enableRowTracking": "true"},
    "checkpoints of version 2": {"checkpointPolicy": "v2", "checkpointInterval": "2"},
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A usual run has a table with all features, but for the feed, which Delta does not let one
    have beside all others; with --seeds there is one for each, too."""
    if "properties" in metafunc.fixturenames:
        together = {key: value for each in _FEATURES.values() for key, value in each.items()}
        tables = {"all others": together, **_FEED}
        if metafunc.config.getoption("--seeds") is not None:
            tables |= _FEATURES
        metafunc.parametrize("properties", tables.values(), ids=tables)


@pytest.mark.campaign
def test_tables_with_newer_features_are_described_and_read(
    spark: SparkSession, tmp_path: Path, properties: Mapping[str, str]
) -> None:
    path = made(spark, tmp_path / "gl", **properties)
    more = rows(spark, ("J4", "d", "2026-02"), ("J5", "e", "2026-02")).coalesce(1)
    more.write.format("delta").mode("append").save(str(path))
    spark.sql(f"DELETE FROM delta.`{path}` WHERE id = 'J4'")
    assert ids(read(spark, path, only={"_period": {"2026-02"}})) == ["J2", "J5"]
    (content,) = registry.contents(place(path))
    assert (content.version, content.size) == ("2", size_by_spark(spark, path))
    assert registry.columns(place(path)) == ("id", "note", "_period")
    put(rows(spark, ("J6", "f", "2026-02")), path, periods=("2026-02",))
    assert ids(read(spark, path)) == ["J1", "J3", "J6"]
    assert registry.contents(place(path))[0].size == size_by_spark(spark, path)


@pytest.mark.campaign
def test_a_log_that_spark_put_into_a_checkpoint_is_read(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = made(spark, tmp_path / "gl", checkpointInterval="2")
    for i in range(2):
        put(rows(spark, (f"J{i}", "x", "2026-01")), path, periods=("2026-01",), run_id=f"r{i}")
    assert (path / "_delta_log" / f"{2:020}.checkpoint.parquet").exists()
    for version in range(2):
        (path / "_delta_log" / f"{version:020}.json").unlink()
    (content,) = registry.contents(place(path))
    assert (content.version, content.size) == ("2", size_by_spark(spark, path))
    settled = DeltaSource().settle(target(path), "r0", 1)
    assert settled.published, "its commit is gone from the log, but not what it was"
    assert not DeltaSource().settle(target(path), "never", 1).published
    assert newest(path) == 2
    assert commit(path, 2)


def test_a_dataset_is_loaded_from_a_table(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "gl"
    frame = local_frame(spark, [("J1", "2026-01"), ("J2", "2026-02")], "id string, _period string")
    put(
        frame.withColumn("amount", F.lit("1.50").cast("decimal(18,2)")),
        path,
        "append",
        ("2026-01",),
    )
    wanted = dataset("id string", "amount decimal(18,2)", mode="period")
    with ExitStack() as held:
        raws = registry.read(spark, [place(path, only={"_period": {"2026-01"}})], held)
        loaded = load(wanted, raws, context("2026-01"), keep_deleted=True)
        found = collect(loaded.frame, list(wanted.fields))
    assert [row["id"] for row in found] == ["J1"]


def test_what_spark_cannot_read_is_told_in_one_line(spark: SparkSession, tmp_path: Path) -> None:
    path = made(spark, tmp_path / "gl")
    file = path / "_delta_log" / f"{0:020}.json"
    asked = '{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["timeWarp"],'
    changed = file.read_text().replace(
        '{"minReaderVersion":1,"minWriterVersion":2}', f'{asked}"writerFeatures":["timeWarp"]}}'
    )
    copy = tmp_path / "copy" / "_delta_log"
    copy.mkdir(parents=True)
    (copy / file.name).write_text(changed)
    with pytest.raises(RowbookError) as refused:
        read(spark, copy.parent)
    said = refusal(refused, "DATASOURCE_007")
    assert said.startswith("data/copy cannot be read: ")
    assert "timeWarp" in said
    assert "\n" not in said
