"""Files of a lake, on a disk or in an object store: where the texts of metadata lead, and how a new
file comes there."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.locations.object_urls import ObjectUrlError, split_url, store_address
from rowbook.sources.addresses import outside_error
from rowbook.sources.stores.object_path import DataPath, ObjectPath
from rowbook.sources.stores.object_store import ObjectStore

_LOCAL = re.compile(r"file:(?:///|/)(?=[^/])")
_HADOOP = re.compile(r"s3a://", re.IGNORECASE)
"""What Hadoop calls the same objects."""


def local_folder(text: str, boundary: Boundary) -> Path:
    """DATASOURCE_008 where it is not on this machine, DATASOURCE_004 where it is outside."""
    path = local_path(text)
    if not boundary.contains(str(path)):
        raise outside_error(text)
    return Path(os.path.realpath(boundary.root / path))


def local_path(text: str) -> Path:
    """A path as Iceberg writes it: nothing in it is escaped."""
    path = _LOCAL.sub("/", text, count=1)
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", path):
        raise RowbookError.of("DATASOURCE_008", f"'{text}' is not a path of this machine")
    return Path(path)


def stored_object(
    text: str, options: Mapping[str, str], credential: str | None, boundary: Boundary
) -> ObjectPath:
    """DATASOURCE_008 where it is in no object store, DATASOURCE_004 where it is outside. What looks
    escaped in it is not, and leads nowhere else."""
    url = _HADOOP.sub("s3://", text, count=1)
    message = f"'{text}' is not in the object store of the warehouse"
    try:
        _, key = split_url(url)
        address = store_address(url, options)
    except ObjectUrlError as fault:
        raise RowbookError.of("DATASOURCE_008", message, hint=fault.hint) from None
    if not address.is_s3:
        raise RowbookError.of("DATASOURCE_008", message)
    store = ObjectStore(address, credential, boundary)
    if not boundary.contains(store.url(key).replace("%", "_")):
        raise outside_error(text)
    return ObjectPath(store, key)


def write_new(path: DataPath, data: bytes) -> None:
    """FileExistsError where there is one. It is whole and kept once this returns."""
    if isinstance(path, ObjectPath):
        if path.store.put_if_absent(path.key, data) is None:
            raise FileExistsError(f"there is an object {path}")
        return
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(path.parent)


def ensure_folder(path: DataPath) -> None:
    """An object store has none."""
    if isinstance(path, Path):
        path.mkdir(parents=True, exist_ok=True)


def remove_file(path: DataPath) -> None:
    if isinstance(path, ObjectPath):
        path.store.delete(path.key)
    else:
        path.unlink()


def sync_folder(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
