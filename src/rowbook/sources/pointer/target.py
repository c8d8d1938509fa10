"""A table in an object store, as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from rowbook.locations.boundary import Boundary
from rowbook.locations.object_urls import split_url, store_address
from rowbook.locations.removal import upload_folder
from rowbook.sources.addresses import outside_error
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.listing import FileKind, file_kind
from rowbook.sources.stores.object_path import ObjectPath
from rowbook.sources.stores.object_store import ObjectStore


@dataclass(frozen=True, slots=True)
class PointerTarget:
    """Files of a `format` below `path`; what is uploaded is made in the workspace at `root`."""

    format: FileKind
    path: ObjectPath
    root: Path
    options: Mapping[str, str] = field(default_factory=dict)
    kind: ClassVar[str] = "pointer"

    @property
    def label(self) -> str:
        return str(self.path)

    @property
    def key(self) -> str:
        return repr(self.path.place)

    def local(self, run_id: str, seq: int) -> FileTarget:
        """Where the files of an output are made."""
        folder = upload_folder(self.root, run_id) / f"output-{seq}"
        return FileTarget(self.format, folder, self.options, self.label)

    def as_json(self) -> dict[str, Any]:
        store = self.path.store
        return {
            "kind": self.kind,
            "format": self.format,
            "url": str(self.path),
            "endpoint": store.address.endpoint,
            "region": store.address.region,
            "path_style": store.address.path_style,
            "credential": store.credential,
            "options": dict(self.options),
            "shown": self.label,
        }


def recorded_target(recorded: Mapping[str, Any], boundary: Boundary) -> PointerTarget:
    """DATASOURCE_004 where it lies outside what the workspace allows; its keys go nowhere that the
    workspace does not let them go."""
    url = str(recorded["url"])
    if not boundary.contains(url) or boundary.is_whole(url):
        raise outside_error(url)
    bucket, key = split_url(url)
    options = {
        "endpoint": recorded["endpoint"] or "",
        "region": recorded["region"],
        "path_style": str(recorded["path_style"]).lower(),
    }
    store = ObjectStore(store_address(bucket, options), recorded["credential"], boundary)
    path, kind = ObjectPath(store, key), file_kind(recorded["format"])
    return PointerTarget(kind, path, boundary.root, recorded["options"])
