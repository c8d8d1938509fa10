"""The objects of a table, listed as its files are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from rowbook.locations.file_options import has_ending
from rowbook.sources.files.listing import (
    MARK,
    DataFile,
    FileKind,
    FileState,
    Listing,
    is_hidden,
    is_of_kind,
    partitions_in,
)
from rowbook.sources.stores.object_path import ObjectPath
from rowbook.sources.stores.object_store import StoredObject
from rowbook.sources.stores.table_pointer import POINTER, StoredPointer, TablePointer

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def list_objects(table: ObjectPath, kind: FileKind) -> Listing:
    """FileNotFoundError where there is neither an object of the name nor one below it. What ends as
    a file is asked for as one first."""
    is_file = has_ending(table.name, kind)
    for as_file in (is_file, not is_file):
        if as_file:
            found = table.store.head(table.key) if table.key else None
            if found is not None:
                return Listing((_data_file(table, found),))
        elif objects := table.store.list(table.key):
            return _folder(table, objects, kind)
    raise FileNotFoundError(str(table))


def pointed_files(table: ObjectPath, pointer: TablePointer) -> tuple[DataFile, ...]:
    """The objects that a pointer names; each is read as it was put."""
    files = (StoredObject((table / f.name).key, f.size, _EPOCH, f.etag) for f in pointer.files)
    found = [_data_file(table, each, is_marked=True) for each in files]
    return tuple(sorted(found, key=lambda file: file.relative))


def _pointer(table: ObjectPath, objects: Sequence[StoredObject]) -> TablePointer | None:
    if not any(_relative(table, each) == POINTER for each in objects):
        return None
    try:
        return StoredPointer.at(table).pointer
    except ValueError:
        return None


def _folder(table: ObjectPath, objects: Sequence[StoredObject], kind: FileKind) -> Listing:
    if pointer := _pointer(table, objects):
        if not pointer.outputs:
            raise FileNotFoundError(str(table))
        return Listing(pointed_files(table, pointer), is_marked=True)
    is_marked = any(_relative(table, each) == MARK for each in objects)
    return Listing(plain_files(table, objects, kind, is_marked=is_marked), is_marked=is_marked)


def plain_files(
    table: ObjectPath, objects: Sequence[StoredObject], kind: FileKind, *, is_marked: bool = False
) -> tuple[DataFile, ...]:
    """Those that count as files, whatever a pointer says."""
    files = [_data_file(table, each, is_marked=is_marked) for each in objects]
    return tuple(sorted((f for f in files if _counts(f, kind)), key=lambda f: f.relative))


def _counts(file: DataFile, kind: FileKind) -> bool:
    *folders, name = file.relative.split("/")
    return not any(map(is_hidden, (*folders, name))) and is_of_kind(name, kind)


def _relative(table: ObjectPath, found: StoredObject) -> str:
    return found.key.removeprefix(table.key).lstrip("/")


def _data_file(table: ObjectPath, found: StoredObject, *, is_marked: bool = False) -> DataFile:
    relative = _relative(table, found)
    state = FileState(found.size, 0, etag=found.etag)
    folders = partitions_in(relative, is_marked=is_marked)
    return DataFile(ObjectPath.of(table.store, found), relative, state, *folders)
