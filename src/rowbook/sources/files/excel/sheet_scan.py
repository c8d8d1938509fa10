"""What must be known before a library reads a sheet: where errors stand, which it gives as empty
cells; and how far the sheet goes, as it holds all cells up to the last in memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from rowbook.locations.sheet_ranges import column_number
from rowbook.sources.files.excel.binary_sheets import xls_errors, xlsb_sheet
from rowbook.sources.files.excel.workbook_parts import UnsoundWorkbookError, WorkbookParts

MOST_CELLS = 64_000_000
"""Between the first cell and the last, empty ones too: about 2 GiB."""

_ALIKE = bytes.maketrans(b"'\t\r\n", b'"   ')
"""Quotes and spaces that mean the same in XML: expressions are fast that begin with fixed text."""
_ROW = re.compile(rb'row [^>]*?\br="([0-9]{1,9})"')
_WIDE = re.compile(rb' r="([A-Z]{2,})[0-9]')
_TYPE = b' t="e"'
_CELL = re.compile(
    rb"""<(?:\w+:)?c ([^>]*\bt="e"[^>]*)>(?:(?:(?!<(?:\w+:)?c ).){0,9999}?<(?:\w+:)?v>([^<]*)<)?""",
    re.DOTALL,
)
_NAME = re.compile(rb'\br="([A-Z]+)([0-9]+)"')
_ODS = re.compile(rb"<(/?)table:(table|table-row|table-cell|covered-table-cell)((?:\s[^>]*)?/?)>")
_REPEATED = re.compile(rb'number-(?:rows|columns)-repeated="([0-9]+)"')
_TABLE_NAME = re.compile(rb'table:name="([^"]*)"')


@dataclass(slots=True)
class SheetScan:
    """`errors` by row and column, from 1; `rows` and `columns` are the last that have a cell."""

    errors: dict[tuple[int, int], str] = field(default_factory=dict)
    rows: int = 0
    columns: int = 0

    def note(self, row: int, column: int) -> None:
        self.rows, self.columns = max(self.rows, row), max(self.columns, column)

    def check(self) -> None:
        if self.rows * self.columns > MOST_CELLS:
            raise UnsoundWorkbookError(
                f"has cells up to row {self.rows:,} and column {self.columns:,}, too many between"
            )


def scan_sheet(
    path: Path, parts: WorkbookParts | None, sheet: str
) -> Mapping[tuple[int, int], str]:
    """The errors of a sheet; UnsoundWorkbookError where it would need too much memory."""
    if parts is None:
        return xls_errors(path, sheet)
    if "content.xml" in parts.parts:
        scan = _ods_sheet(parts.read("content.xml"), sheet)
    elif part := parts.xml_sheet(sheet):
        scan = _xml_sheet(parts.blocks(part))
    elif cells := xlsb_sheet(parts, sheet):
        scan = SheetScan()
        for row, column, error in cells:
            scan.note(row, column)
            if error is not None:
                scan.errors[row, column] = error
    else:
        raise UnsoundWorkbookError(f"does not say where its sheet '{sheet}' is")
    scan.check()
    return scan.errors


def _xml_sheet(blocks: Iterable[bytes]) -> SheetScan:
    scan = SheetScan(columns=26)
    for piece in _pieces(blocks):
        rows = _ROW.findall(piece)
        scan.rows = max(scan.rows, *map(int, rows)) if rows else scan.rows
        for letters in set(_WIDE.findall(piece)):
            scan.note(0, column_number(letters.decode()))
        if scan.rows and _beyond(scan.rows).search(piece):
            raise UnsoundWorkbookError("has cells that are not in the row they say they are in")
        if _TYPE in piece:
            for attributes, text in _CELL.findall(piece):
                name = _NAME.search(attributes)
                if name is None:
                    raise UnsoundWorkbookError(
                        f"has an error {text.decode()} in a cell without name"
                    )
                at = int(name[2]), column_number(name[1].decode())
                scan.errors[at] = text.decode() or "an error"
    return scan


def _pieces(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Each ends where a cell begins."""
    rest = b""
    for block in blocks:
        block = rest + block.translate(_ALIKE)
        cut = max(block.rfind(b"<c "), block.rfind(b":c "), block.rfind(b"<row"))
        if cut <= 0:
            rest = block
            continue
        cut = block.rfind(b"<", 0, cut + 1)
        yield block[:cut]
        rest = block[cut:]
    yield rest


def _beyond(row: int) -> re.Pattern[bytes]:
    """A cell far below a row."""
    first, digits = int(str(row)[0]), len(str(row))
    larger = rb"[%d-9][0-9]{%d}" % (first + 1, digits - 1) if first < 9 else rb"[0-9]{9}"
    return re.compile(rb' r="[A-Z]{1,3}(?:[0-9]{%d,}|%s)"' % (digits + 1, larger))


def _ods_sheet(content: bytes, sheet: str) -> SheetScan:
    """Rows and cells say how often they are repeated; empty ones at the end do not count."""
    scan, row, column, times, inside = SheetScan(), 0, 0, 0, False
    for found in _ODS.finditer(content):
        closes, tag, attributes = found.groups()
        repeated = _REPEATED.search(attributes)
        many = int(repeated[1]) if repeated else 1
        if tag == b"table":
            name = _TABLE_NAME.search(attributes)
            inside = not closes and name is not None and _unescaped(name[1]) == sheet
        elif not inside or closes:
            continue
        elif tag == b"table-row":
            row, column, times = row + times, 0, many
        else:
            if b"value-type=" in attributes:
                scan.note(row + times, column + many)
                if b'calcext:value-type="error"' in attributes:
                    scan.check()
                    at = product(range(times), range(many))
                    scan.errors |= {(row + i + 1, column + j + 1): "an error" for i, j in at}
            column += many
    return scan


def _unescaped(text: bytes) -> str:
    import html

    return html.unescape(text.decode())
