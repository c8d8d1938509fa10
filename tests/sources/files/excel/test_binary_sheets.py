"""Errors in binary workbooks, which the library that reads them takes for empty cells."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import pytest

from rowbook.sources.files.excel.binary_sheets import xls_errors
from rowbook.sources.files.excel.sheet_table import SheetPlace, read_rows
from rowbook.sources.files.excel.workbook_parts import UnsoundWorkbookError

XLS = Path(__file__).parent / "data" / "errors.xls"
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
    'relationships/worksheet" Target="worksheets/sheet1.bin"/></Relationships>'
)


def record(kind: int, data: bytes) -> bytes:
    head = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    return head + bytes([len(data)]) + data


def wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def write_xlsb(path: Path, rows: Sequence[Sequence[str | float]]) -> Path:
    """Texts and numbers; a text with # in front is #N/A."""
    cells = b""
    for i, row in enumerate(rows):
        cells += record(0, struct.pack("<II", i, 0) + bytes(9))
        for j, cell in enumerate(row):
            at = struct.pack("<II", j, 0)
            if isinstance(cell, float):
                cells += record(5, at + struct.pack("<d", cell))
            elif cell.startswith("#"):
                cells += record(3, at + bytes([0x2A]))
            else:
                cells += record(6, at + wide(cell))
    size = struct.pack("<IIII", 0, len(rows) - 1, 0, len(rows[0]) - 1)
    sheet = record(129, b"") + record(148, size) + record(145, b"") + cells + record(146, b"")
    named = struct.pack("<II", 0, 1) + wide("rId1") + wide("Sheet1")
    book = record(131, b"") + record(143, b"") + record(156, named) + record(144, b"")
    with ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.bin", book + record(132, b""))
        archive.writestr("xl/_rels/workbook.bin.rels", RELATIONS)
        archive.writestr("xl/worksheets/sheet1.bin", sheet + record(130, b""))
    return path


def test_errors_of_an_xls_file_are_found_in_the_sheet_that_is_named() -> None:
    assert xls_errors(XLS, "Kösten") == {(3, 2): "#N/A", (3, 3): "#DIV/0!"}
    assert xls_errors(XLS, "First") == {}


def test_an_xls_file_is_read() -> None:
    found = read_rows(XLS, "errors.xls", SheetPlace("Kösten"), None)
    assert found.columns == {
        "account": [1000.0, 2000.0],
        "name": ["Cash", "#N/A"],
        "amount": [12.5, "#DIV/0!"],
    }


def test_an_xlsb_file_is_read_with_its_errors(tmp_path: Path) -> None:
    path = write_xlsb(tmp_path / "b.xlsb", [["account", "name"], [1000.0, "Cash"], [2.0, "#N/A"]])
    found = read_rows(path, "b.xlsb", SheetPlace(), None)
    assert found.columns == {"account": [1000.0, 2.0], "name": ["Cash", "#N/A"]}


@pytest.mark.parametrize("length", [8, 100, 600, 3000, 5000])
def test_an_xls_file_that_ends_too_early_is_refused(tmp_path: Path, length: int) -> None:
    path = tmp_path / "b.xls"
    path.write_bytes(XLS.read_bytes()[:length])
    with pytest.raises(UnsoundWorkbookError):
        xls_errors(path, "Kösten")
