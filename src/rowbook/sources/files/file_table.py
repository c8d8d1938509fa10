"""A table of files, as it is read and as it is written."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.locations.file_options import file_name_fault, sheet_fault
from rowbook.planning.columns import PERIOD
from rowbook.planning.resolution.destinations import FIRST_SHEET
from rowbook.sources.contents import Keeping
from rowbook.sources.files.file_pins import FilePins, pin_files
from rowbook.sources.files.listing import (
    DataFile,
    FileKind,
    Listing,
    list_table,
    partitions_in,
)
from rowbook.sources.files.object_pins import ObjectPins, pin_objects
from rowbook.sources.source_errors import input_changed
from rowbook.sources.stores.object_path import DataPath, ObjectPath


@dataclass(frozen=True, slots=True)
class FileTable:
    """`label` is the path as the definitions have it, the same on every machine. `only` are the
    values wanted of columns in folders' names; other folders are not read. Links may lead anywhere
    inside `boundary`. `wanted` are the physical names of declared columns, where each row has
    columns of its own (json); None: all that any row has. `with_ids` asks for what tells rows
    apart, where files know it. `pins` are the files of a table that is pinned. Of the wanted files,
    `most_files` are read; None: all. `found` are the objects of a table in a store, which was
    asked once."""

    kind: FileKind
    path: DataPath
    options: Mapping[str, str] = field(default_factory=dict)
    period: str | None = None
    label: str = ""
    only: Mapping[str, Collection[str]] = field(default_factory=dict)
    boundary: Boundary | None = None
    wanted: Collection[str] | None = None
    with_ids: bool = True
    pins: FilePins | ObjectPins | None = None
    most_files: int | None = None
    found: Listing | None = None
    version: ClassVar[int | None] = None

    def files(self) -> tuple[list[DataFile], list[DataFile]]:
        """The files that are wanted, and those that are not; DATASOURCE_006 if there are none."""
        found = self.pins.files if self.pins else self._listed().files
        if not found:
            raise RowbookError.of("DATASOURCE_006", f"no data at {self.label}")
        wanted = [f for f in found if self.wants(f)][: self.most_files]
        for file in wanted:
            if ":" in file.path.name:
                message = f"{self.name_of(file)}: Spark cannot read a file with a colon in its name"
                raise RowbookError.of("DATASOURCE_007", message, hint="rename the file")
        return wanted, [f for f in found if not self.wants(f)]

    def pin(self, keeping: Keeping | None = None) -> FileTable:
        """Files are kept as they are, where somebody says how."""
        pins: FilePins | ObjectPins
        if isinstance(self.path, ObjectPath):
            pins = pin_objects(self.path, self.kind, self._listed(), self.wants, keeping)
        else:
            pins = pin_files(self.path, self._listed(), self.label, self.wants, keeping)
        pinned = replace(self, pins=pins)
        pinned.files()
        return pinned

    @property
    def base(self) -> DataPath:
        """The folder that the files are read in, or the file."""
        return self.pins.base if self.pins else self.path

    @property
    def is_in_azure(self) -> bool:
        return isinstance(self.path, ObjectPath) and self.path.store.address.is_azure

    @property
    def is_in_store(self) -> bool:
        """Whether any of its files is read from an object store."""
        if not isinstance(self.path, ObjectPath):
            return False
        return any(isinstance(file.path, ObjectPath) for file in self.files()[0])

    def check_before_reading(self) -> None:
        """As `check_pinned`, of files. Objects are read with their etags, and listed once after
        that."""
        if not isinstance(self.path, ObjectPath):
            self.check_pinned()

    def check_pinned(self) -> None:
        """RUN_011 where a wanted file came, changed or went since the table was pinned."""
        if self.pins is None:
            return
        changes = [f"{self.name_of(file)} {said}" for file, said in self.pins.changes(self.wants)]
        if self.pins.may_have_more():
            before = {file.relative for file in self.pins.files}
            came = (file for file in self._listed().files if file.relative not in before)
            changes += [f"{self.name_of(file)} is new" for file in came if self.wants(file)]
        if changes:
            raise input_changed(changes)

    def name_of(self, file: DataFile) -> str:
        return file.name_below(self.label)

    def wants(self, file: DataFile) -> bool:
        return self._wants(file.partitions, file.period)

    def wants_name(self, name: str) -> bool:
        """As `wants`, of a file that is known by its name alone."""
        is_marked = self.pins is not None and self.pins.is_marked
        return self._wants(*partitions_in(name, is_marked=is_marked))

    def _wants(self, partitions: Mapping[str, str | None], period: str | None) -> bool:
        folders = partitions if period is None else {**partitions, PERIOD.name: period}
        return all(
            folders[column] in values for column, values in self.only.items() if column in folders
        )

    def _listed(self) -> Listing:
        if self.found is not None:
            return self.found
        try:
            return list_table(self.path, self.kind, self.boundary)
        except FileNotFoundError:
            return Listing()


ARROW_CODECS = {
    "snappy": ".snappy.parquet",
    "gzip": ".gz.parquet",
    "zstd": ".zstd.parquet",
    "none": ".parquet",
}
"""What Arrow packs as Spark does, and what names of files then end with."""


def arrow_codec(kind: FileKind, options: Mapping[str, str]) -> str | None:
    """How files are packed that are written without Spark; None where they are not."""
    codec = options.get("compression", "snappy")
    return codec if kind == "parquet" and codec in ARROW_CODECS else None


@dataclass(frozen=True, slots=True)
class FileTarget:
    """`single_file` is the table now if that is one file; the folder then takes its place. With a
    `file_name`, the output is that file in the folder, or a `sheet` of it, and other files there
    stay."""

    kind: FileKind
    path: Path
    options: Mapping[str, str] = field(default_factory=dict)
    label: str = ""
    single_file: Path | None = None
    file_name: str | None = None
    sheet: str | None = None

    @classmethod
    def at(
        cls, kind: FileKind, path: Path, options: Mapping[str, str], label: str, name: str | None
    ) -> FileTarget:
        """OUTPUT_008, OUTPUT_009 for a file or a sheet whose name cannot be, once it is filled
        in."""
        if name is None:
            return cls(kind, path, options, label)
        if fault := file_name_fault(kind, name, {**options, "single_file": "true"}):
            raise RowbookError.of("OUTPUT_008", fault)
        sheet = options.get("sheet", FIRST_SHEET) if kind == "excel" else None
        if sheet is not None and (fault := sheet_fault(sheet)):
            raise RowbookError.of("OUTPUT_009", fault)
        said = f"!{sheet}" if "sheet" in options else ""
        return cls(kind, path, options, f"{label}/{name}{said}", file_name=name, sheet=sheet)

    @property
    def file(self) -> Path | None:
        return None if self.file_name is None else self.path / self.file_name

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
            "file_name": self.file_name,
            "sheet": self.sheet,
        }
