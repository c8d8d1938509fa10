"""A sheet of a workbook to look at: its cells have types, each its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rowbook.inference.extracts.data_places import DataPlace
from rowbook.inference.extracts.extract import Extract, Option, Rows, SourceProposal
from rowbook.value_class import dataclass

_LOOKED_AT = 100


@dataclass(frozen=True, slots=True)
class HeaderGuess:
    """`row` counts from 1, in the sheet; `is_first`: nothing stands above it."""

    sheet: str
    row: int
    is_first: bool


def sheet_extract(place: DataPlace) -> Extract:
    """The first sheet that people see, of all files."""
    from rowbook.sources.files.excel.sheet_table import SheetPlace, read_rows

    path, label = place.files[0]
    guess = guess_header(path, label)
    row = None if guess.is_first else guess.row
    header = read_rows(path, label, SheetPlace(None, None, row), ()).header
    options = {"root": Option(place.root)}
    if header.others:
        options["sheet"] = Option(header.sheet, f"the first; others: {', '.join(header.others)}")
    if row is not None:
        options["header_row"] = Option(row, "other text stands above it")
    where = SheetPlace(header.sheet if header.others else None, None, row)
    headers = tuple(header.columns)

    def rows() -> Rows:
        for file, name in place.files:
            found = read_rows(file, name, where, None)
            cells = zip(*(found.columns[each] for each in headers), strict=True)
            for number, row in zip(found.numbers, cells, strict=True):
                yield f"{name} {found.header.sheet}!{number}:{number}", row

    return Extract(
        place.stem,
        place.label,
        SourceProposal("excel", options),
        place.below,
        is_table=False,
        headers=headers,
        rows=rows,
        are_cells=True,
    )


def guess_header(path: Path, label: str) -> HeaderGuess:
    """The first row of texts that is as wide as most of the rows."""
    from rowbook.sources.files.excel.workbook import opened_sheet

    with opened_sheet(path, label, None) as sheet:
        first = sheet.area.first_row if sheet.area else 1
        rows = sheet.rows(first + _LOOKED_AT)
        filled = [(first + i, cells) for i, row in enumerate(rows) if (cells := _filled(row))]
    widths = Counter(len(cells) for _, cells in filled)
    usual = max(widths, key=lambda width: (widths[width], width), default=1)
    found = next((number for number, cells in filled if _is_header(cells, usual)), None)
    top = filled[0][0] if filled else 1
    return HeaderGuess(sheet.name, found or top, found in (None, top))


def _filled(row: Sequence[object]) -> list[object]:
    return [cell for cell in row if cell != ""]


def _is_header(cells: Sequence[object], usual: int) -> bool:
    """A name may be given to a column in which nothing stands."""
    return len(cells) >= usual and all(isinstance(cell, str) for cell in cells)
