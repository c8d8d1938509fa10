"""The end of a parquet file: its columns and number of rows, without Spark and without its data.

A footer is one structure in Thrift's compact protocol; only its first fields are read.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rowbook.errors import RowbookError

_MAGIC = b"PAR1"
_VERSION, _SCHEMA, _ROWS = 1, 2, 3
_NAME, _CHILDREN, _REPETITION, _FIELD_ID = 4, 5, 3, 9
_STOP, _TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY = 0, 1, 2, 3, 7, 8
_INTEGERS = frozenset({4, 5, 6})
_LISTS = frozenset({9, 10})
_MAP, _STRUCT = 11, 12
_DEEPEST = 64


@dataclass(frozen=True, slots=True)
class Footer:
    """`columns` are the names on top; `signature` is equal for files of the same physical schema,
    whether or not their columns may hold NULL."""

    columns: tuple[str, ...]
    rows: int
    signature: str


def read_footer(path: Path, label: str) -> Footer:
    """The footer of a file; DATASOURCE_007 where it is no parquet file."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - 8))
            length, magic = struct.unpack("<I4s", file.read(8))
            if magic != _MAGIC or length + 8 > size:
                raise ValueError("it does not end as a parquet file does")
            file.seek(size - 8 - length)
            return _footer(_Reader(file.read(length)))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, struct.error) as cause:
        message = f"{label} is not a parquet file: {cause}"
        raise RowbookError.of("DATASOURCE_007", message) from cause


def _footer(reader: _Reader) -> Footer:
    found = reader.fields(until=_ROWS)
    elements: list[dict[int, Any]] = found[_SCHEMA]
    names, at = [], 1
    for _ in range(elements[0].get(_CHILDREN, 0)):
        names.append(elements[at][_NAME].decode())
        at = _after(elements, at)
    shapes = [
        sorted((k, repr(v)) for k, v in e.items() if k not in (_REPETITION, _FIELD_ID))
        for e in elements[1:]
    ]
    return Footer(tuple(names), found[_ROWS], repr(shapes))


def _after(elements: list[dict[int, Any]], at: int) -> int:
    """The index behind an element and all below it."""
    pending = 1
    while pending:
        pending += elements[at].get(_CHILDREN, 0) - 1
        at += 1
    return at


class _Reader:
    """Values of Thrift's compact protocol, structures as fields by number."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def fields(self, until: int | None = None, depth: int = 0) -> dict[int, Any]:
        """A structure; `until` names a field after which the rest does not matter."""
        found: dict[int, Any] = {}
        number = 0
        while (head := self._byte()) != _STOP:
            kind = head & 0x0F
            number = number + (head >> 4) if head >> 4 else self._integer()
            found[number] = self._value(kind, depth)
            if number == until:
                break
        return found

    def _value(self, kind: int, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError("its footer is nested too deeply")
        if kind in (_TRUE, _FALSE):
            return kind == _TRUE
        if kind == _BYTE:
            return self._byte()
        if kind in _INTEGERS:
            return self._integer()
        if kind == _DOUBLE:
            return self._bytes(8)
        if kind == _BINARY:
            return self._bytes(self._varint())
        if kind in _LISTS:
            return self._list(depth)
        if kind == _STRUCT:
            return self.fields(depth=depth + 1)
        if kind == _MAP:
            return self._map(depth)
        raise ValueError(f"its footer holds a value of unknown kind {kind}")

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        size, kind = head >> 4, head & 0x0F
        size = self._varint() if size == 15 else size
        if size > len(self._data) - self._at:
            raise ValueError("its footer is cut off")
        if kind in (_TRUE, _FALSE):
            return [self._byte() == _TRUE for _ in range(size)]
        return [self._value(kind, depth + 1) for _ in range(size)]

    def _map(self, depth: int) -> list[tuple[Any, Any]]:
        size = self._varint()
        if size > len(self._data) - self._at:
            raise ValueError("its footer is cut off")
        kinds = self._byte() if size else 0
        return [
            (self._value(kinds >> 4, depth + 1), self._value(kinds & 0x0F, depth + 1))
            for _ in range(size)
        ]

    def _integer(self) -> int:
        raw = self._varint()
        return (raw >> 1) ^ -(raw & 1)

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def _byte(self) -> int:
        byte = self._data[self._at]
        self._at += 1
        return byte

    def _bytes(self, size: int) -> bytes:
        if size > len(self._data) - self._at:
            raise ValueError("its footer is cut off")
        self._at += size
        return self._data[self._at - size : self._at]
