"""Cells and ranges as people write them."""

from __future__ import annotations

import pytest

from rowbook.locations.sheet_ranges import (
    SheetRange,
    cell_name,
    column_letters,
    column_number,
    sheet_range,
)


@pytest.mark.parametrize(("letters", "number"), [("A", 1), ("Z", 26), ("AA", 27), ("XFD", 16384)])
def test_columns_count_from_a(letters: str, number: int) -> None:
    assert (column_number(letters), column_letters(number)) == (number, letters)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A3:F200", SheetRange(3, 1, 200, 6)),
        ("b3:aa", SheetRange(3, 2, None, 27)),
        ("A1:A1", SheetRange(1, 1, 1, 1)),
    ],
)
def test_a_range_begins_with_its_header(text: str, found: SheetRange) -> None:
    assert sheet_range(text) == found
    assert str(found) == text.upper()


@pytest.mark.parametrize("text", ["", "A3", "A:F", "A0:B2", "F1:A2", "A9:B2", "A1:XFE2", " A1:B2"])
def test_what_is_no_range_is_none(text: str) -> None:
    assert sheet_range(text) is None


def test_cells_are_named_by_column_and_row() -> None:
    assert cell_name(17, 3) == "C17"
