"""A table of files as it was read: what is still there, and what was kept of the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rowbook.errors import RowbookError, reason
from rowbook.sources.content_folder import file_digest
from rowbook.sources.contents import Content, Evidence, Presence, Recall
from rowbook.sources.files.file_pins import FilePin, FilePins, PinRoom
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.listing import (
    MARK,
    PERIOD_FOLDERS,
    DataFile,
    FileState,
    Listing,
    LocalFile,
    file_state,
    list_table,
    partitions_in,
)
from rowbook.sources.stores.object_path import DataPath


@dataclass(frozen=True, slots=True)
class _Found:
    """A content of then: the file that has it, None where no such is left. `change` says what
    became of the file that it was read from."""

    content: Content
    file: DataPath | None
    change: str | None = None


def recall_files(table: FileTable, contents: Sequence[Content], evidence: Evidence) -> Recall:
    """`table` is unpinned, and need not be there."""
    try:
        listing = list_table(table.path, table.kind, table.boundary)
    except FileNotFoundError:
        listing = Listing()
    except (RowbookError, OSError) as error:
        return Recall("missing", None, (reason(error),))
    now = {table.name_of(file): file for file in listing.files if table.wants(file)}
    found = [_find(content, now, evidence) for content in contents]
    changes = [f"{each.content.name} {each.change}" for each in found if each.change]
    names = {content.name for content in contents}
    changes += [f"{name} is new" for name in now if name not in names]
    if not changes:
        return Recall("same", table.pin(evidence.keeping))
    presence: Presence = "changed" if now else "missing"
    pins = _pins(table, found, listing, evidence) if contents else None
    recalled = None if pins is None else replace(table, pins=pins)
    return Recall(presence, recalled, tuple(changes), recalled is not None)


def _find(content: Content, now: Mapping[str, DataFile], evidence: Evidence) -> _Found:
    there = now.get(content.name)
    if there is not None and _is_same(content, there, quick=evidence.quick):
        return _Found(content, there.path)
    change = "is gone" if there is None else "changed"
    return _Found(content, evidence.contents.find(content.digest), change)


def _is_same(content: Content, file: DataFile, *, quick: bool) -> bool:
    if file.size != content.size:
        return False
    if content.etag is not None or file.state.etag is not None:
        return content.etag == file.state.etag
    is_untouched = file.state.modified_ns == content.modified_ns
    if content.digest is None or (quick and is_untouched and file.state.inode == content.inode):
        return is_untouched
    try:
        return file_digest(file.path) == content.digest
    except OSError:
        return False


def _pins(
    table: FileTable, found: Sequence[_Found], listing: Listing, evidence: Evidence
) -> FilePins | None:
    """All files below one folder, under the names of then; None where one cannot be had."""
    files = [each.file for each in found]
    room = PinRoom.of(evidence.keeping, table.label) if None not in files else None
    if room is None:
        return None
    is_marked = listing.is_marked or _is_by_period(table, found)
    if isinstance(table.path, Path):
        is_marked = is_marked or (table.path / MARK).exists()
    pins = list(_room_pins(table, found, room, is_marked=is_marked))
    if len(pins) < len(found):
        return None
    return FilePins(tuple(pins), Listing(is_marked=is_marked), room.base)


def _room_pins(
    table: FileTable, found: Sequence[_Found], room: PinRoom, *, is_marked: bool
) -> Iterator[FilePin]:
    for each in found:
        state = _state(each.file)
        if each.file is None or state is None:
            return
        relative = each.content.name.removeprefix(table.label).removeprefix("/")
        folders = partitions_in(relative, is_marked=is_marked)
        kept = room.keep(DataFile(each.file, relative, state, *folders))
        after = file_state(kept) if kept else None
        if kept is None or after is None:
            return
        yield FilePin(kept, LocalFile(kept, relative, after, *folders), after, after)


def _state(path: DataPath | None) -> FileState | None:
    if path is None or isinstance(path, Path):
        return None if path is None else file_state(path)
    return FileState(path.size, 0, etag=path.etag)


def _is_by_period(table: FileTable, found: Sequence[_Found]) -> bool:
    """Whether folders that are gone were named by Rowbook, which takes a name that no column of the
    table has."""
    folders = {name for each in found for name in partitions_in(each.content.name)[0]}
    return not folders.isdisjoint(PERIOD_FOLDERS) and folders.isdisjoint(table.wanted or ())
