"""Where errors stand in the binary formats: records of xlsb parts, and of the stream that an xls
file holds."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rowbook.sources.files.excel.workbook_parts import UnsoundWorkbookError, WorkbookParts

_ERRORS = {
    0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!",
    0x2A: "#N/A",
}  # fmt: skip
_WORKBOOK = "xl/workbook.bin"
_ROW_HEADER, _LAST_CELL, _SHEET_RECORD = 0, 11, 156
_ERROR_CELLS = (3, 11)
_LAST_SECTOR = 0xFFFFFFFA
_BOUND_SHEET, _BEGIN, _END, _BOOL_OR_ERROR, _FORMULA = 0x0085, 0x0809, 0x000A, 0x0205, 0x0006


def xlsb_sheet(parts: WorkbookParts, sheet: str) -> Iterator[tuple[int, int, str | None]] | None:
    """Row, column and error of each cell; None where there is no such sheet."""
    if _WORKBOOK not in parts.parts:
        return None
    for kind, data in _xlsb_records(parts.read(_WORKBOOK)):
        if kind == _SHEET_RECORD:
            relation, end = _wide_text(data, 8)
            if _wide_text(data, end)[0] == sheet:
                part = parts.related(_WORKBOOK, relation)
                return None if part is None else _xlsb_cells(parts.read(part))
    return None


def _xlsb_cells(content: bytes) -> Iterator[tuple[int, int, str | None]]:
    row = 0
    for kind, data in _xlsb_records(content):
        if kind == _ROW_HEADER:
            row = int.from_bytes(data[:4], "little")
        elif kind <= _LAST_CELL:
            column = int.from_bytes(data[:4], "little")
            error = _ERRORS.get(data[8], "an error") if kind in _ERROR_CELLS else None
            yield row + 1, column + 1, error


def _xlsb_records(content: bytes) -> Iterator[tuple[int, bytes]]:
    at, end = 0, len(content)
    while at < end:
        kind, at = content[at], at + 1
        if kind & 0x80 and at < end:
            kind, at = (kind & 0x7F) | (content[at] & 0x7F) << 7, at + 1
        size = shift = 0
        while at < end and shift < 28:
            byte, at = content[at], at + 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
        yield kind, content[at : at + size]
        at += size


def _wide_text(data: bytes, at: int) -> tuple[str, int]:
    end = at + 4 + 2 * int.from_bytes(data[at : at + 4], "little")
    return data[at + 4 : end].decode("utf-16-le", "replace"), end


def xls_errors(path: Path, sheet: str) -> Mapping[tuple[int, int], str]:
    """By row and column, from 1."""
    try:
        stream = _OleFile(path.read_bytes()).stream(("Workbook", "Book"))
        return dict(_xls_errors(stream, sheet))
    except (struct.error, IndexError) as cause:
        raise UnsoundWorkbookError(f"is not whole: {cause}") from cause


def _xls_errors(stream: bytes, sheet: str) -> Iterator[tuple[tuple[int, int], str]]:
    depth = 0
    for kind, data in _xls_records(stream, _sheet_start(stream, sheet)):
        if kind == _BEGIN:
            depth += 1
        elif kind == _END:
            depth -= 1
            if depth <= 0:
                return
        elif kind == _BOOL_OR_ERROR and data[7]:
            row, column = struct.unpack_from("<HH", data)
            yield (row + 1, column + 1), _ERRORS.get(data[6], "an error")
        elif kind == _FORMULA and data[6] == 2 and data[12:14] == b"\xff\xff":
            row, column = struct.unpack_from("<HH", data)
            yield (row + 1, column + 1), _ERRORS.get(data[8], "an error")


def _sheet_start(stream: bytes, sheet: str) -> int:
    """Names are of one byte or of two a character, as a flag says, which books before 97 lack."""
    old = struct.unpack_from("<H", stream, 4)[0] < 0x0600
    for kind, data in _xls_records(stream, 0):
        if kind == _END:
            break
        if kind == _BOUND_SHEET:
            start, count = struct.unpack_from("<I", data)[0], data[6]
            if old or not data[7] & 1:
                text = data[7 if old else 8 :][:count]
                names = {text.decode("latin-1"), text.decode("cp1252", "replace")}
            else:
                names = {data[8 : 8 + 2 * count].decode("utf-16-le", "replace")}
            if sheet in names:
                return int(start)
    raise UnsoundWorkbookError(f"does not say where its sheet '{sheet}' is")


def _xls_records(stream: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    while at + 4 <= len(stream):
        kind, size = struct.unpack_from("<HH", stream, at)
        yield kind, stream[at + 4 : at + 4 + size]
        at += 4 + size


class _OleFile:
    """A file of streams, each a chain of sectors; small ones lie in a stream of their own."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._sector = 1 << struct.unpack_from("<H", content, 30)[0]
        self._small = 1 << struct.unpack_from("<H", content, 32)[0]
        (self._cutoff,) = struct.unpack_from("<I", content, 56)
        tables = list(struct.unpack_from("<109I", content, 76))
        (more,) = struct.unpack_from("<I", content, 68)
        most = len(content) // self._sector
        for _ in range(min(struct.unpack_from("<I", content, 72)[0], most)):
            found = self._numbers(self._at(more))
            tables, more = [*tables, *found[:-1]], found[-1]
        self._next: list[int] = []
        for number in tables:
            if number < _LAST_SECTOR:
                self._next += self._numbers(self._at(number))
        self._folder = self._chain(struct.unpack_from("<I", content, 48)[0])
        small = self._chain(struct.unpack_from("<I", content, 60)[0])
        self._next_small = self._numbers(small)

    def stream(self, names: Sequence[str]) -> bytes:
        entries = [self._folder[at : at + 128] for at in range(0, len(self._folder), 128)]
        for entry in entries:
            (length,) = struct.unpack_from("<H", entry, 64)
            if entry[: max(length - 2, 0)].decode("utf-16-le", "replace") in names:
                start, size = struct.unpack_from("<II", entry, 116)
                if size >= self._cutoff:
                    return self._chain(start)[:size]
                inside = self._chain(struct.unpack_from("<I", entries[0], 116)[0])
                return self._small_chain(start, inside)[:size]
        raise UnsoundWorkbookError("is no workbook, or one with a password")

    def _at(self, number: int) -> bytes:
        start = (number + 1) * self._sector
        return self._content[start : start + self._sector]

    def _chain(self, start: int) -> bytes:
        return b"".join(self._at(number) for number in _follow(start, self._next))

    def _small_chain(self, start: int, inside: bytes) -> bytes:
        size = self._small
        numbers = _follow(start, self._next_small)
        return b"".join(inside[number * size : (number + 1) * size] for number in numbers)

    @staticmethod
    def _numbers(data: bytes) -> list[int]:
        return list(struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4]))


def _follow(number: int, following: Sequence[int]) -> Iterator[int]:
    for _ in range(len(following) + 1):
        if number >= _LAST_SECTOR:
            return
        yield number
        number = following[number]
    raise UnsoundWorkbookError("is not whole: its parts lead in a circle")
