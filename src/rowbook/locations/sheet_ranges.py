"""Cells and ranges of a sheet, as people write them: C17, A3:F200, A3:F."""

from __future__ import annotations

import re
from collections.abc import Collection

from rowbook.value_class import dataclass

MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384
"""What a sheet has at the most."""

_RANGE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6}):([A-Z]{1,3})([1-9][0-9]{0,6})?", re.IGNORECASE)
_ROW = re.compile(r"[1-9][0-9]{0,6}")


@dataclass(frozen=True, slots=True)
class SheetRange:
    """Rows and columns count from 1, and all of them belong to it; `last_row` is None where it goes
    on as far as there are values. The first row is the header."""

    first_row: int
    first_column: int
    last_row: int | None
    last_column: int

    def __str__(self) -> str:
        last = "" if self.last_row is None else self.last_row
        first = cell_name(self.first_row, self.first_column)
        return f"{first}:{column_letters(self.last_column)}{last}"


def sheet_range(text: str) -> SheetRange | None:
    """None where it is none."""
    found = _RANGE.fullmatch(text)
    if found is None:
        return None
    last_row = int(found[4]) if found[4] else None
    given = SheetRange(int(found[2]), column_number(found[1]), last_row, column_number(found[3]))
    is_sound = (
        given.first_column <= given.last_column <= MOST_COLUMNS
        and given.first_row <= (last_row or MOST_ROWS) <= MOST_ROWS
    )
    return given if is_sound else None


def column_number(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def column_letters(number: int) -> str:
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def cell_name(row: int, column: int) -> str:
    return f"{column_letters(column)}{row}"


def sheet_option_fault(name: str, value: str, options: Collection[str]) -> str | None:
    """What is wrong with an option that says where in a workbook a table is."""
    match name:
        case "sheet" if not value.strip():
            return "'sheet' must be the name of a sheet"
        case "range" if sheet_range(value) is None:
            return "'range' must be cells such as A3:F200, or A3:F for all rows from there on"
        case "header_row" if not (_ROW.fullmatch(value) and int(value) <= MOST_ROWS):
            return "'header_row' must be the number of a row, from 1"
        case "header_row" if "range" in options:
            return "'range' and 'header_row' exclude each other: a range begins with its header"
    return None
