"""Tables that Iceberg itself made are read as they are, at any snapshot; hostile ones are not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.sources import registry
from rowbook.sources.iceberg.catalogs.catalog import CatalogAddress
from rowbook.sources.iceberg.iceberg_table import IcebergTable
from rowbook.sources.source import SourceTable
from tests.sources.iceberg.iceberg_itself import own_catalog
from tests.sources.iceberg.lakes import lake_in
from tests.sources.postgres_books import SECRET, Books

pytestmark = pytest.mark.spark


def rows(spark: SparkSession, table: SourceTable) -> list[tuple[Any, ...]]:
    with ExitStack() as held:
        (raw,) = registry.read(spark, [table], held)
        return sorted(tuple(row) for row in raw.frame.collect())


@pytest.fixture
def sql(spark: SparkSession, tmp_path: Path) -> Iterator[Callable[[str], None]]:
    with own_catalog(spark, lake_in(tmp_path, "hadoop")) as catalog:

        def execute(text: str) -> None:
            spark.sql(text.replace("GL", f"{catalog}.books.gl")).collect()

        yield execute


def table_in(folder: Path, boundary: Path | None = None, version: int | None = None) -> Any:
    lake = CatalogAddress("hadoop", {"warehouse": str(folder)}, None, Boundary(boundary or folder))
    return IcebergTable(lake, "books.gl", "lake:books.gl", version=version)


@pytest.mark.parametrize("format_version", ["2", "1", "3"])
@pytest.mark.some(1)
def test_a_table_is_read_at_any_of_its_snapshots(
    spark: SparkSession, tmp_path: Path, sql: Callable[[str], None], format_version: str
) -> None:
    sql(
        "CREATE TABLE GL (account STRING NOT NULL, amount DECIMAL(18,2)) USING iceberg"
        f" PARTITIONED BY (account) TBLPROPERTIES ('format-version'='{format_version}')"
    )
    table = table_in(tmp_path)
    assert rows(spark, table) == []
    (empty,) = registry.contents(table)
    assert (empty.version, empty.size) == ("-1", 0)
    sql("INSERT INTO GL VALUES ('a', 1), ('b', 2)")
    first = registry.pin(table)
    sql("ALTER TABLE GL ADD COLUMN note STRING")
    sql("INSERT INTO GL VALUES ('c', 3, 'x')")
    assert [row[0] for row in rows(spark, table)] == ["a", "b", "c"]
    assert registry.columns(table) == ("account", "amount", "note")
    assert [row[0] for row in rows(spark, first)] == ["a", "b"]
    assert registry.columns(first) == ("account", "amount")
    assert registry.layout(table).files == 3
    with pytest.raises(RowbookError, match=r"version 7 of lake:books.gl is not there"):
        registry.contents(table_in(tmp_path, version=7))


def test_a_table_that_names_files_outside_is_not_read(
    spark: SparkSession, tmp_path: Path, sql: Callable[[str], None]
) -> None:
    """Neither its data, nor the lists that name them, nor the metadata."""
    sql("CREATE TABLE GL (account STRING) USING iceberg")
    sql("INSERT INTO GL VALUES ('a')")
    brought = tmp_path / "brought"
    folder = brought / "books" / "gl" / "metadata"
    folder.mkdir(parents=True)
    (file,) = tmp_path.glob("books/gl/metadata/v2.metadata.json")
    content = json.loads(file.read_text())
    (folder / "v2.metadata.json").write_text(json.dumps(content))
    with pytest.raises(RowbookError, match="outside the workspace") as refused:
        registry.contents(table_in(brought))
    assert refused.value.diagnostics[0].code == "DATASOURCE_004"
    (folder / "v2.metadata.json").write_text(
        json.dumps({**content, "location": str(folder.parent)})
    )
    with pytest.raises(RowbookError, match=r"names a file in .*, outside the workspace"):
        rows(spark, table_in(brought))
    snapshot = content["snapshots"][0]
    inside = folder / Path(snapshot["manifest-list"]).name
    inside.write_bytes(Path(snapshot["manifest-list"]).read_bytes())
    own = {**snapshot, "manifest-list": str(inside)}
    (folder / "v2.metadata.json").write_text(
        json.dumps({**content, "location": str(folder.parent), "snapshots": [own]})
    )
    with pytest.raises(RowbookError, match=r"names a file in .*, outside the workspace"):
        rows(spark, table_in(brought))
    inside.write_bytes(b"Obj\x01")
    with pytest.raises(RowbookError, match="cannot be read") as refused:
        rows(spark, table_in(brought))
    assert refused.value.diagnostics[0].code == "DATASOURCE_007"


def test_a_catalog_in_a_database_is_that_of_iceberg(
    spark: SparkSession, tmp_path: Path, books: Books
) -> None:
    """What it made is read and written to; what we made, it reads. Spark is told no password."""
    database = books.database
    options = {
        "warehouse": str(tmp_path),
        "url": database.url,
        "user": database.user or "",
    }
    lake = CatalogAddress("jdbc", options, f"env://{SECRET}", database.boundary)
    table = IcebergTable(lake, "books.gl", "lake:books.gl")
    try:
        with own_catalog(spark, lake) as catalog:
            spark.sql(f"CREATE TABLE {catalog}.books.gl (account STRING) USING iceberg")
            spark.sql(f"INSERT INTO {catalog}.books.gl VALUES ('theirs')")
            assert rows(spark, table) == [("theirs",)]
            _append(spark, lake, "gl")
            assert rows(spark, table) == [("ours",), ("theirs",)]
            found = spark.table(f"{catalog}.books.gl").collect()
            assert sorted(row["account"] for row in found) == ["ours", "theirs"]
            _append(spark, lake, "other")
            assert [row["account"] for row in spark.table(f"{catalog}.books.other").collect()] == [
                "ours"
            ]
            listed = spark.sql(f"SHOW TABLES IN {catalog}.books").collect()
            assert {row["tableName"] for row in listed} == {"gl", "other"}
    finally:
        books.execute("DROP TABLE IF EXISTS public.iceberg_tables")
        books.execute("DROP TABLE IF EXISTS public.iceberg_namespace_properties")


def _append(spark: SparkSession, lake: CatalogAddress, name: str) -> None:
    from rowbook.sources.iceberg.iceberg_table import IcebergTarget
    from rowbook.sources.source import WriteRequest
    from tests.sources.all_kinds import frame
    from tests.sources.tables import dataset

    ours = frame(spark, dataset("account string"), [{"account": "ours"}])
    target = IcebergTarget(lake, f"books.{name}", f"lake:books.{name}")
    registry.write(ours, target, WriteRequest("append", None, "run", 1))
