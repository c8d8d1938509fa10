"""What is in the folder of an Iceberg table, and what Iceberg itself makes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from rowbook.locations.boundary import Boundary
from rowbook.sources.iceberg.catalogs.catalog import FOLDER, CatalogAddress
from rowbook.sources.iceberg.iceberg_table import IcebergTarget
from rowbook.sources.iceberg.settlement import table_location
from rowbook.sources.stores.object_path import ObjectPath
from tests.sources.stores.buckets import REFERENCE, Bucket
from tests.support.iceberg_rest_server import running_catalog, write_file

_NAMED = re.compile(r".*\.(?:avro|parquet)")


def lake_in(folder: Path, catalog: str) -> CatalogAddress:
    """Of tables in a folder, which need not be there."""
    options = {"warehouse": str(folder)}
    if catalog == "jdbc":
        options["url"] = f"jdbc:sqlite:{folder}/catalog.db"
    return CatalogAddress(catalog, options, None, Boundary(folder))


def lake_in_bucket(bucket: Bucket, folder: Path) -> CatalogAddress:
    """Of tables in a bucket; the catalog is in a folder."""
    options = {
        "warehouse": f"{bucket.url}/lake",
        "url": f"jdbc:sqlite:{folder}/catalog.db",
        "endpoint": bucket.server.endpoint,
        "path_style": "true",
        "warehouse_keys": REFERENCE,
    }
    return CatalogAddress("jdbc", options, None, bucket.boundary)


@contextmanager
def rest_lake(folder: Path, bucket: Bucket | None = None) -> Iterator[CatalogAddress]:
    """The same with a server for a catalog, of tables in a folder, or in a bucket."""
    lake = lake_in(folder, "rest")
    if bucket is not None:
        lake = replace(lake_in_bucket(bucket, folder), catalog="rest")
    write = write_file if bucket is None else bucket.put_url
    with running_catalog(lake.options["warehouse"], write) as server:
        yield replace(lake, options={**lake.options, "uri": server.uri})


def staged_leftovers(target: IcebergTarget) -> list[str]:
    """Files of outputs that no snapshot of the table names the lists of, and all that only staging
    needs. What Hadoop takes for a folder of a bucket is none."""
    metadata = target.metadata()
    location, place = table_location(target, metadata), target.catalog.place
    lists = () if metadata is None else (s.content["manifest-list"] for s in metadata.snapshots)
    published = tuple(f"{place(each).parent.parent}/" for each in lists if f"/{FOLDER}" in each)
    if isinstance(location, ObjectPath):
        objects = location.store.list(location.key)
        files = [location.store.url(each.key) for each in objects if each.size]
    else:
        files = [str(path) for path in location.rglob("*") if path.is_file()]
    names = (path.removeprefix(f"{location}/") for path in files)
    return [
        name
        for name in names
        if name.startswith(FOLDER)
        and not (f"{location}/{name}".startswith(published) and _NAMED.fullmatch(name))
    ]
