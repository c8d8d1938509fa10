"""Checksums of a parquet file's pages, compared without unpacking the values.

A page has a header before it, which no checksum covers. So what headers say is compared with the
footer too: how long pages are, packed and unpacked, how many values they hold, and how. Where that
does not settle it, a column is not found to be whole, and who asks has to read its values.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

_DATA, _DICTIONARY = 0, 2
_TYPE, _UNPACKED, _PACKED, _CHECKSUM, _OF_DATA, _OF_DICTIONARY = 1, 2, 3, 4, 5, 7
_VALUES, _ENCODING, _LEVELS = 1, 2, (3, 4)
_PLAIN, _PLAIN_DICTIONARY, _RLE_DICTIONARY = 0, 2, 8
_OF_LEVELS = (3, 4)
_ENCODINGS = {
    _PLAIN: "PLAIN",
    _PLAIN_DICTIONARY: "PLAIN_DICTIONARY",
    _RLE_DICTIONARY: "RLE_DICTIONARY",
}
_WIDTHS = {"INT32": 4, "INT64": 8, "INT96": 12, "FLOAT": 4, "DOUBLE": 8}

_Fields: TypeAlias = dict[int, "int | _Fields"]


class _UnsettledError(Exception):
    """Of another kind than is usual, or damaged."""


def is_whole(content: memoryview, chunk: pq.ColumnChunkMetaData, leaf: pq.ColumnSchema) -> bool:
    """Whether all pages of a column in a row group are there as they were written."""
    try:
        pages = list(_pages(content, chunk, leaf))
    except (IndexError, _UnsettledError, OSError, pa.ArrowException):
        return False
    data = [page for page in pages if not page.is_dictionary]
    return (
        sum(page.packed for page in pages) == chunk.total_compressed_size
        and sum(page.unpacked for page in pages) == chunk.total_uncompressed_size
        and sum(page.values for page in data) == chunk.num_values
        and _are_encoded_alike(data, chunk, with_dictionary=len(data) < len(pages))
    )


@dataclass(frozen=True, slots=True)
class _Page:
    """Sizes are with its header."""

    is_dictionary: bool
    packed: int
    unpacked: int
    values: int
    encoding: int


def _are_encoded_alike(
    data: list[_Page], chunk: pq.ColumnChunkMetaData, *, with_dictionary: bool
) -> bool:
    """Pages of two kinds may be meant so, or one of them may be damaged."""
    found = {page.encoding for page in data}
    if len(found) != 1:
        return not found
    (encoding,) = found
    usual = {_PLAIN_DICTIONARY, _RLE_DICTIONARY} if with_dictionary else {_PLAIN}
    return encoding in usual and _ENCODINGS[encoding] in chunk.encodings


def _pages(
    content: memoryview, chunk: pq.ColumnChunkMetaData, leaf: pq.ColumnSchema
) -> Iterator[_Page]:
    starts = chunk.data_page_offset, chunk.dictionary_page_offset
    start = min((offset for offset in starts if offset), default=0)
    end = start + chunk.total_compressed_size
    while start < end:
        header, at = _fields(content, start)
        behind = at + _number(header, _PACKED)
        body = content[at:behind]
        if behind > end or zlib.crc32(body) != _number(header, _CHECKSUM) & 0xFFFFFFFF:
            raise _UnsettledError
        unpacked = _number(header, _UNPACKED)
        is_dictionary = _number(header, _TYPE) == _DICTIONARY
        told = header.get(_OF_DICTIONARY if is_dictionary else _OF_DATA)
        if not isinstance(told, dict) or (not is_dictionary and _number(header, _TYPE) != _DATA):
            raise _UnsettledError
        values, encoding = _number(told, _VALUES), _number(told, _ENCODING)
        if is_dictionary:
            plain = encoding in (_PLAIN, _PLAIN_DICTIONARY)
            if not plain or values != _dictionary_values(body, unpacked, chunk, leaf):
                raise _UnsettledError
        elif any(_number(told, levels) not in _OF_LEVELS for levels in _LEVELS):
            raise _UnsettledError
        yield _Page(is_dictionary, behind - start, at - start + unpacked, values, encoding)
        start = behind


def _dictionary_values(
    body: memoryview, unpacked: int, chunk: pq.ColumnChunkMetaData, leaf: pq.ColumnSchema
) -> int:
    """How many there are. The footer does not say that."""
    if chunk.physical_type != "BYTE_ARRAY":
        return unpacked // (_WIDTHS.get(chunk.physical_type) or leaf.length)
    packing = chunk.compression.lower()
    texts = body
    if packing != "uncompressed":
        texts = memoryview(pa.decompress(pa.py_buffer(body), unpacked, codec=packing))
    at = number = 0
    while at < unpacked:
        at += 4 + int.from_bytes(texts[at : at + 4], "little")
        number += 1
    return number


def _number(fields: _Fields, field: int) -> int:
    found = fields.get(field)
    if not isinstance(found, int):
        raise _UnsettledError
    return found


# --- Thrift's compact protocol, as far as headers of pages have it

_BOOLEANS, _INT32, _INT64, _BINARY, _STRUCT = (1, 2), 5, 6, 8, 12


def _fields(content: memoryview, at: int) -> tuple[_Fields, int]:
    """Numbers of 32 bits and structs, by the numbers of their fields; and where they end."""
    found: _Fields = {}
    field = 0
    while (byte := content[at]) != 0:
        at += 1
        kind, step = byte & 15, byte >> 4
        field += step
        if not step or kind not in (*_BOOLEANS, _INT32, _INT64, _BINARY, _STRUCT):
            raise _UnsettledError
        if kind == _STRUCT:
            found[field], at = _fields(content, at)
        elif kind not in _BOOLEANS:
            number, at = _varint(content, at)
            if kind == _INT32:
                found[field] = (number >> 1) ^ -(number & 1)
            elif kind == _BINARY:
                at += number
    return found, at + 1


def _varint(content: memoryview, at: int) -> tuple[int, int]:
    number = shift = 0
    while (byte := content[at]) & 128:
        number |= (byte & 127) << shift
        shift += 7
        at += 1
    return number | byte << shift, at + 1
