"""The files that a snapshot of an Iceberg table is made of, by the lists in which it names them.

A table may be brought by anybody, and its lists name whatever they like: none is opened, and
nothing read that they name, unless it is inside of what the workspace allows.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rowbook.errors import RowbookError, reason
from rowbook.sources.iceberg.avro import read_records
from rowbook.sources.iceberg.catalogs.catalog import CatalogAddress
from rowbook.sources.iceberg.lake_files import local_path
from rowbook.sources.iceberg.table_metadata import TableSnapshot
from rowbook.sources.stores.object_path import DataPath

_DELETED = 2


def check_files(snapshot: TableSnapshot, lake: CatalogAddress, label: str) -> None:
    """DATASOURCE_004 where anything that is read of a snapshot is outside, DATASOURCE_007 where a
    list cannot be read."""
    files = _Files(lake, label)
    for manifest in files.manifests(snapshot):
        for entry in files.records(manifest):
            if entry["status"] != _DELETED:
                files.inside(entry["data_file"]["file_path"])


@dataclass(frozen=True, slots=True)
class _Files:
    lake: CatalogAddress
    label: str
    folders: set[Path] = field(default_factory=set)
    """Those that were found to be inside."""

    def manifests(self, snapshot: TableSnapshot) -> Iterator[str]:
        if "manifest-list" not in snapshot.content:
            yield from snapshot.content.get("manifests") or ()
            return
        for each in self.records(snapshot.content["manifest-list"]):
            yield each["manifest_path"]

    def records(self, file: str) -> list[dict[str, Any]]:
        path = self.inside(file)
        try:
            return list(read_records(path.read_bytes()))
        except (OSError, ValueError, LookupError) as cause:
            raise unreadable(self.label, f"{path.name}: {reason(cause)}") from cause

    def inside(self, file: str) -> DataPath:
        if self.lake.is_in_store:
            return self.lake.place(file)
        path = local_path(file)
        place = path if path.is_symlink() else path.parent
        if place not in self.folders:
            if not self.lake.boundary.contains(os.path.realpath(place)):
                raise RowbookError.of(
                    "DATASOURCE_004",
                    f"the metadata of {self.label} names a file in {path.parent}, outside the"
                    " workspace and its allowed locations",
                )
            self.folders.add(place)
        return path


def unreadable(label: str, why: str) -> RowbookError:
    return RowbookError.of("DATASOURCE_007", f"the metadata of {label} cannot be read: {why}")
