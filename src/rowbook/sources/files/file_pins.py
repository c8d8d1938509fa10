"""The files of a table as a run found them: kept readable, digested once, compared later.

A file is read through a second name for the same bytes, so that one that is replaced by renaming
another over it is still read as it was. A hard link is such a name; else a clone by the file
system, or a copy of a small file. Where none of these can be had it is read in its place. Bytes
that are changed in place are changed under every name: the state of each file is compared, and
where that is another one, what is in it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from rowbook.private_files import make_private_folder
from rowbook.sources.content_folder import copy_bytes, file_digest
from rowbook.sources.contents import Keeping
from rowbook.sources.files.listing import DataFile, FileState, Listing, LocalFile, file_state
from rowbook.sources.source_errors import input_changed
from rowbook.sources.stores.object_path import ObjectPath

COPIED = 64 << 20
"""Bytes that are copied of a table's files at the most."""
_FICLONE = 0x40049409
_TRIES = 5

Wants: TypeAlias = Callable[[DataFile], bool]


@dataclass(frozen=True, slots=True)
class FilePin:
    """A file at `path`, read as `file`. `found` is the state there once the second name was made,
    `kept` that of what is read."""

    path: Path
    file: LocalFile
    found: FileState
    kept: FileState

    @property
    def names(self) -> tuple[tuple[Path, FileState], ...]:
        here = (self.path, self.found)
        return (here,) if self.file.path == self.path else (here, (self.file.path, self.kept))


class FilePins:
    """Digests are made when they are first asked for, by any thread."""

    def __init__(self, pins: tuple[FilePin, ...], listing: Listing, base: Path) -> None:
        self.pins = pins
        self.base = base
        """The table's folder where it is read, or its file."""
        self._listing = listing
        self._digests: dict[Path, str] = {}
        self._accepted: set[tuple[Path, FileState]] = set()
        self._digesting = threading.Lock()

    @property
    def files(self) -> tuple[LocalFile, ...]:
        return tuple(pin.file for pin in self.pins)

    def digests(self, wants: Wants) -> Iterator[tuple[DataFile, str | None]]:
        """None where a file is not what was pinned any more."""
        return ((pin.file, self._digest(pin)) for pin in self.pins if wants(pin.file))

    def changes(self, wants: Wants) -> Iterator[tuple[DataFile, str]]:
        """Files that changed or went since."""
        for pin in self.pins:
            if wants(pin.file) and (said := self._change(pin)):
                yield pin.file, said

    @property
    def is_marked(self) -> bool:
        return self._listing.is_marked

    def may_have_more(self) -> bool:
        """Whether something came into a folder, or went from it."""
        return self._listing.has_other_entries()

    def _change(self, pin: FilePin) -> str | None:
        for path, state in pin.names:
            now = file_state(path)
            if now is None:
                return "is gone"
            if now == state or (path, now) in self._accepted:
                continue
            if now.size != state.size or (known := self._digest(pin)) is None:
                return "changed"
            after, found = _digest_at(path)
            if after is None or found != known:
                return "changed"
            self._accepted.add((path, after))
        return None

    def _digest(self, pin: FilePin) -> str | None:
        """Others who make or remove a second name change a file's state too, but not its time."""
        with self._digesting:
            path = pin.file.path
            for _ in range(_TRIES):
                if path in self._digests:
                    break
                before = file_state(path)
                if before is None or before.written != pin.kept.written:
                    return None
                after, found = _digest_at(path)
                if after == before:
                    self._digests[path] = found
            return self._digests.get(path)


def pin_files(
    table: Path, listing: Listing, label: str, wants: Wants, keeping: Keeping | None
) -> FilePins:
    """RUN_011 where a file of the listing is not what it was when it was listed. Second names of
    those that are wanted are made below the folder of `keeping`, where each ends as the table's
    label does; of all or of none, as one scan reads them below one folder."""
    files = [file for file in listing.files if isinstance(file, LocalFile)]
    wanted = [file for file in files if wants(file)]
    room = PinRoom.of(keeping, label) if keeping and wanted else None
    kept = dict[str, Path]()
    if room is not None:
        kept = {file.relative: path for file in wanted if (path := room.keep(file))}
    if room is None or len(kept) < len(wanted):
        kept, base = {}, table
    else:
        base = room.base
    pins = [_pin(file, kept.get(file.relative, file.path), label) for file in files]
    return FilePins(tuple(pins), listing, base)


def _pin(file: LocalFile, path: Path, label: str) -> FilePin:
    found, kept = file_state(file.path), file_state(path)
    if found is None or kept is None:
        raise input_changed([f"{file.name_below(label)} is gone"])
    if found.written != file.state.written or found[:2] != kept[:2]:
        raise input_changed([f"{file.name_below(label)} changed"])
    return FilePin(file.path, replace(file, path=path, state=found), found, kept)


@dataclass(slots=True)
class PinRoom:
    """A folder for the second names of a table's files, removed when nobody reads them any more.
    Whoever else wants to resume the run may have one beside it."""

    base: Path
    _left: int

    @classmethod
    def of(cls, keeping: Keeping, label: str) -> PinRoom | None:
        """None where there can be none."""
        folder = keeping.folder
        if folder is None:
            return None
        parts = (part for part in label.split("/") if part not in ("", ".", ".."))
        try:
            make_private_folder(folder)
            keeping.resources.callback(_remove_empty, folder)
            room = Path(tempfile.mkdtemp(dir=folder))
        except OSError:
            return None
        keeping.resources.callback(shutil.rmtree, room, ignore_errors=True)
        return cls(room.joinpath(*parts), COPIED)

    def keep(self, file: DataFile) -> Path | None:
        """Where to read it; None where it cannot be kept."""
        kept = self.base / file.relative if file.relative else self.base
        if not isinstance(file.path, Path):
            return kept if self._fetch(file.path, kept) else None
        real = os.path.realpath(file.path)
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            os.link(real, kept)
        except OSError:
            return kept if self._clone(real, kept, file.state) else None
        return kept

    def _fetch(self, found: ObjectPath, kept: Path) -> bool:
        if found.size > self._left:
            return False
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            copy_bytes(found, kept)
        except OSError:
            return False
        self._left -= found.size
        return True

    def _clone(self, real: str, kept: Path, state: FileState) -> bool:
        """With the time of the file, which tells later that it was not written to meanwhile."""
        try:
            with open(real, "rb") as source, kept.open("xb") as copy:  # noqa: PTH123
                try:
                    fcntl.ioctl(copy, _FICLONE, source.fileno())
                except OSError:
                    if state.size > self._left:
                        raise
                    shutil.copyfileobj(source, copy)
                    self._left -= state.size
            os.utime(kept, ns=(state.modified_ns, state.modified_ns))
        except OSError:
            return False
        return True


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def _digest_at(path: Path) -> tuple[FileState | None, str]:
    """The state of a file after its content was read to the end, and that."""
    try:
        found = file_digest(path)
    except OSError:
        return None, ""
    return file_state(path), found
