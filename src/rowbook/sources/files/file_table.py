"""A table of files, as it is read and as it is written."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.sources.files.listing import DataFile, FileKind, Listing, file_state, list_files
from rowbook.sources.source import input_changed


@dataclass(frozen=True, slots=True)
class FileTable:
    """`label` is the path as the definitions have it, the same on every machine. `only` are the
    values wanted of columns in folders' names; other folders are not read. Links may lead anywhere
    inside `boundary`. `wanted` are the physical names of declared columns, where each row has
    columns of its own (json); None: all that any row has. `with_ids` asks for what tells rows
    apart, where files know it. `listing` are the files of a table that is pinned."""

    kind: FileKind
    path: Path
    options: Mapping[str, str] = field(default_factory=dict)
    period: str | None = None
    label: str = ""
    only: Mapping[str, Collection[str]] = field(default_factory=dict)
    boundary: Boundary | None = None
    wanted: Collection[str] | None = None
    with_ids: bool = True
    listing: Listing | None = None
    version: ClassVar[int | None] = None

    def files(self) -> tuple[list[DataFile], list[DataFile]]:
        """The files that are wanted, and those that are not; DATASOURCE_006 if there are none."""
        found = (self.listing or self._listed()).files
        if not found:
            raise RowbookError.of("DATASOURCE_006", f"no data at {self.label}")
        wanted = [f for f in found if self.wants(f)]
        for file in wanted:
            if ":" in file.path.name:
                message = f"{self.name_of(file)}: Spark cannot read a file with a colon in its name"
                raise RowbookError.of("DATASOURCE_007", message, hint="rename the file")
        return wanted, [f for f in found if not self.wants(f)]

    def pin(self) -> FileTable:
        pinned = replace(self, listing=self._listed())
        pinned.files()
        return pinned

    def check_pinned(self) -> None:
        """RUN_011 where a wanted file came, changed or went since the table was pinned."""
        if self.listing is None:
            return
        changes = []
        for file in filter(self.wants, self.listing.files):
            state = file_state(file.path)
            if state != (file.size, file.modified_ns):
                changes.append(f"{self.name_of(file)} {'changed' if state else 'is gone'}")
        if self.listing.has_other_entries():
            before = {file.relative for file in self.listing.files}
            came = (file for file in self._listed().files if file.relative not in before)
            changes += [f"{self.name_of(file)} is new" for file in came if self.wants(file)]
        if changes:
            raise input_changed(changes)

    def name_of(self, file: DataFile) -> str:
        return posixpath.join(self.label, file.relative) if file.relative else self.label

    def wants(self, file: DataFile) -> bool:
        return self.wants_folders(file.partitions)

    def wants_folders(self, partitions: Mapping[str, str | None]) -> bool:
        return all(
            partitions[column] in values
            for column, values in self.only.items()
            if column in partitions
        )

    def _listed(self) -> Listing:
        try:
            return list_files(self.path, self.kind, self.boundary)
        except FileNotFoundError:
            return Listing()


@dataclass(frozen=True, slots=True)
class FileTarget:
    """`single_file` is the table now if that is one file; the folder then takes its place."""

    kind: FileKind
    path: Path
    options: Mapping[str, str] = field(default_factory=dict)
    label: str = ""
    single_file: Path | None = None

    @property
    def key(self) -> str:
        return str(self.path)

    @property
    def current(self) -> Path | None:
        if self.path.exists():
            return self.path
        single = self.single_file
        return single if single is not None and single.is_file() else None

    def as_json(self) -> dict[str, Any]:
        single = str(self.single_file) if self.single_file else None
        return {
            "kind": self.kind,
            "path": str(self.path),
            "options": dict(self.options),
            "shown": self.label,
            "single_file": single,
        }
