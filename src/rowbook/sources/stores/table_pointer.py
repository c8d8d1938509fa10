"""What says which objects are a table: `current.json` in its folder.

Objects of an output are put into a folder of its own and never change. The pointer is replaced by
one write that happens only where nobody else's did since it was read. So readers see all of an
output or nothing of it, and of two writers none is lost.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from rowbook.sources.stores.object_path import ObjectPath
from rowbook.sources.stores.object_store import ObjectChangedError

POINTER = "current.json"
_MARK = "rowbook pointer"
_VERSION = 1
_TRIES = 5


@dataclass(frozen=True, slots=True)
class PointedFile:
    """`name` is the path below the table."""

    name: str
    size: int
    etag: str


@dataclass(frozen=True, slots=True)
class PublishedOutput:
    """`state` is an object that holds the pointer as it was made for the output."""

    run: str
    seq: int
    state: str


@dataclass(frozen=True, slots=True)
class TablePointer:
    """`outputs` are those that made the table what it is, the newest last. `closed` are those that
    were given up, once for each time: what was staged before never becomes part of it."""

    files: tuple[PointedFile, ...] = ()
    outputs: tuple[PublishedOutput, ...] = ()
    closed: tuple[tuple[str, int], ...] = ()

    def output(self, run_id: str, seq: int) -> PublishedOutput | None:
        return next((o for o in self.outputs if (o.run, o.seq) == (run_id, seq)), None)

    def closings(self, run_id: str, seq: int) -> int:
        return self.closed.count((run_id, seq))

    def with_output(self, files: Iterable[PointedFile], output: PublishedOutput) -> TablePointer:
        return replace(self, files=tuple(files), outputs=(*self.outputs, output))

    def with_closed(self, run_id: str, seq: int) -> TablePointer:
        return replace(self, closed=(*self.closed, (run_id, seq)))

    def as_bytes(self) -> bytes:
        return json.dumps({"format": _MARK, "version": _VERSION, **asdict(self)}).encode()


@dataclass(frozen=True, slots=True)
class StoredPointer:
    """A pointer as it was read; without an `etag` there was none."""

    table: ObjectPath
    pointer: TablePointer
    etag: str | None = None

    @classmethod
    def at(cls, table: ObjectPath) -> StoredPointer:
        """ValueError where there is another object of the name."""
        for _ in range(_TRIES):
            found = table.store.head((table / POINTER).key)
            if found is None:
                return cls(table, TablePointer())
            try:
                text = table.store.read(found.key, 0, found.size, found.etag)
            except (ObjectChangedError, FileNotFoundError):
                continue
            pointer = parsed_pointer(text)
            if pointer is None:
                raise ValueError(f"{table / POINTER} is no pointer of Rowbook")
            return cls(table, pointer, found.etag)
        raise OSError(f"{table / POINTER} is replaced again and again")

    def replace_by(self, pointer: TablePointer) -> bool:
        """Whether nobody else did since it was read."""
        key, text = (self.table / POINTER).key, pointer.as_bytes()
        if self.etag is None:
            return self.table.store.put_if_absent(key, text) is not None
        return self.table.store.put_if_unchanged(key, text, self.etag) is not None


def parsed_pointer(text: bytes) -> TablePointer | None:
    """None for what is no pointer of ours."""
    try:
        found: dict[str, Any] = json.loads(text)
        if found["format"] != _MARK or found["version"] != _VERSION:
            return None
        return TablePointer(
            tuple(PointedFile(**each) for each in found["files"]),
            tuple(PublishedOutput(**each) for each in found["outputs"]),
            tuple((run, seq) for run, seq in found["closed"]),
        )
    except (ValueError, LookupError, TypeError):
        return None
