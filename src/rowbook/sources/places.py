"""From a resolved location or an output's destination to a concrete place on this machine."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.definitions.models.operations import DestinationDefinition
from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.planning.datasources import option_text
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing
from rowbook.planning.resolution.locate import ResolvedLocation
from rowbook.sources.files.listing import KINDS, DataFile, FileKind, data_files, endings
from rowbook.sources.postgres.database import Database, database_of


@dataclass(frozen=True, slots=True)
class FileTable:
    """Where a table is read from: a file or a folder. `shown` is the path as the definitions have
    it, the same on every machine. `only` names the values wanted of columns that stand in folders'
    names; other folders are not read. Links may lead anywhere inside `boundary`. `wanted` are the
    physical names of declared columns, for formats where each row has columns of its own (json);
    None: all that any row has. `with_ids` asks for what tells rows apart, where files know it."""

    kind: FileKind
    path: Path
    options: Mapping[str, str] = field(default_factory=dict)
    period: str | None = None
    label: str = ""
    only: Mapping[str, Collection[str]] = field(default_factory=dict)
    boundary: Boundary | None = None
    wanted: Collection[str] | None = None
    with_ids: bool = True

    def files(self) -> tuple[list[DataFile], list[DataFile]]:
        """The files that are wanted, and those that are not; DATASOURCE_006 if there are none."""
        try:
            found = data_files(self.path, self.kind, self.boundary)
        except FileNotFoundError:
            found = []
        if not found:
            raise RowbookError.of("DATASOURCE_006", f"no data at {self.label}")
        wanted = [f for f in found if self._wants(f)]
        return wanted, [f for f in found if not self._wants(f)]

    def name_of(self, file: DataFile) -> str:
        """A file as messages name it."""
        return posixpath.join(self.label, file.relative) if file.relative else self.label

    def _wants(self, file: DataFile) -> bool:
        return all(
            file.partitions[column] in values
            for column, values in self.only.items()
            if column in file.partitions
        )


@dataclass(frozen=True, slots=True)
class DeltaTable:
    """A Delta table to read: the folder that holds its log. `version` is the table version to read;
    None: the newest. Its log may name files anywhere inside `boundary`."""

    path: Path
    label: str
    period: str | None = None
    only: Mapping[str, Collection[str]] = field(default_factory=dict)
    version: int | None = None
    boundary: Boundary | None = None


@dataclass(frozen=True, slots=True)
class PostgresTable:
    """A table of a database to read; `table` may name its schema."""

    database: Database
    table: str
    label: str
    period: str | None = None
    only: Mapping[str, Collection[str]] = field(default_factory=dict)


SourceTable: TypeAlias = FileTable | DeltaTable | PostgresTable


@dataclass(frozen=True, slots=True)
class FileTarget:
    """Where a table is written to: a folder of files. `single_file` is where the table is now if it
    is one file, which the folder then takes the place of."""

    kind: FileKind
    path: Path
    options: Mapping[str, str] = field(default_factory=dict)
    label: str = ""
    single_file: Path | None = None

    @property
    def key(self) -> str:
        """The same for all outputs to this table."""
        return str(self.path)

    def as_json(self) -> dict[str, Any]:
        """All of it, for the record."""
        single = str(self.single_file) if self.single_file else None
        return {
            "kind": self.kind,
            "path": str(self.path),
            "options": dict(self.options),
            "shown": self.label,
            "single_file": single,
        }


@dataclass(frozen=True, slots=True)
class DeltaTarget:
    """A Delta table to write: the folder that holds its log, or will."""

    path: Path
    options: Mapping[str, str]
    label: str

    @property
    def key(self) -> str:
        """The same for all outputs to this table."""
        return str(self.path)

    def as_json(self) -> dict[str, Any]:
        """All of it, for the record."""
        return {
            "kind": "delta",
            "path": str(self.path),
            "options": dict(self.options),
            "shown": self.label,
        }


@dataclass(frozen=True, slots=True)
class PostgresTarget:
    """A table of a database to write; `table` may name its schema."""

    database: Database
    table: str
    label: str

    @property
    def key(self) -> str:
        """The same for all outputs to this table."""
        return f"{self.database.url} {self.database.schema} {self.table}"

    def as_json(self) -> dict[str, Any]:
        """All of it, for the record: of the secret only where it is."""
        return {
            "kind": "jdbc",
            "database": self.database.as_json(),
            "table": self.table,
            "shown": self.label,
        }


Target: TypeAlias = FileTarget | DeltaTarget | PostgresTarget


def without_ids(place: SourceTable) -> SourceTable:
    """The same place, for who does not ask what tells its rows apart."""
    return replace(place, with_ids=False) if isinstance(place, FileTable) else place


def place_written(target: Target) -> SourceTable:
    """The table that was written, to be read."""
    match target:
        case FileTarget():
            return FileTable(target.kind, target.path, target.options, label=target.label)
        case DeltaTarget():
            return DeltaTable(target.path, target.label)
        case PostgresTarget():
            return PostgresTable(target.database, target.table, target.label)


def target_from(recorded: Mapping[str, Any], root: Path) -> Target:
    """A target as `as_json` gave it, in the workspace at `root`."""
    label, options = recorded["shown"], recorded.get("options", {})
    if recorded["kind"] == "jdbc":
        database = Database.from_json(recorded["database"], root)
        return PostgresTarget(database, recorded["table"], label)
    path = Path(recorded["path"])
    if recorded["kind"] == "delta":
        return DeltaTarget(path, options, label)
    single = recorded["single_file"]
    return FileTarget(
        _kind(recorded["kind"]), path, options, label, Path(single) if single else None
    )


def place_of(
    located: ResolvedLocation,
    known: DefinitionLookup,
    only: Mapping[str, Collection[str]] | None = None,
    version: int | None = None,
    wanted: Collection[str] | None = None,
) -> SourceTable:
    """The place of a resolved location: `<root>/<table>` is a folder or one file with the type's
    ending, a path is below the data source's root or the workspace. DATASOURCE_006 where there is
    nothing, DATASOURCE_004 where it lies outside what the workspace allows. `version` is the table
    version to read, of places that have such; `only` and `wanted` are those of the place."""
    source = _datasource(located.datasource, known) if located.datasource else None
    specific = located.period_specific and len(located.periods) == 1
    period = located.periods[0] if specific else None
    if source is not None and source.type == "jdbc":
        database = database_of(source, known.boundary.root)
        label = f"{source.name}:{located.location}"
        return PostgresTable(database, located.location, label, period, only or {})
    root = _options(source).get("root", ".") if source else "."
    if located.format == "delta":
        path, label = _inside(located.location, root, known.boundary)
        return DeltaTable(path, label, period, only or {}, version, known.boundary)
    kind = _kind(located.format or located.strategy)
    candidates = [located.location]
    if located.strategy == "table":
        candidates += [located.location + ending for ending in endings(kind)]
    places = [_inside(candidate, root, known.boundary) for candidate in candidates]
    for path, label in places:
        if os.path.exists(path):  # noqa: PTH110 - Path.exists fails on names that are too long
            return FileTable(
                kind,
                path,
                _options(source) if source and source.type == kind else {},
                period,
                label,
                only or {},
                known.boundary,
                wanted,
            )
    tried = " nor ".join(label for _, label in places)
    raise RowbookError.of(
        "DATASOURCE_006",
        f"no data at {tried}, where rule '{located.rule}' of resolver '{located.resolver}' says"
        f" that it is for {', '.join(located.periods)}",
    )


def target_of(destination: DestinationDefinition, known: DefinitionLookup) -> Target:
    """The table that an output writes to."""
    location = destination.location
    if location is not None:
        path, label = _inside(location.path, ".", known.boundary)
        options = {name: option_text(value) for name, value in location.options.items()}
        if location.format == "delta":
            return DeltaTarget(path, options, label)
        return FileTarget(_kind(location.format), path, options, label)
    source = _datasource(destination.datasource_id or "", known)
    table = destination.table or ""
    if source.type == "jdbc":
        database = database_of(source, known.boundary.root)
        return PostgresTarget(database, table, f"{source.name}:{table}")
    options = _options(source)
    path, label = _inside(table, options.get("root", "."), known.boundary)
    if source.type == "delta":
        return DeltaTarget(path, options, label)
    kind = _kind(source.type)
    files = [path.with_name(path.name + ending) for ending in endings(kind)]
    single = next((file for file in files if file.is_file()), files[0])
    return FileTarget(kind, path, options, label, single)


def _datasource(reference: str, known: DefinitionLookup) -> DatasourceDefinition:
    found = known.datasource(reference)
    if isinstance(found, Missing):
        code = "DATASOURCE_005" if found.reason == "disabled" else "DATASOURCE_001"
        raise RowbookError.of(code, found.message, hint=found.hint)
    return found.model


def _kind(name: str) -> FileKind:
    for kind in KINDS:
        if kind == name:
            return kind
    raise RowbookError.of(
        "DATASOURCE_008",
        f"data of type {name} cannot be read or written",
        hint=f"use {', '.join(KINDS)}, delta or jdbc",
    )


def _inside(path: str, root: str, boundary: Boundary) -> tuple[Path, str]:
    """The real path, and how it is shown; DATASOURCE_004 where it leaves the boundary."""
    label = posixpath.normpath(posixpath.join(root, path))
    if not boundary.contains(path, root):
        raise RowbookError.of(
            "DATASOURCE_004", f"'{label}' is outside the workspace and its allowed locations"
        )
    if "://" in root or "://" in path:
        raise RowbookError.of("DATASOURCE_008", f"'{label}' is not a path of this machine")
    return Path(os.path.realpath(boundary.root / root / path)), label


def _options(source: DatasourceDefinition) -> dict[str, str]:
    return {name: option_text(value) for name, value in source.options.items()}
