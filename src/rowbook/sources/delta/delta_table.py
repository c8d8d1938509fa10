"""A Delta table, as it is read and as it is written. It is found without Spark; or an error says
what is there instead."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NoReturn
from urllib.parse import unquote, urlsplit

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.sources.delta.log import LOG_FOLDER, Log, Segment
from rowbook.sources.delta.output_folder import is_staged
from rowbook.sources.delta.state import LiveFile, TableHead, live_files, read_head
from rowbook.sources.files.listing import is_hidden
from rowbook.sources.stores.object_path import DataPath, ObjectPath
from rowbook.sources.stores.recorded_path import path_record


@dataclass(frozen=True, slots=True)
class DeltaTable:
    """`version` None: the newest. The table's log may name files anywhere inside `boundary`."""

    path: DataPath
    label: str
    period: str | None = None
    only: Mapping[str, Collection[str]] = field(default_factory=dict)
    version: int | None = None
    boundary: Boundary | None = None
    kind: ClassVar[str] = "delta"


@dataclass(frozen=True, slots=True)
class DeltaTarget:
    path: Path
    options: Mapping[str, str]
    label: str
    kind: ClassVar[str] = "delta"

    @property
    def key(self) -> str:
        return str(self.path)

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "path": str(self.path),
            "options": dict(self.options),
            "shown": self.label,
        }


@dataclass(frozen=True, slots=True)
class DeltaStoreTarget:
    """In an object store."""

    path: ObjectPath
    options: Mapping[str, str] = field(default_factory=dict)
    kind: ClassVar[str] = "delta_store"

    @property
    def label(self) -> str:
        return str(self.path)

    @property
    def key(self) -> str:
        return repr(self.path.place)

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            **path_record(self.path),
            "options": dict(self.options),
            "shown": self.label,
        }


@dataclass(frozen=True, slots=True)
class Described:
    """`size` in bytes, 0 where the table needs a reader that knows more than we do."""

    head: TableHead
    size: int


def describe(place: DeltaTable) -> Described:
    """DATASOURCE_006 where there is nothing, DATASOURCE_007 where it is no Delta table,
    DATASOURCE_004 where its log leads out of what the workspace allows."""
    log = Log.of(place.path)
    if log.newest is None:
        _refuse_absent(place)
    version = log.newest if place.version is None else place.version
    segment = log.segment(version)
    if segment is None and version == log.newest:
        raise _unreadable(place, "commits are missing in it")
    if segment is None:
        raise _gone(place, version, "its log was cleaned up" if version < log.newest else None)
    try:
        head = read_head(segment)
        files = live_files(segment) if not head.protocol.unknown else ()
    except (ValueError, LookupError, TypeError, OSError) as cause:
        raise _unreadable(place, str(cause)) from cause
    if not head.columns and isinstance(place.path, ObjectPath):
        _refuse_absent(place)
    _check_inside(place, files)
    if version < log.newest:
        _check_present(place, segment, files)
    return Described(head, sum(file.size for file in files))


def _refuse_absent(place: DeltaTable) -> NoReturn:
    path = place.path
    if isinstance(path, ObjectPath):
        names = [
            found.key.removeprefix(path.key).lstrip("/")
            for found in path.store.list(path.key)
            if not is_staged(path, found.key)
        ]
    else:
        there = path.iterdir() if path.is_dir() else [path] if path.exists() else ()
        names = [entry.name for entry in there]
    if any(not is_hidden(name) for name in names):
        raise RowbookError.of(
            "DATASOURCE_007",
            f"{place.label} is not a Delta table: it has no {LOG_FOLDER}",
            hint="correct the path, or the format if these are files of another one",
        )
    raise RowbookError.of("DATASOURCE_006", f"no data at {place.label}")


def _check_present(place: DeltaTable, segment: Segment, files: Iterable[LiveFile]) -> None:
    """Of an older version others may have removed files (VACUUM)."""
    table = place.path
    keys = {e.key for e in table.store.list(table.key)} if isinstance(table, ObjectPath) else set()
    for file in _paths(place, files):
        if not (file.exists() if isinstance(file, Path) else file.key in keys):
            raise _gone(place, segment.version, f"{file.name} was removed")


def _check_inside(place: DeltaTable, files: Iterable[LiveFile]) -> None:
    if isinstance(place.path, ObjectPath):
        for _ in _paths(place, files):  # each is below the table, or refused
            pass
        return
    boundary = place.boundary or Boundary(place.path)
    found = (path for path in _paths(place, files) if isinstance(path, Path))
    paths = [place.path / LOG_FOLDER, *found]
    folders = {path.parent for path in paths}
    links = (path for path in paths if path.is_symlink())
    for path in (*folders, *links):
        if not boundary.contains(os.path.realpath(path)):
            raise RowbookError.of(
                "DATASOURCE_004",
                f"the log of {place.label} names a file in {path}, outside the workspace and its"
                " allowed locations",
            )


def _paths(place: DeltaTable, files: Iterable[LiveFile]) -> Iterator[DataPath]:
    for file in files:
        yield _path(place, file.path)
        if file.deletions is not None:
            yield _path(place, file.deletions)


def _path(place: DeltaTable, uri: str) -> DataPath:
    parts = urlsplit(uri)
    if isinstance(place.path, ObjectPath):
        name = unquote(uri)
        if parts.scheme or name.startswith("/") or ".." in name.split("/"):
            message = f"the log of {place.label} names '{uri}', which is not below the table"
            raise RowbookError.of("DATASOURCE_004", message)
        return place.path / name
    if parts.scheme not in ("", "file"):
        message = f"the log of {place.label} names '{uri}', which is not on this machine"
        raise RowbookError.of("DATASOURCE_004", message)
    text = uri if not parts.scheme else parts.path
    return place.path / unquote(text)


def _gone(place: DeltaTable, version: int, why: str | None) -> RowbookError:
    said = f"is no longer there: {why}" if why else "is not there"
    return RowbookError.of("DATASOURCE_006", f"version {version} of {place.label} {said}")


def _unreadable(place: DeltaTable, why: str) -> RowbookError:
    return RowbookError.of("DATASOURCE_007", f"the log of {place.label} cannot be read: {why}")
