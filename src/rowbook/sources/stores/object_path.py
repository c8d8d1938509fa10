"""Objects where functions take a path: they are opened as files are, and read by ranges."""

from __future__ import annotations

import io
import posixpath
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias, cast

from rowbook.sources.content_folder import copy_bytes
from rowbook.sources.source_errors import input_changed
from rowbook.sources.stores.object_store import ObjectChangedError, ObjectStore, StoredObject

WINDOW = 64 << 10
"""Bytes that are read of the beginning or the end of an object: most headers and footers."""
_MOST_WINDOWS = 1_024
_AHEAD = 8 << 20


@dataclass(frozen=True, slots=True)
class ObjectPath:
    """An object or a folder of them. One that was listed has its `etag` and `size`, and is read as
    it was then, or not at all: RUN_011."""

    store: ObjectStore
    key: str
    etag: str | None = None
    size: int = 0

    @classmethod
    def of(cls, store: ObjectStore, found: StoredObject) -> ObjectPath:
        return cls(store, found.key, found.etag, found.size)

    def __str__(self) -> str:
        return self.store.url(self.key)

    def __truediv__(self, name: str) -> ObjectPath:
        return ObjectPath(self.store, posixpath.join(self.key, name))

    @property
    def name(self) -> str:
        return posixpath.basename(self.key)

    @property
    def suffix(self) -> str:
        return posixpath.splitext(self.key)[1]

    @property
    def place(self) -> tuple[str, str, str]:
        """What tells it from every other, whoever asks for it."""
        address = self.store.address
        return address.bucket, address.url, self.key

    def is_relative_to(self, other: DataPath) -> bool:
        if not isinstance(other, ObjectPath) or self.place[:2] != other.place[:2]:
            return False
        return self.key == other.key or self.key.startswith(f"{other.key}/" if other.key else "")

    @property
    def stem(self) -> str:
        return posixpath.splitext(self.name)[0]

    @property
    def parent(self) -> ObjectPath:
        return ObjectPath(self.store, posixpath.dirname(self.key))

    def is_file(self) -> bool:
        return self.etag is not None or self.store.head(self.key) is not None

    def open(self, mode: Literal["rb"] = "rb") -> IO[bytes]:
        """One that was not listed is asked for first."""
        path = self
        if self.etag is None:
            found = self.store.head(self.key)
            if found is None:
                raise FileNotFoundError(f"no object {self}")
            path = ObjectPath.of(self.store, found)
        return cast(IO[bytes], io.BufferedReader(ObjectFile(path), WINDOW))

    def read_bytes(self) -> bytes:
        return b"".join(self.chunks())

    def read_text(self, encoding: str) -> str:
        with self.open("rb") as file:
            return file.read().decode(encoding)

    def iterdir(self) -> Iterator[ObjectPath]:
        """The objects that stand in a folder itself."""
        for found in self.store.list(self.key):
            if posixpath.dirname(found.key) == self.key:
                yield ObjectPath.of(self.store, found)

    def chunks(self) -> Iterator[bytes]:
        """All of it, by one question."""
        try:
            yield from self.store.chunks(self.key, self.etag)
        except (ObjectChangedError, FileNotFoundError) as error:
            raise self._changed(error) from error

    def read(self, start: int, end: int) -> bytes:
        try:
            return self.store.read(self.key, start, end, self.etag)
        except (ObjectChangedError, FileNotFoundError) as error:
            raise self._changed(error) from error

    def _changed(self, error: OSError) -> Exception:
        if self.etag is None:
            return error
        said = "is gone" if isinstance(error, FileNotFoundError) else "changed"
        return input_changed([f"{self} {said}"])


DataPath: TypeAlias = Path | ObjectPath
"""Of a file to read, wherever it is."""


def openable(path: DataPath) -> Any:
    """What libraries take that know files of this machine by their path, and others open."""
    return path if isinstance(path, Path) else path.open("rb")


@contextmanager
def local_copy(path: DataPath) -> Iterator[Path]:
    """For libraries that want a path of this machine; the copy goes with the context."""
    if isinstance(path, Path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="rowbook-object-") as folder:
        copy = Path(folder) / path.name
        copy_bytes(path, copy)
        yield copy


def byte_size(path: DataPath) -> int:
    return path.stat().st_size if isinstance(path, Path) else path.size


class ObjectFile(io.RawIOBase):
    """An object that was listed. Its two ends are read once in a process, the rest ahead of who
    reads on."""

    def __init__(self, path: ObjectPath) -> None:
        self._path = path
        self._at = 0
        self._start, self._bytes = 0, b""
        self._ahead = WINDOW * 4

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = (0, self._at, self._path.size)[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: Any) -> int:
        if self._at >= self._path.size:
            return 0
        if not self._start <= self._at < self._start + len(self._bytes):
            self._start, self._bytes = self._fetched()
        begin = self._at - self._start
        part = self._bytes[begin : begin + len(buffer)]
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)

    def _fetched(self) -> tuple[int, bytes]:
        size = self._path.size
        for start in (0, max(0, size - WINDOW)):
            if start <= self._at < start + WINDOW:
                return start, _window(self._path, start, min(start + WINDOW, size))
        end = min(self._at + self._ahead, size)
        self._ahead = min(self._ahead * 2, _AHEAD)
        return self._at, self._path.read(self._at, end)


@lru_cache(maxsize=_MOST_WINDOWS)
def _window(path: ObjectPath, start: int, end: int) -> bytes:
    return path.read(start, end)
