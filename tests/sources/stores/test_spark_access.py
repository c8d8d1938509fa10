from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import orc
from pyarrow import parquet as pq
from pyspark.sql import SparkSession

from rowbook.sources import registry
from rowbook.sources.contents import Keeping
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.listing import FileKind
from rowbook.sources.stores.spark_access import scan_settings, spark_url
from tests.sources.stores.buckets import Bucket
from tests.support.object_store_server import SECRET

pytestmark = pytest.mark.spark

ROWS = [{"account": "1000", "amount": 5}, {"account": "2000 é", "amount": -7}]


def content(kind: str, folder: Path) -> bytes:
    table, file = pa.Table.from_pylist(ROWS), folder / "made"
    match kind:
        case "parquet":
            pq.write_table(table, file)
        case "orc":
            orc.write_table(table, str(file))
        case "csv":
            file.write_text("account,amount\n1000,5\n2000 é,-7\n", encoding="utf-8")
        case _:
            lines = '{"account":"1000","amount":5}\n{"account":"2000 é","amount":-7}\n'
            file.write_text(lines, encoding="utf-8")
    return file.read_bytes()


def rows_of(spark: SparkSession, table: FileTable) -> list[tuple[str, str, str | None]]:
    with ExitStack() as held:
        return sorted(
            (row["account"], str(row["amount"]), row.asDict().get("country"))
            for raw in registry.read(spark, [table], held)
            for row in raw.frame.collect()
        )


@pytest.mark.parametrize("kind", ["csv", "json", "parquet", "orc"])
def test_spark_reads_objects_of_every_format(
    spark: SparkSession, bucket: Bucket, tmp_path: Path, kind: FileKind
) -> None:
    made = content(kind, tmp_path)
    bucket.put({f"gl/country=DE/a.{kind}": made, f"gl/country=AT/b.{kind}": made})
    table = FileTable(kind, bucket.path("gl"), label=f"{bucket.url}/gl").pin()
    assert table.is_in_store
    found = rows_of(spark, table)
    assert found == sorted(
        (str(row["account"]), str(row["amount"]), country)
        for row in ROWS
        for country in ("AT", "DE")
    )


def test_small_objects_are_copied_for_spark_on_this_machine(
    spark: SparkSession, bucket: Bucket, tmp_path: Path
) -> None:
    bucket.put({"gl/a.csv": "account,amount\n1000,5\n"})
    table = FileTable("csv", bucket.path("gl"), label=f"{bucket.url}/gl")
    with ExitStack() as resources:
        pinned = table.pin(Keeping(resources, tmp_path / "inputs"))
        assert not pinned.is_in_store
        assert rows_of(spark, pinned) == [("1000", "5", None)]


def test_rows_have_the_same_identity_copied_and_read_in_the_store(
    spark: SparkSession, bucket: Bucket, tmp_path: Path
) -> None:
    bucket.put({"gl/a.parquet": content("parquet", tmp_path)})
    table = FileTable("parquet", bucket.path("gl"), label=f"{bucket.url}/gl")
    found = []
    with ExitStack() as resources:
        for pinned in (table.pin(), table.pin(Keeping(resources, tmp_path / "inputs"))):
            (raw,) = registry.read(spark, [pinned], resources)
            found.append(sorted((row["__file"], row["__row"]) for row in raw.frame.collect()))
    assert found[0] == found[1] == [(f"{bucket.url}/gl/a.parquet", n) for n in (0, 1)]


def test_keys_are_in_no_setting_of_the_session_and_in_no_plan(
    spark: SparkSession, bucket: Bucket, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bucket.put({"gl/a.parquet": content("parquet", tmp_path)})
    table = FileTable("parquet", bucket.path("gl"), label="gl").pin()
    with ExitStack() as held:
        (raw,) = registry.read(spark, [table], held)
        raw.frame.collect()
        raw.frame.explain("extended")
    settings = str(spark.sparkContext.getConf().getAll())
    assert SECRET in scan_settings(bucket.path("gl")).values()
    assert SECRET not in capsys.readouterr().out + settings


def test_stores_that_are_asked_otherwise_have_other_schemes(
    spark: SparkSession, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = spark_url(bucket.path("a"))
    monkeypatch.setenv("ROWBOOK_TEST_STORE", "an0ther-id:an0ther-Key")
    assert spark_url(bucket.path("a")) != first
    assert first.endswith(f"://{bucket.name}/a")
