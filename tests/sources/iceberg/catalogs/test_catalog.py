"""Catalogs of every kind exchange what a table is in one step, for who has the claim."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from rowbook.errors import RowbookError
from rowbook.sources.iceberg.catalogs.catalog import (
    Catalog,
    CatalogAddress,
    ClaimLostError,
    OutputName,
    open_catalog,
    table_name,
)
from rowbook.sources.iceberg.catalogs.rest_catalog import RestCatalog
from rowbook.sources.iceberg.catalogs.sql_catalog import SqlCatalog
from rowbook.sources.iceberg.table_metadata import TableMetadata
from rowbook.sources.stores.object_path import DataPath
from tests.sources.iceberg.lakes import lake_in, lake_in_bucket, rest_lake
from tests.sources.iceberg.metadata_samples import metadata, snapshot
from tests.sources.stores.buckets import Bucket

NAME = ("books", "gl")
_numbers = itertools.count(1)
ONE, TWO = OutputName("one", 1), OutputName("two", 1)


@pytest.fixture(params=["hadoop", "jdbc", "bucket", "rest", "rest bucket"])
def catalog(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Catalog]:
    kind, _, place = request.param.partition(" ")
    bucket: Bucket | None = None
    if "bucket" in (kind, place):
        bucket = request.getfixturevalue("bucket")
    if kind == "rest":
        with rest_lake(tmp_path, bucket) as lake:
            yield open_catalog(lake)
    elif bucket is not None:
        yield open_catalog(lake_in_bucket(bucket, tmp_path))
    else:
        yield open_catalog(lake_in(tmp_path, kind))


def place(catalog: Catalog, text: str) -> DataPath:
    if isinstance(catalog, SqlCatalog | RestCatalog):
        return catalog.address.place(text)
    return Path(text)


def metadata_files(catalog: Catalog) -> list[str]:
    location = catalog.new_location(NAME) / "metadata"
    return sorted(str(path) for path in location.iterdir() if path.suffix == ".json")


def claim(catalog: Catalog, output: OutputName) -> DataPath:
    location = catalog.new_location(NAME)
    catalog.claim(NAME, output, location)
    return location


def content(catalog: Catalog, base: TableMetadata | None, owner: str) -> Mapping[str, Any]:
    """What a table becomes with one more snapshot."""
    if base is None or not base.is_begun:
        structure = metadata(location=str(catalog.new_location(NAME))).content
        there = structure if base is None else {**base.content, **_structure(structure)}
    else:
        there = base.content
    number = next(_numbers)
    last = {**snapshot(number), "sequence-number": there["last-sequence-number"] + 1}
    last["schema-id"] = there["current-schema-id"]
    return {
        **there,
        "properties": {"owner": owner},
        "snapshots": [*there["snapshots"], last],
        "last-sequence-number": last["sequence-number"],
        "current-snapshot-id": number,
        "refs": {
            **(there.get("refs") or {}),
            "main": {"snapshot-id": number, "type": "branch"},
        },
    }


def _structure(of: Mapping[str, Any]) -> Mapping[str, Any]:
    """Columns of a table that had none: they have the next number."""
    (schema,) = of["schemas"]
    none = {"type": "struct", "schema-id": 0, "fields": []}
    columns = {**schema, "schema-id": 1}
    return {"schemas": [none, columns], "current-schema-id": 1, "last-column-id": 3}


def current(catalog: Catalog) -> TableMetadata | None:
    file = catalog.metadata_file(NAME)
    return None if file is None else TableMetadata.parse(place(catalog, file).read_bytes(), file)


def owner(catalog: Catalog) -> str | None:
    found = current(catalog)
    return None if found is None else found.content["properties"].get("owner")


def publish(catalog: Catalog, output: OutputName, text: str) -> bool:
    base = current(catalog)
    return catalog.exchange(NAME, output, base, content(catalog, base, text))


def test_a_table_that_nobody_made_is_not_there(catalog: Catalog) -> None:
    assert catalog.metadata_file(NAME) is None
    claim(catalog, ONE)
    found = current(catalog)
    assert found is None or not found.is_begun


def test_what_a_table_is_follows_what_it_was(catalog: Catalog) -> None:
    for output in (ONE, TWO):
        claim(catalog, output)
        assert publish(catalog, output, output.run_id)
        assert owner(catalog) == output.run_id


def test_who_built_upon_what_is_no_more_is_refused(catalog: Catalog) -> None:
    claim(catalog, ONE)
    claim(catalog, TWO)
    base = current(catalog)
    assert publish(catalog, ONE, "one")
    files = metadata_files(catalog)
    assert not catalog.exchange(NAME, TWO, base, content(catalog, base, "two"))
    assert owner(catalog) == "one"
    assert metadata_files(catalog) == files
    assert publish(catalog, TWO, "two")


def test_what_was_released_is_never_published(catalog: Catalog) -> None:
    location = claim(catalog, ONE)
    assert catalog.release(NAME, ONE) == location
    assert catalog.release(NAME, ONE) == location
    with pytest.raises(ClaimLostError):
        publish(catalog, ONE, "late")
    assert owner(catalog) is None
    claim(catalog, TWO)
    assert publish(catalog, TWO, "two")
    with pytest.raises(ClaimLostError):
        publish(catalog, ONE, "late")
    assert owner(catalog) == "two"


def test_what_is_published_cannot_be_released(catalog: Catalog) -> None:
    claim(catalog, ONE)
    publish(catalog, ONE, "one")
    catalog.forget(NAME, ONE)
    released = [catalog.release(NAME, each) for each in (ONE, TWO)]
    if not isinstance(catalog, RestCatalog):  # that keeps no record of claims
        assert released == [None, None]
    assert owner(catalog) == "one"


def test_of_many_at_once_each_is_published_once(catalog: Catalog) -> None:
    """Who is refused looks again, and loses nothing that others wrote."""
    outputs = [OutputName(f"run{n}", 1) for n in range(8)]
    claim(catalog, TWO)
    publish(catalog, TWO, "")
    for output in outputs:
        claim(catalog, output)
    together, failures = Barrier(len(outputs)), list[BaseException]()

    def write(output: OutputName) -> None:
        together.wait()
        try:
            while True:
                base = current(catalog)
                assert base is not None
                text = f"{base.content['properties']['owner']} {output.run_id}"
                if catalog.exchange(NAME, output, base, content(catalog, base, text)):
                    return
        except BaseException as failure:
            failures.append(failure)

    threads = [Thread(target=write, args=(output,)) for output in outputs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted((owner(catalog) or "").split()) == [output.run_id for output in outputs]


def test_a_catalog_in_a_database_is_known_by_its_name(tmp_path: Path) -> None:
    lake = lake_in(tmp_path, "jdbc")
    named = CatalogAddress("jdbc", {**lake.options, "name": "other"}, None, lake.boundary)
    claim(open_catalog(lake), ONE)
    publish(open_catalog(lake), ONE, "one")
    assert open_catalog(named).metadata_file(NAME) is None


@pytest.mark.parametrize(
    ("text", "options", "name"),
    [
        ("gl", {}, ("gl",)),
        ("gl", {"namespace": "books.eu"}, ("books", "eu", "gl")),
        ("books.gl", {"namespace": "other"}, ("books", "gl")),
    ],
)
def test_a_name_without_a_namespace_is_in_that_of_the_data_source(
    text: str, options: dict[str, str], name: tuple[str, ...]
) -> None:
    assert table_name(text, options) == name


@pytest.mark.parametrize("text", ["", "a..b", "../gl", "a/b.gl", "books._rowbook_x", "a.b`c"])
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(RowbookError) as refused:
        table_name(text, {})
    assert refused.value.diagnostics[0].code == "DATASOURCE_002"
