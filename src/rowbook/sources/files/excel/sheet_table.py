"""A table in a sheet: where it is, its header, its rows by columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from itertools import compress

from rowbook.errors import RowbookError
from rowbook.expressions.values import Value
from rowbook.locations.sheet_ranges import SheetRange, cell_name, sheet_range
from rowbook.planning.columns import is_system
from rowbook.sources.files.excel.workbook import NoValue, Sheet, opened_sheet, values_of
from rowbook.sources.files.listing import FileState
from rowbook.sources.stores.object_path import DataPath

_LOOKED_AT = 100
"""Rows among which the first that is not empty is looked for."""


@dataclass(frozen=True, slots=True)
class SheetPlace:
    """Where in a workbook a table is. Left out: in the first sheet, from the first row on that is
    not empty."""

    sheet: str | None = None
    range: SheetRange | None = None
    header_row: int | None = None

    @classmethod
    def of(cls, options: Mapping[str, str]) -> SheetPlace:
        """Of options that were checked."""
        row = options.get("header_row")
        given = sheet_range(options.get("range", ""))
        return cls(options.get("sheet"), given, int(row) if row else None)


@dataclass(frozen=True, slots=True)
class SheetHeader:
    """`columns` are the numbers of the columns in the sheet, by their names; `last_row` is the last
    that may be a row of the table. `others` are sheets that were not asked for by name either."""

    sheet: str
    columns: Mapping[str, int]
    row: int
    last_row: int
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SheetRows:
    """`numbers` are those of the rows in the sheet."""

    header: SheetHeader
    numbers: list[int]
    columns: dict[str, list[Value]]


@lru_cache(maxsize=64)
def read_header(path: DataPath, _: FileState, label: str, place: SheetPlace) -> SheetHeader:
    """Once for a state of a file: the library reads all of a sheet for it."""
    with opened_sheet(path, label, place.sheet) as sheet:
        return _header(sheet, label, place)


def read_rows(
    path: DataPath, label: str, place: SheetPlace, wanted: Collection[str] | None
) -> SheetRows:
    """Rows that are wholly empty are none. Of columns that are not wanted there is but the name."""
    with opened_sheet(path, label, place.sheet) as sheet:
        header = _header(sheet, label, place)
        assert sheet.area is not None
        cells = sheet.rows(header.last_row)[header.row + 1 - sheet.area.first_row :]
        by_column = list(zip(*cells, strict=True))
    first = sheet.area.first_column
    if place.range is None:
        _check_unnamed(by_column, header, first, label)
    inside = [number - first for number in header.columns.values()]
    filled = [any(row[i] != "" for i in inside) for row in cells]
    del cells
    columns = {
        name: values_of(list(compress(by_column[number - first], filled)) if by_column else [])
        for name, number in header.columns.items()
        if wanted is None or name in wanted or is_system(name)
    }
    numbers = range(header.row + 1, header.row + 1 + len(filled))
    return SheetRows(header, list(compress(numbers, filled)), columns)


def _header(sheet: Sheet, label: str, place: SheetPlace) -> SheetHeader:
    where = f"{label} {sheet.name}"
    area = sheet.area
    if area is None:
        raise _refused(
            "DATASOURCE_012", f"{where} has no cells", "say which `sheet` the table is in"
        )
    assert area.last_row is not None
    row = _header_row(sheet, place)
    if row is None or not area.first_row <= row <= area.last_row:
        raise _outside(sheet, where, place)
    cells = sheet.rows(row)[row - area.first_row]
    named = [area.first_column + i for i, cell in enumerate(cells) if cell != ""]
    if place.range is not None:
        first, last = place.range.first_column, place.range.last_column
        if last < area.first_column or first > area.last_column:
            raise _outside(sheet, where, place)
    elif named:
        first, last = named[0], named[-1]
    else:
        message = f"{where}!{row}:{row} is empty, and should name the columns"
        raise _refused("DATASOURCE_013", message, "say `header_row`, or a `range`")
    _check_merged(sheet, row, (first, last), where)
    columns: dict[str, int] = {}
    for number in range(first, last + 1):
        at = number - area.first_column
        cell = cells[at] if 0 <= at < len(cells) else ""
        name = _column_name(cell, f"{where}!{cell_name(row, number)}")
        if name in columns:
            message = f"{where}!{cell_name(row, number)}: column '{name}' stands at"
            raise _refused("DATASOURCE_013", f"{message} {cell_name(row, columns[name])} too")
        columns[name] = number
    last_row = (place.range.last_row if place.range else None) or area.last_row
    others = () if place.sheet else tuple(name for name in sheet.names if name != sheet.name)
    return SheetHeader(sheet.name, columns, row, min(last_row, area.last_row), others)


def _header_row(sheet: Sheet, place: SheetPlace) -> int | None:
    if place.range is not None:
        return place.range.first_row
    if place.header_row is not None:
        return place.header_row
    assert sheet.area is not None
    first = sheet.area.first_row
    rows = sheet.rows(first + _LOOKED_AT)
    return next((first + i for i, row in enumerate(rows) if any(c != "" for c in row)), None)


def _column_name(cell: object, where: str) -> str:
    match cell:
        case NoValue() | bool():
            pass
        case str():
            if name := cell.strip():
                return name
            message = f"{where} is empty, and should name a column"
            hint = "name the column, or say a `range` without it"
            raise _refused("DATASOURCE_013", message, hint)
        case int() | float():
            return str(int(cell)) if cell == int(cell) else repr(cell)
        case date() if not isinstance(cell, datetime):
            return cell.isoformat()
    raise _refused("DATASOURCE_013", f"{where} holds {cell}, which is no name of a column")


def _check_merged(sheet: Sheet, row: int, columns: tuple[int, int], where: str) -> None:
    for each in sheet.merged:
        last = each.last_row or each.first_row
        touches = each.first_column <= columns[1] and columns[0] <= each.last_column
        if each.first_row <= row <= last and touches:
            message = f"{where}!{each}: cells of the header are merged"
            hint = "give each column a name of its own, in one row"
            raise _refused("DATASOURCE_013", message, hint)


def _check_unnamed(
    by_column: list[tuple[Value, ...]], header: SheetHeader, first: int, label: str
) -> None:
    named = frozenset(header.columns.values())
    for i, cells in enumerate(by_column):
        if first + i not in named and any(cell != "" for cell in cells):
            at = next(j for j, cell in enumerate(cells) if cell != "") + header.row + 1
            message = (
                f"{label} {header.sheet}!{cell_name(at, first + i)} holds a value, but"
                f" {cell_name(header.row, first + i)} is empty, and should name the column"
            )
            hint = "name the column, or say a `range` without it"
            raise _refused("DATASOURCE_013", message, hint)


def _outside(sheet: Sheet, where: str, place: SheetPlace) -> RowbookError:
    what = f"range {place.range}" if place.range else f"row {place.header_row}"
    return _refused("DATASOURCE_012", f"{what} is outside of the cells of {where}, {sheet.area}")


def _refused(code: str, message: str, hint: str | None = None) -> RowbookError:
    return RowbookError.of(code, message, hint=hint)
