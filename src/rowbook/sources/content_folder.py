"""Contents of files kept as evidence, each in a file that is named by its SHA-256.

They are copies, never hard links: a file that somebody edits in place changes under all its names.
A copy is made in a folder of its run, and gets its name when it is whole and on disk: a process
that dies leaves nothing here, and two that keep the same content do no harm to each other.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.private_files import make_private_file, make_private_folder, restrict

if TYPE_CHECKING:
    from rowbook.sources.stores.object_path import DataPath

SMALL = 16 << 20
"""Bytes: what people edit in place (rates, charts of accounts, cost centres) is not larger."""
_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class ContentFolder:
    """`workshop` is where copies are made, on the same disk. Of a file at `most` so many bytes are
    kept; None: however large."""

    path: Path
    workshop: Path
    most: int | None = SMALL

    def takes(self, size: int) -> bool:
        return self.most is None or size <= self.most

    def keep(self, file: DataPath, digest: str) -> None:
        """Nothing is kept of a file whose content is another one by now. One that is there is
        kept from now on."""
        with suppress(FileNotFoundError):
            os.utime(self._place(digest))
            return
        with self._new_file() as copy:
            copy_bytes(file, copy)
            if file_digest(copy) == digest:
                self._settle(copy, digest)

    def add(self, write: Callable[[Path], None]) -> str:
        """Keeps the file that `write` writes; gives its digest."""
        with self._new_file() as file:
            write(file)
            digest = file_digest(file)
            self._settle(file, digest)
        return digest

    def find(self, digest: str | None) -> Path | None:
        """The file that holds a content, which is looked at: not one that was changed since."""
        if digest is None or not _DIGEST.fullmatch(digest):
            return None
        place = self._place(digest)
        try:
            return place if not place.is_symlink() and file_digest(place) == digest else None
        except OSError:
            return None

    def _place(self, digest: str) -> Path:
        return self.path / digest.removeprefix("sha256:")

    @contextmanager
    def _new_file(self) -> Iterator[Path]:
        make_private_folder(self.workshop)
        file = self.workshop / f"content-{secrets.token_hex(8)}"
        make_private_file(file)
        try:
            yield file
        finally:
            file.unlink(missing_ok=True)

    def _settle(self, file: Path, digest: str) -> None:
        restrict(file)
        _sync(file)
        make_private_folder(self.path)
        file.rename(self._place(digest))
        _sync(self.path)


def file_digest(file: DataPath) -> str:
    if isinstance(file, Path):
        with file.open("rb") as opened:
            return f"sha256:{hashlib.file_digest(opened, 'sha256').hexdigest()}"
    found = hashlib.sha256()
    for chunk in file.chunks():
        found.update(chunk)
    return f"sha256:{found.hexdigest()}"


def copy_bytes(file: DataPath, to: Path) -> None:
    if isinstance(file, Path):
        shutil.copyfile(file, to)
        return
    with to.open("wb") as copy:
        for chunk in file.chunks():
            copy.write(chunk)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
