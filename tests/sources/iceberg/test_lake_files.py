"""Texts of metadata lead to files of the lake, or are refused; what is put there replaces none."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.locations.boundary import Boundary
from rowbook.sources.iceberg.catalogs.catalog import CatalogAddress
from rowbook.sources.iceberg.lake_files import local_path, stored_object, write_new
from rowbook.sources.stores.object_path import DataPath
from tests.sources.stores.buckets import Bucket
from tests.support.refusal import refusal

ALLOWED = Boundary(Path("/work"), ("s3://lake/books",))


@pytest.mark.parametrize("text", ["/lake/gl", "file:/lake/gl", "file:///lake/gl"])
def test_paths_are_read_as_iceberg_writes_them(text: str) -> None:
    assert local_path(text) == Path("/lake/gl")


@pytest.mark.parametrize("text", ["s3a://bucket/gl", "hdfs://host/gl", "file://host/gl"])
def test_what_is_on_no_disk_of_this_machine_is_refused(text: str, tmp_path: Path) -> None:
    lake = CatalogAddress("hadoop", {"warehouse": str(tmp_path)}, None, Boundary(tmp_path))
    assert refusal(lambda: lake.place(text)).code == "DATASOURCE_008"


@pytest.mark.parametrize("text", ["s3://lake/books/gl", "s3a://lake/books/gl"])
def test_objects_are_those_of_either_name(text: str) -> None:
    """That of other engines, and that of Hadoop."""
    assert str(stored_object(text, {}, None, ALLOWED)) == "s3://lake/books/gl"


def test_what_looks_escaped_in_a_name_is_not() -> None:
    found = stored_object("s3://lake/books/gl/data/side=a%2Fb/0.parquet", {}, None, ALLOWED)
    assert found.key == "books/gl/data/side=a%2Fb/0.parquet"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("s3://lake/other/gl", "DATASOURCE_004"),
        ("s3://lake/booksellers/gl", "DATASOURCE_004"),
        ("s3://other/books/gl", "DATASOURCE_004"),
        ("s3://lake/books/../other", "DATASOURCE_008"),
        ("gs://lake/books/gl", "DATASOURCE_008"),
        ("hdfs://lake:8020/books/gl", "DATASOURCE_008"),
        ("abfss://lake@books.dfs.core.windows.net/gl", "DATASOURCE_008"),
        ("/lake/books/gl", "DATASOURCE_008"),
        ("file:///lake/books/gl", "DATASOURCE_008"),
    ],
)
def test_what_is_elsewhere_is_refused(text: str, code: str) -> None:
    assert refusal(lambda: stored_object(text, {}, None, ALLOWED)).code == code


@pytest.mark.parametrize("is_object", [False, True])
def test_a_file_that_is_there_is_not_replaced(
    is_object: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    place: DataPath = tmp_path / "v1.metadata.json"
    if is_object:
        bucket: Bucket = request.getfixturevalue("bucket")
        place = bucket.path("v1.metadata.json")
    write_new(place, b"{}")
    with pytest.raises(FileExistsError):
        write_new(place, b"[]")
    assert place.read_text(encoding="utf-8") == "{}"
