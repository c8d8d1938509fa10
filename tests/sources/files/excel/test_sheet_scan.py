"""Sheets looked at before they are read: errors, and how far they go."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from rowbook.sources.files.excel.sheet_scan import scan_sheet
from rowbook.sources.files.excel.workbook_parts import UnsoundWorkbookError, WorkbookParts
from tests.sources.files.excel.books import Error, ods_cell, write_book, write_ods

SHEET = "xl/worksheets/sheet1.xml"


def scan(path: Path, sheet: str = "Sheet1") -> dict[tuple[int, int], str]:
    return dict(scan_sheet(path, WorkbookParts.of(path), sheet))


def with_sheet(path: Path, xml: str) -> Path:
    """A workbook whose sheet is this XML."""
    whole = write_book(path.with_name("whole.xlsx"), ("Sheet1", [["a"]]))
    with ZipFile(whole) as old, ZipFile(path, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, xml if name == SHEET else old.read(name))
    return path


def test_errors_are_found_by_row_and_column(tmp_path: Path) -> None:
    rows = [["a", "b"], [1, Error("#N/A")], [Error("#REF!"), 2]]
    path = write_book(tmp_path / "b.xlsx", ("Sheet1", rows), ("Q & A", [[Error("#NUM!")]]))
    assert scan(path) == {(2, 2): "#N/A", (3, 1): "#REF!"}
    assert scan(path, "Q & A") == {(1, 1): "#NUM!"}


def test_errors_are_found_wherever_blocks_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rowbook.sources.files.excel.workbook_parts._BLOCK", 7)
    path = write_book(tmp_path / "b.xlsx", ("Sheet1", [[1, Error("#N/A"), Error("#REF!")]] * 3))
    assert scan(path) == {(i, j): e for i in (1, 2, 3) for j, e in ((2, "#N/A"), (3, "#REF!"))}


def test_elements_with_a_prefix_are_read(tmp_path: Path) -> None:
    cell = "<x:c t='e' r='B1'><x:f>1/0</x:f><x:v>#DIV/0!</x:v></x:c>"
    xml = f"<x:worksheet><x:sheetData><x:row r='1'>{cell}</x:row></x:sheetData></x:worksheet>"
    assert scan(with_sheet(tmp_path / "b.xlsx", xml)) == {(1, 2): "#DIV/0!"}


def test_an_error_without_its_text_hides_no_other(tmp_path: Path) -> None:
    cells = '<c r="A1" t="e"/><c r="B1" t="e"><v>#N/A</v></c>'
    xml = f'<worksheet><sheetData><row r="1">{cells}</row></sheetData></worksheet>'
    found = scan(with_sheet(tmp_path / "b.xlsx", xml))
    assert found == {(1, 1): "an error", (1, 2): "#N/A"}


def test_a_sheet_with_a_last_cell_far_away_is_refused(tmp_path: Path) -> None:
    rows = '<row r="1"><c r="A1"/></row><row r="1048576"><c r="XFD1048576"/></row>'
    path = with_sheet(tmp_path / "b.xlsx", f"<worksheet><sheetData>{rows}</sheetData></worksheet>")
    with pytest.raises(UnsoundWorkbookError, match=r"row 1,048,576 and column 16,384, too many"):
        scan(path)


def test_a_cell_far_below_its_row_is_refused(tmp_path: Path) -> None:
    rows = '<row r="1"><c r="A1"/><c r="A1048576"/></row>'
    path = with_sheet(tmp_path / "b.xlsx", f"<worksheet><sheetData>{rows}</sheetData></worksheet>")
    with pytest.raises(UnsoundWorkbookError, match="not in the row they say"):
        scan(path)


def test_cells_of_an_ods_file_count_as_often_as_they_are_repeated(tmp_path: Path) -> None:
    cell = ods_cell("x").replace(
        "<table:table-cell", '<table:table-cell table:number-columns-repeated="16384"'
    )
    rows = f'<table:table-row table:number-rows-repeated="1048576">{cell}</table:table-row>'
    with pytest.raises(UnsoundWorkbookError, match="too many between"):
        scan(write_ods(tmp_path / "b.ods", rows))
