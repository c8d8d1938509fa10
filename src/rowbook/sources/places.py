"""From a resolved location or an output's destination to a concrete place on this machine."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rowbook.definitions.datasource import DatasourceDefinition
from rowbook.definitions.operations import DestinationDefinition
from rowbook.definitions.yaml_nodes import Scalar
from rowbook.errors import RowbookError
from rowbook.planning.known import Known, Missing
from rowbook.planning.locations import Boundary
from rowbook.planning.resolving import Located
from rowbook.sources.files import KINDS, DataFile, FileKind, data_files, ending


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where a table is read from: a file or a folder. `shown` is the path as the definitions have
    it, the same on every machine. `only` names the values wanted of columns that stand in folders'
    names; other folders are not read. Links may lead anywhere inside `boundary`."""

    kind: FileKind
    path: Path
    options: Mapping[str, str] = field(default_factory=dict)
    period: str | None = None
    shown: str = ""
    only: Mapping[str, Collection[str]] = field(default_factory=dict)
    boundary: Boundary | None = None

    def files(self) -> tuple[list[DataFile], list[DataFile]]:
        """The files that are wanted, and those that are not; DATASOURCE_006 if there are none."""
        try:
            found = data_files(self.path, self.kind, self.boundary)
        except FileNotFoundError:
            found = []
        if not found:
            raise RowbookError.of("DATASOURCE_006", f"no data at {self.shown}")
        wanted = [f for f in found if self._wants(f)]
        return wanted, [f for f in found if not self._wants(f)]

    def name_of(self, file: DataFile) -> str:
        """A file as messages name it."""
        return posixpath.join(self.shown, file.relative) if file.relative else self.shown

    def _wants(self, file: DataFile) -> bool:
        return all(
            file.partitions[column] in values
            for column, values in self.only.items()
            if column in file.partitions
        )


@dataclass(frozen=True, slots=True)
class FileTarget:
    """Where a table is written to: a folder of files. `single_file` is where the table is now if it
    is one file, which the folder then takes the place of."""

    kind: FileKind
    path: Path
    options: Mapping[str, str] = field(default_factory=dict)
    shown: str = ""
    single_file: Path | None = None


def place_of(
    located: Located, known: Known, only: Mapping[str, Collection[str]] | None = None
) -> SourcePlace:
    """The place of a resolved location: `<root>/<table>` is a folder or one file with the type's
    ending, a path is below the data source's root or the workspace. DATASOURCE_006 where there is
    nothing, DATASOURCE_004 where it lies outside what the workspace allows."""
    source = _datasource(located.datasource, known) if located.datasource else None
    kind = _kind(located.format or located.strategy)
    root = _options(source).get("root", ".") if source else "."
    candidates = [located.location]
    if located.strategy == "table":
        candidates.append(located.location + ending(kind))
    places = [_inside(candidate, root, known.boundary) for candidate in candidates]
    for path, shown in places:
        if os.path.exists(path):  # noqa: PTH110 - Path.exists fails on names that are too long
            specific = located.period_specific and len(located.periods) == 1
            return SourcePlace(
                kind,
                path,
                _options(source) if source and source.type == kind else {},
                located.periods[0] if specific else None,
                shown,
                only or {},
                known.boundary,
            )
    tried = " nor ".join(shown for _, shown in places)
    raise RowbookError.of(
        "DATASOURCE_006",
        f"no data at {tried}, where rule '{located.rule}' of resolver '{located.resolver}' says"
        f" that it is for {', '.join(located.periods)}",
    )


def target_of(destination: DestinationDefinition, known: Known) -> FileTarget:
    """The folder that an output writes to."""
    location = destination.location
    if location is not None:
        path, shown = _inside(location.path, ".", known.boundary)
        options = {name: _text(value) for name, value in location.options.items()}
        return FileTarget(_kind(location.format), path, options, shown)
    source = _datasource(destination.datasource_id or "", known)
    options = _options(source)
    kind, table = _kind(source.type), destination.table or ""
    path, shown = _inside(table, options.get("root", "."), known.boundary)
    single = path.with_name(path.name + ending(kind))
    return FileTarget(kind, path, options, shown, single)


def _datasource(reference: str, known: Known) -> DatasourceDefinition:
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
        f"data of type {name} cannot be read or written yet",
        hint=f"use {' or '.join(KINDS)}",
    )


def _inside(path: str, root: str, boundary: Boundary) -> tuple[Path, str]:
    """The real path, and how it is shown; DATASOURCE_004 where it leaves the boundary."""
    shown = posixpath.normpath(posixpath.join(root, path))
    if not boundary.contains(path, root):
        raise RowbookError.of(
            "DATASOURCE_004", f"'{shown}' is outside the workspace and its allowed locations"
        )
    if "://" in root or "://" in path:
        raise RowbookError.of("DATASOURCE_008", f"'{shown}' is not a path of this machine")
    return Path(os.path.realpath(boundary.root / root / path)), shown


def _options(source: DatasourceDefinition) -> dict[str, str]:
    return {name: _text(value) for name, value in source.options.items()}


def _text(value: object) -> str:
    return value.text if isinstance(value, Scalar) else "" if value is None else str(value)
