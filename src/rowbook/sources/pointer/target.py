"""A table in an object store, as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from rowbook.locations.boundary import Boundary
from rowbook.locations.removal import upload_folder
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.listing import FileKind, file_kind
from rowbook.sources.stores.object_path import ObjectPath
from rowbook.sources.stores.recorded_path import path_of_record, path_record


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
        return {
            "kind": self.kind,
            "format": self.format,
            **path_record(self.path),
            "options": dict(self.options),
            "shown": self.label,
        }


def recorded_target(recorded: Mapping[str, Any], boundary: Boundary) -> PointerTarget:
    path, kind = path_of_record(recorded, boundary), file_kind(recorded["format"])
    return PointerTarget(kind, path, boundary.root, recorded["options"])
