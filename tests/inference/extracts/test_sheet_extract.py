"""Which row of a sheet is its header."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import xlsxwriter

from rowbook.inference.extracts.data_places import data_places
from rowbook.inference.extracts.sheet_extract import HeaderGuess, guess_header, sheet_extract
from rowbook.locations.boundary import Boundary


def _write(path: Path, rows: Sequence[Sequence[Any]], *others: str) -> Path:
    with xlsxwriter.Workbook(path) as book:
        for name in ("Plan", *others):
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return path


def test_the_first_row_of_texts_as_wide_as_the_others_is_the_header(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["Plan of 2026"],
        ["as of", "January"],
        [],
        ["id", "name", "amount"],
        [1, "a", 2.5],
    ]
    path = _write(tmp_path / "x.xlsx", rows)
    assert guess_header(path, "x.xlsx") == HeaderGuess("Plan", 4, is_first=False)


def test_a_header_that_nothing_stands_above_needs_no_option(tmp_path: Path) -> None:
    path = _write(tmp_path / "x.xlsx", [[], ["id", "name"], [1, "a"], [2, "b"]])
    assert guess_header(path, "x.xlsx") == HeaderGuess("Plan", 2, is_first=True)
    (place,) = data_places([path], Boundary(tmp_path))
    extract = sheet_extract(place)
    assert list(extract.source.options) == ["root"]
    assert list(extract.rows()) == [("x.xlsx Plan!3:3", (1, "a")), ("x.xlsx Plan!4:4", (2, "b"))]


def test_the_sheet_is_named_where_there_are_others(tmp_path: Path) -> None:
    path = _write(tmp_path / "x.xlsx", [["id"], [1]], "Old", "Notes")
    (place,) = data_places([path], Boundary(tmp_path))
    option = sheet_extract(place).source.options["sheet"]
    assert (option.value, option.note) == ("Plan", "the first; others: Old, Notes")
