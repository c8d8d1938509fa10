"""Avro files are read as they are written, and broken ones refused."""

from __future__ import annotations

import json
import zlib
from typing import Any

import pytest

from rowbook.sources.iceberg.avro import read_records

SYNC = b"0123456789abcdef"
ENTRY: dict[str, Any] = {
    "type": "record",
    "name": "entry",
    "fields": [
        {"name": "path", "type": "string"},
        {"name": "size", "type": ["null", "long"]},
        {"name": "counts", "type": {"type": "array", "items": "int"}},
        {"name": "by", "type": {"type": "map", "values": "boolean"}},
        {"name": "id", "type": {"type": "fixed", "name": "uuid", "size": 2}},
        {"name": "again", "type": "uuid"},
        {"name": "rate", "type": {"type": "double", "logicalType": "none"}},
    ],
}
ROW = (
    b"\x06a/b"  # three characters
    b"\x02\x7f"  # the second of the union: -64
    b"\x04\x02\x03\x00"  # two items: 1, -2
    b"\x02\x02k\x01\x00"  # one entry: k, true
    b"xyXY"
    b"\x00\x00\x00\x00\x00\x00\xf8\x3f"
)
RECORD = {
    "path": "a/b",
    "size": -64,
    "counts": [1, -2],
    "by": {"k": True},
    "id": b"xy",
    "again": b"XY",
    "rate": 1.5,
}


def long(number: int) -> bytes:
    value, found = number << 1 if number >= 0 else (-number << 1) - 1, bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def text(value: bytes) -> bytes:
    return long(len(value)) + value


def file(block: bytes, count: int = 1, schema: Any = ENTRY, codec: str = "null") -> bytes:
    header = {b"avro.schema": json.dumps(schema).encode(), b"avro.codec": codec.encode()}
    entries = b"".join(text(key) + text(value) for key, value in header.items())
    start = b"Obj\x01" + long(len(header)) + entries + b"\0" + SYNC
    return start + long(count) + text(block) + SYNC


def deflated(block: bytes) -> bytes:
    packing = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packing.compress(block) + packing.flush()


def test_values_of_every_type_are_read() -> None:
    assert list(read_records(file(ROW))) == [RECORD]


def test_packed_blocks_are_unpacked() -> None:
    packed = deflated(ROW * 3)
    assert list(read_records(file(packed, 3, codec="deflate"))) == [RECORD] * 3


def test_a_list_in_blocks_of_known_size_is_read() -> None:
    schema = {"type": "record", "name": "r", "fields": [{"name": "n", "type": ["null", "int"]}]}
    of_list = {"type": "array", "items": schema}
    whole = {"type": "record", "name": "w", "fields": [{"name": "all", "type": of_list}]}
    block = long(-2) + long(3) + b"\x00\x02\x0a" + b"\x00"
    assert list(read_records(file(block, schema=whole))) == [{"all": [{"n": None}, {"n": 5}]}]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"PAR1", "no Avro file"),
        (b"", "too early"),
        (file(ROW)[:-20], "too early"),
        (file(ROW)[:-1] + b"!", "damaged"),
        (file(ROW[:5]), "too early"),
        (file(ROW, codec="snappy"), "packed with snappy"),
        (file(b"\xff\xff", codec="deflate"), "damaged"),
        (file(ROW, schema="entry"), "names entry"),
        (file(ROW, schema={"fields": []}), "schema cannot be read"),
        (file(b"\x06", schema=["null", "int"]), "no type"),
        (file(b"\xff" * 12, schema="long"), "too long"),
    ],
)
def test_what_is_broken_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        list(read_records(data))
