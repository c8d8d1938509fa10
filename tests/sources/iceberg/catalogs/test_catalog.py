"""Catalogs of every kind exchange what a table is in one step, for who has the claim."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.sources.iceberg.catalogs.catalog import (
    Catalog,
    CatalogAddress,
    ClaimLostError,
    OutputName,
    local_path,
    open_catalog,
    table_name,
)
from rowbook.sources.iceberg.table_metadata import TableMetadata
from tests.sources.iceberg.lakes import lake_in
from tests.sources.iceberg.metadata_samples import metadata

NAME = ("books", "gl")
ONE, TWO = OutputName("one", 1), OutputName("two", 1)


@pytest.fixture(params=["hadoop", "jdbc"])
def catalog(request: pytest.FixtureRequest, tmp_path: Path) -> Catalog:
    return open_catalog(lake_in(tmp_path, request.param))


def claim(catalog: Catalog, output: OutputName) -> Path:
    location = catalog.new_location(NAME)
    catalog.claim(NAME, output, location)
    return location


def content(catalog: Catalog, owner: str) -> Mapping[str, Any]:
    location = str(catalog.new_location(NAME))
    return {**metadata(location=location, properties={"owner": owner}).content}


def current(catalog: Catalog) -> TableMetadata | None:
    file = catalog.metadata_file(NAME)
    return None if file is None else TableMetadata.parse(Path(file).read_bytes(), file)


def owner(catalog: Catalog) -> str | None:
    found = current(catalog)
    return None if found is None else found.content["properties"]["owner"]


def publish(catalog: Catalog, output: OutputName, text: str) -> bool:
    return catalog.exchange(NAME, output, current(catalog), content(catalog, text))


def test_a_table_that_nobody_made_is_not_there(catalog: Catalog) -> None:
    assert catalog.metadata_file(NAME) is None
    claim(catalog, ONE)
    assert catalog.metadata_file(NAME) is None


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
    files = sorted(catalog.new_location(NAME).rglob("*.metadata.json"))
    assert not catalog.exchange(NAME, TWO, base, content(catalog, "two"))
    assert owner(catalog) == "one"
    assert sorted(catalog.new_location(NAME).rglob("*.metadata.json")) == files
    assert publish(catalog, TWO, "two")


def test_what_was_released_is_never_published(catalog: Catalog) -> None:
    location = claim(catalog, ONE)
    assert catalog.release(NAME, ONE) == location
    assert catalog.release(NAME, ONE) == location
    with pytest.raises(ClaimLostError):
        publish(catalog, ONE, "late")
    assert catalog.metadata_file(NAME) is None
    claim(catalog, TWO)
    assert publish(catalog, TWO, "two")
    with pytest.raises(ClaimLostError):
        publish(catalog, ONE, "late")
    assert owner(catalog) == "two"


def test_what_is_published_cannot_be_released(catalog: Catalog) -> None:
    claim(catalog, ONE)
    publish(catalog, ONE, "one")
    catalog.forget(NAME, ONE)
    assert catalog.release(NAME, ONE) is None
    assert catalog.release(NAME, TWO) is None
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
                if catalog.exchange(NAME, output, base, content(catalog, text)):
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


@pytest.mark.parametrize("text", ["/lake/gl", "file:/lake/gl", "file:///lake/gl"])
def test_paths_are_read_as_iceberg_writes_them(text: str) -> None:
    assert local_path(text) == Path("/lake/gl")


@pytest.mark.parametrize("text", ["s3://bucket/gl", "hdfs://host/gl", "file://host/gl"])
def test_what_is_on_no_disk_of_this_machine_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(RowbookError) as refused:
        CatalogAddress("hadoop", {"warehouse": text}, None, Boundary(tmp_path)).warehouse  # noqa: B018
    assert refused.value.diagnostics[0].code == "DATASOURCE_008"
