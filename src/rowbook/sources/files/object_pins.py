"""The objects of a table as a run found them. Small tables are copied to this machine, where Spark
is, with one question for each object; others are read where they are, each with its etag, so that
nothing else is read than what was listed. Afterwards one list says whether anything is otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from rowbook.errors import RowbookError
from rowbook.sources.content_folder import file_digest
from rowbook.sources.contents import Keeping
from rowbook.sources.files.file_pins import COPIED, PinRoom, Wants
from rowbook.sources.files.listing import DataFile, FileKind, Listing
from rowbook.sources.files.object_listing import list_objects
from rowbook.sources.stores.object_path import DataPath, ObjectPath
from rowbook.sources.stores.spark_access import not_elsewhere

_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class ObjectPins:
    """`files` are read where their path says; their state is that of the objects."""

    table: ObjectPath
    kind: FileKind
    files: tuple[DataFile, ...]
    base: DataPath
    is_marked: bool

    def digests(self, wants: Wants) -> Iterator[tuple[DataFile, str | None]]:
        """None of a large table: its objects are told by their etags."""
        wanted = [file for file in self.files if wants(file)]
        if not _is_small(wanted):
            yield from ((file, None) for file in wanted)
            return
        with ThreadPoolExecutor(_AT_ONCE, "object digests") as threads:
            yield from zip(wanted, threads.map(lambda f: file_digest(f.path), wanted), strict=True)

    def changes(self, wants: Wants) -> Iterator[tuple[DataFile, str]]:
        """Objects that came, changed or went since."""
        try:
            listing = list_objects(self.table, self.kind)
        except FileNotFoundError:
            listing = Listing()
        now = {file.relative: file for file in listing.files}
        for file in filter(wants, self.files):
            there = now.get(file.relative)
            if there is None:
                yield file, "is gone"
            elif there.state != file.state:
                yield file, "changed"
        before = {file.relative for file in self.files}
        for file in filter(wants, listing.files):
            if file.relative not in before:
                yield file, "is new"

    def may_have_more(self) -> bool:
        """`changes` says it."""
        return False


def pin_objects(
    table: ObjectPath, kind: FileKind, listing: Listing, wants: Wants, keeping: Keeping | None
) -> ObjectPins:
    """RUN_011 where an object is not what it was when it was listed; DATASOURCE_008 where Spark
    could not read it."""
    wanted = [file for file in listing.files if wants(file)]
    if table.store.address.is_azure and kind != "excel":
        _check_reach(table, wanted, keeping)
    label = str(table).partition("://")[2]
    room = PinRoom.of(keeping, label) if keeping and wanted and _is_small(wanted) else None
    if room is None:
        return ObjectPins(table, kind, listing.files, table, listing.is_marked)
    with ThreadPoolExecutor(_AT_ONCE, "objects") as threads:
        copies = list(threads.map(room.keep, wanted))
    if None in copies:
        return ObjectPins(table, kind, listing.files, table, listing.is_marked)
    kept = {file.relative: path for file, path in zip(wanted, copies, strict=True) if path}
    files = (replace(file, path=kept.get(file.relative, file.path)) for file in listing.files)
    return ObjectPins(table, kind, tuple(files), room.base, listing.is_marked)


def _check_reach(table: ObjectPath, files: Sequence[DataFile], keeping: Keeping | None) -> None:
    """Spark has no library for the store: what it reads must be copied to where it is."""
    if keeping is not None and keeping.elsewhere:
        raise not_elsewhere(str(table))
    if not _is_small(files):
        size = sum(file.size for file in files) >> 20
        message = (
            f"{table} has {size} MiB: Spark has no library for {table.store.address.scheme}://, and"
            f" tables of up to {COPIED >> 20} MiB alone are copied to this machine"
        )
        hint = "keep larger tables on a disk, or at s3://"
        raise RowbookError.of("DATASOURCE_008", message, hint=hint)


def _is_small(files: Sequence[DataFile]) -> bool:
    return sum(file.size for file in files) <= COPIED
