"""Where definitions say that tables are: what a kind of source makes its tables and targets of."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.definitions.models.operations import DestinationDefinition
from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.locations.object_urls import (
    ObjectUrlError,
    is_in_store,
    is_url,
    split_url,
    store_address,
)
from rowbook.planning.datasources import (
    IN_STATE,
    NOT_IN_STATE,
    NOT_WHOLE,
    ONLY_READ_THERE,
    WHOLE,
    WRITE_TO_S3,
    option_text,
)
from rowbook.planning.resolution.locate import ResolvedLocation

if TYPE_CHECKING:
    from rowbook.sources.stores.object_path import DataPath, ObjectPath


@dataclass(frozen=True, slots=True)
class TableAddress:
    """`only` are the values wanted of columns that divide a table, `version` is the table version
    to read, `wanted` are the physical names of declared columns."""

    kind: str
    location: ResolvedLocation
    datasource: DatasourceDefinition | None
    boundary: Boundary
    only: Mapping[str, Collection[str]] = field(default_factory=dict)
    version: int | None = None
    wanted: Collection[str] | None = None

    @property
    def period(self) -> str | None:
        found = self.location
        return found.periods[0] if found.period_specific and len(found.periods) == 1 else None

    @property
    def options(self) -> dict[str, str]:
        return _options(self.datasource)

    def local_path(self, path: str) -> tuple[Path, str]:
        """A path below the data source's root or the workspace, and its label."""
        return _inside(path, self.options.get("root", "."), self.boundary)

    def data_path(self, path: str) -> tuple[DataPath, str]:
        """As `local_path`, also in an object store."""
        root = self.options.get("root", ".")
        if is_in_store(path, root):
            return _object_path(path, root, self.options, self.datasource, self.boundary)
        return self.local_path(path)


@dataclass(frozen=True, slots=True)
class TargetAddress:
    kind: str
    destination: DestinationDefinition
    datasource: DatasourceDefinition | None
    boundary: Boundary

    @property
    def table(self) -> str:
        return self.destination.table or ""

    @property
    def options(self) -> dict[str, str]:
        """Those of the location, or of the output before those of the data source."""
        location = self.destination.location
        given = self.destination.options if location is None else location.options
        texts = {name: option_text(value) for name, value in given.items()}
        return texts if location is not None else {**_options(self.datasource), **texts}

    @property
    def path(self) -> str:
        location = self.destination.location
        return self.table if location is None else location.path

    def object_path(self) -> tuple[ObjectPath, str]:
        """Of a destination in an object store."""
        root = self._root
        source, boundary = self.datasource, self.boundary
        path, label = _object_path(self.path, root, self.options, source, boundary)
        if not path.store.address.is_s3:
            raise RowbookError.of(
                "DATASOURCE_008", f"'{label}' {ONLY_READ_THERE}", hint=WRITE_TO_S3
            )
        if self.boundary.is_whole(self.path, root):
            raise RowbookError.of("DATASOURCE_004", f"'{label}' {WHOLE}", hint=NOT_WHOLE)
        return path, label

    @property
    def is_in_store(self) -> bool:
        return is_in_store(self.path, self._root)

    @property
    def _root(self) -> str:
        return self.options.get("root", ".") if self.destination.location is None else "."

    def local_path(self, path: str | None = None) -> tuple[Path, str]:
        """Of the destination, or of another path beside it."""
        path = self.path if path is None else path
        root = self._root
        found, label = _inside(path, root, self.boundary)
        if self.boundary.is_whole(path, root):
            raise RowbookError.of("DATASOURCE_004", f"'{label}' {WHOLE}", hint=NOT_WHOLE)
        if self.boundary.is_state(path, root):
            raise RowbookError.of("DATASOURCE_004", f"'{label}' {IN_STATE}", hint=NOT_IN_STATE)
        return found, label


def _object_path(
    path: str,
    root: str,
    options: Mapping[str, str],
    source: DatasourceDefinition | None,
    boundary: Boundary,
) -> tuple[ObjectPath, str]:
    """The path and its label; DATASOURCE_004 where it leaves the boundary, DATASOURCE_008 for a
    store that cannot be asked."""
    from rowbook.sources.stores.hdfs_store import HdfsStore
    from rowbook.sources.stores.object_path import ObjectPath
    from rowbook.sources.stores.object_store import ObjectStore

    url = path if is_url(path) else f"{root.rstrip('/')}/{path}"
    if not boundary.contains(path, root):
        raise outside_error(url)
    try:
        _, key = split_url(url)
        address = store_address(url, options)
    except ObjectUrlError as fault:
        raise RowbookError.of("DATASOURCE_008", str(fault), hint=fault.hint) from None
    store_type = HdfsStore if address.scheme == "hdfs" else ObjectStore
    store = store_type(address, source.credential_ref if source else None, boundary)
    return ObjectPath(store, key), store.url(key)


def _options(source: DatasourceDefinition | None) -> dict[str, str]:
    given = source.options if source else {}
    return {name: option_text(value) for name, value in given.items()}


def recorded_path(path: str, boundary: Boundary) -> Path:
    """The real path of a table that a store names; the store may have been made by anybody.
    DATASOURCE_004 where it leaves the boundary, or what is beside it would."""
    real, label = _inside(path, ".", boundary)
    if boundary.is_whole(path):
        raise outside_error(label)
    return real


def outside_error(label: str) -> RowbookError:
    message = f"'{label}' is outside the workspace and its allowed locations"
    return RowbookError.of("DATASOURCE_004", message)


def _inside(path: str, root: str, boundary: Boundary) -> tuple[Path, str]:
    """The real path and its label; DATASOURCE_004 where it leaves the boundary."""
    label = posixpath.normpath(posixpath.join(root, path))
    if not boundary.contains(path, root):
        raise outside_error(label)
    if is_in_store(path, root):
        raise RowbookError.of("DATASOURCE_008", f"'{label}' is not a path of this machine")
    return Path(os.path.realpath(boundary.root / root / path)), label
