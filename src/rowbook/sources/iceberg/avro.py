"""Avro files, read without a library: the lists of files that an Iceberg table is made of."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

_MAGIC = b"Obj\x01"
_SYNC = 16
_LARGEST_BLOCK = 1 << 28
"""Bytes that a block may grow to when it is unpacked."""


@dataclass(slots=True)
class _Cursor:
    data: bytes
    at: int = 0

    def take(self, count: int) -> bytes:
        behind = self.at + count
        if count < 0 or behind > len(self.data):
            raise ValueError("it ends too early")
        taken, self.at = self.data[self.at : behind], behind
        return taken

    def long(self) -> int:
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return (value >> 1) ^ -(value & 1)
            shift += 7
            if shift > 63:
                raise ValueError("it holds a number that is too long")

    def bytes(self) -> bytes:
        return self.take(self.long())

    def counts(self) -> Iterator[int]:
        """How many items each block of an array or a map has."""
        while count := self.long():
            if count < 0:
                self.long()
            yield abs(count)


_Decode: TypeAlias = Callable[[_Cursor], Any]

_PRIMITIVES: Mapping[str, _Decode] = {
    "null": lambda _: None,
    "boolean": lambda cursor: cursor.take(1) != b"\0",
    "int": _Cursor.long,
    "long": _Cursor.long,
    "float": lambda cursor: struct.unpack("<f", cursor.take(4))[0],
    "double": lambda cursor: struct.unpack("<d", cursor.take(8))[0],
    "bytes": _Cursor.bytes,
    "string": lambda cursor: cursor.bytes().decode(),
}


def read_records(data: bytes) -> Iterator[dict[str, Any]]:
    """The records of a file, one by one; ValueError where it is none, or is cut off."""
    cursor = _Cursor(data)
    if cursor.take(len(_MAGIC)) != _MAGIC:
        raise ValueError("it is no Avro file")
    header = _map(_PRIMITIVES["bytes"])(cursor)
    sync = cursor.take(_SYNC)
    try:
        decode = _Schema().decoder(json.loads(header["avro.schema"]))
    except (LookupError, TypeError) as cause:
        raise ValueError("its schema cannot be read") from cause
    codec = header.get("avro.codec", b"null").decode()
    while cursor.at < len(data):
        count, block = cursor.long(), _Cursor(_unpacked(cursor.bytes(), codec))
        if cursor.take(_SYNC) != sync:
            raise ValueError("a block of it is damaged")
        for _ in range(count):
            yield decode(block)


def _unpacked(block: bytes, codec: str) -> bytes:
    if codec == "null":
        return block
    if codec != "deflate":
        raise ValueError(f"it is packed with {codec}, which is not known here")
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        found = unpacking.decompress(block, _LARGEST_BLOCK)
    except zlib.error as cause:
        raise ValueError("a block of it is damaged") from cause
    if not unpacking.eof:
        raise ValueError("a block of it is damaged, or too large")
    return found


@dataclass(slots=True)
class _Schema:
    """Types that have a name may be used again by it."""

    named: dict[str, _Decode] = field(default_factory=dict)

    def decoder(self, schema: Any) -> _Decode:
        match schema:
            case str():
                return self._by_name(schema)
            case list():
                return _union([self.decoder(each) for each in schema])
            case {"type": "record", "name": name, "fields": fields}:
                self.named[name] = lambda cursor: decode(cursor)
                decode = _record([(each["name"], self.decoder(each["type"])) for each in fields])
                return decode
            case {"type": "array", "items": items}:
                return _array(self.decoder(items))
            case {"type": "map", "values": values}:
                return _map(self.decoder(values))
            case {"type": "fixed", "name": name, "size": int(size)}:
                self.named[name] = lambda cursor: cursor.take(size)
                return self.named[name]
            case {"type": "enum", "name": name, "symbols": symbols}:
                self.named[name] = lambda cursor: symbols[cursor.long()]
                return self.named[name]
            case {"type": inner}:
                return self.decoder(inner)
        raise ValueError("its schema cannot be read")

    def _by_name(self, name: str) -> _Decode:
        found = _PRIMITIVES.get(name) or self.named.get(name)
        if found is None:
            raise ValueError(f"its schema names {name}, which it does not say")
        return found


def _record(fields: list[tuple[str, _Decode]]) -> _Decode:
    return lambda cursor: {name: decode(cursor) for name, decode in fields}


def _union(decoders: list[_Decode]) -> _Decode:
    def decode(cursor: _Cursor) -> Any:
        branch = cursor.long()
        if not 0 <= branch < len(decoders):
            raise ValueError("it holds a value of no type")
        return decoders[branch](cursor)

    return decode


def _array(item: _Decode) -> _Decode:
    return lambda cursor: [item(cursor) for count in cursor.counts() for _ in range(count)]


def _map(value: _Decode) -> _Decode:
    return lambda cursor: {
        cursor.bytes().decode(): value(cursor) for count in cursor.counts() for _ in range(count)
    }
