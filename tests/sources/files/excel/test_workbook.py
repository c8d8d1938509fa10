"""Workbooks opened: which sheet, and what is said of files that are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.sources.files.excel.workbook import NoValue, opened_sheet
from tests.sources.files.excel.books import Error, ods_cell, write_book, write_ods
from tests.support.refusal import refusal


def sheet_of(path: Path, sheet: str | None = None) -> tuple[str, list[list[object]]]:
    with opened_sheet(path, path.name, sheet) as found:
        return found.name, [list(row) for row in found.rows()]


def test_the_first_sheet_is_read_where_none_is_named(tmp_path: Path) -> None:
    path = write_book(tmp_path / "b.xlsx", ("One", [["a"]]), ("Two", [["b"]]))
    assert sheet_of(path) == ("One", [["a"]])
    assert sheet_of(path, "Two") == ("Two", [["b"]])


def test_a_sheet_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    path = write_book(tmp_path / "b.xlsx", ("Accounts", [["a"]]), ("Rates", [["b"]]))
    found = refusal(lambda: sheet_of(path, "Acounts"), "DATASOURCE_012")
    assert found.message == "b.xlsx has no sheet 'Acounts'"
    assert found.hint == "did you mean 'Accounts'?  sheets: Accounts, Rates"


def test_errors_are_no_empty_cells(tmp_path: Path) -> None:
    cells = [["a", "b"], [1, Error("#DIV/0!")], [Error("#N/A"), None]]
    _, rows = sheet_of(write_book(tmp_path / "b.xlsx", ("S", cells)))
    assert rows == [["a", "b"], [1.0, "#DIV/0!"], ["#N/A", ""]]
    assert isinstance(rows[1][1], NoValue)


def test_a_sheet_of_an_ods_file_is_read(tmp_path: Path) -> None:
    error = '<table:table-cell office:value-type="string" calcext:value-type="error"/>'
    row = f"<table:table-row>{ods_cell('a')}{error}{ods_cell('z')}</table:table-row>"
    name, rows = sheet_of(write_ods(tmp_path / "b.ods", row))
    assert (name, rows) == ("Sheet1", [["a", "an error", "z"]])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("b.xlsx", b"account,name\n", "b.xlsx is no workbook"),
        ("b.xlsx", b"", "b.xlsx is no workbook"),
        ("b.xlsx", b"PK\x03\x04 and no more", "b.xlsx is not whole: File is not a zip file"),
        ("b.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "b.xls cannot be read as"),
    ],
)
def test_what_is_no_workbook_is_refused(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    found = refusal(lambda: sheet_of(path), "DATASOURCE_007")
    assert found.message.startswith(message)
