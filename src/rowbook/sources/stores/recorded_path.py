"""Where in an object store a table is, as records of runs hold it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rowbook.locations.boundary import Boundary
from rowbook.locations.object_urls import split_url, store_address
from rowbook.sources.addresses import outside_error
from rowbook.sources.stores.object_path import ObjectPath
from rowbook.sources.stores.object_store import ObjectStore


def path_record(path: ObjectPath) -> dict[str, Any]:
    store = path.store
    return {
        "url": str(path),
        "endpoint": store.address.endpoint,
        "region": store.address.region,
        "path_style": store.address.path_style,
        "credential": store.credential,
    }


def path_of_record(recorded: Mapping[str, Any], boundary: Boundary) -> ObjectPath:
    """DATASOURCE_004 where it lies outside what the workspace allows; its keys go nowhere that the
    workspace does not let them go."""
    url = str(recorded["url"])
    if not boundary.contains(url) or boundary.is_whole(url):
        raise outside_error(url)
    _, key = split_url(url)
    options = {
        "endpoint": recorded["endpoint"] or "",
        "region": recorded["region"],
        "path_style": str(recorded["path_style"]).lower(),
    }
    store = ObjectStore(store_address(url, options), recorded["credential"], boundary)
    return ObjectPath(store, key)
