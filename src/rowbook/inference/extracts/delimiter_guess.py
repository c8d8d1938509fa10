"""How a csv file is divided: its delimiter, and which of its lines is the header."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from rowbook.sources.files.csv.dialect import CsvDialect
from rowbook.sources.files.csv.records import rows_in
from rowbook.sources.files.text.encodings import open_text
from rowbook.value_class import dataclass

_DELIMITERS = (";", "\t", "|", ",")
"""Those that are least often part of a value first."""
_LOOKED_AT = 1_000
_LONGEST = 1 << 20
_TITLES = 20
"""Lines that may stand above a header."""


@dataclass(frozen=True, slots=True)
class DelimiterGuess:
    """`header_row` counts rows from 1, None where no row is one; `fields` is how many a row has,
    in `alike` of the rows that were `looked_at`."""

    delimiter: str
    header_row: int | None
    fields: int
    alike: int
    looked_at: int


def guess_delimiter(path: Path, encoding: str) -> DelimiterGuess:
    """The one that gives most rows the same number of fields; of equal ones that which is least
    often part of a value: `1,5;2,5` are two numbers."""
    with open_text(path, encoding) as file:
        text = file.read(_LONGEST)
        lines = text.splitlines(keepends=True)
        if len(text) == _LONGEST and len(lines) > 1:
            lines.pop()
    guesses = [_guess(lines, each) for each in _DELIMITERS]
    several = [each for each in guesses if each.fields > 1]
    return max(several or guesses[-1:], key=lambda g: g.alike / max(g.looked_at, 1))


def _guess(lines: Sequence[str], delimiter: str) -> DelimiterGuess:
    try:
        rows = list(islice(rows_in(lines, CsvDialect(delimiter=delimiter)), _LOOKED_AT))
    except csv.Error:
        rows = []
    filled = [row for row in rows if row]
    widths = Counter(map(len, filled[1:] or filled))
    if not widths:
        return DelimiterGuess(delimiter, 1, 1, 0, 0)
    fields = max(widths, key=lambda width: (widths[width], width))
    first = next((i for i, row in enumerate(filled) if len(row) == fields), 0)
    header = _header(filled, first, fields) if first <= _TITLES else None
    alike = sum(len(row) == fields for row in filled)
    return DelimiterGuess(delimiter, header, fields, alike, len(filled))


def _header(rows: Sequence[Sequence[str]], first: int, fields: int) -> int | None:
    """The first full row, where its cells are names: no two alike, and none with a figure where
    rows below have figures too."""
    row = rows[first]
    named = [cell.strip() for cell in row if cell.strip()]
    if not named or len(set(named)) < len(named):
        return None
    below = [each for each in rows[first + 1 :] if len(each) == fields]
    for position, cell in enumerate(row):
        if _is_figure(cell) and any(_is_figure(each[position]) for each in below[:_TITLES]):
            return None
    return first + 1


def _is_figure(cell: str) -> bool:
    text = cell.strip()
    digits = sum(c.isdigit() for c in text)
    return digits > 0 and not any(c.isalpha() for c in text)
