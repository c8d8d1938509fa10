"""A workbook opened by the library that reads them, and one of its sheets. A file that cannot be
read is DATASOURCE_007, a sheet that is not there DATASOURCE_012."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
    load_workbook,
)

from rowbook.errors import RowbookError, listing, suggestion
from rowbook.expressions.values import Value
from rowbook.locations.sheet_ranges import SheetRange
from rowbook.sources.files.excel.sheet_scan import scan_sheet
from rowbook.sources.files.excel.workbook_parts import UnsoundWorkbookError, WorkbookParts
from rowbook.sources.stores.object_path import DataPath, local_copy

_ERROR_TEXTS = frozenset(
    ("#N/A", "#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!")
)
_PANIC = "PanicException"
"""What the library raises where it met what it never expected; no Exception."""
_AS_THEY_ARE = frozenset((float, int, bool))


class NoValue(str):
    """What stands in a cell and is a value of no type: an error such as #N/A, a time of day."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows and columns count from 1. `area` are the cells that there are, None where there are
    none; `errors` hold what the library takes for empty cells."""

    name: str
    names: tuple[str, ...]
    area: SheetRange | None
    merged: Sequence[SheetRange]
    errors: Mapping[tuple[int, int], str]
    _cells: CalamineSheet

    def rows(self, most: int | None = None) -> list[list[Value]]:
        """Of the area, as far as the first `most` rows of the sheet go; '' is an empty cell."""
        if self.area is None:
            return []
        count = None if most is None else max(most - self.area.first_row + 1, 0)
        found: list[list[Value]] = self._cells.to_python(nrows=count)  # type: ignore[assignment]
        for (row, column), text in self.errors.items():
            down, along = row - self.area.first_row, column - self.area.first_column
            if 0 <= down < len(found) and 0 <= along < len(found[down]):
                found[down][along] = NoValue(text)
        return found


@contextmanager
def opened_sheet(workbook: DataPath, label: str, sheet: str | None) -> Iterator[Sheet]:
    """The sheet that is named, else the first that can be seen."""
    try:
        with local_copy(workbook) as path:
            parts = WorkbookParts.of(path)
            with load_workbook(path) as book:
                names = _sheet_names(book)
                name = _chosen(names, sheet, label, book)
                errors = scan_sheet(path, parts, name)
                cells = book.get_sheet_by_name(name)
                yield Sheet(name, tuple(names), _area(cells), _merged(cells), errors, cells)
    except PasswordError as cause:
        message = f"{label} cannot be read: it has a password"
        hint = "save it without one, and see that nobody else can read the folder"
        raise RowbookError.of("DATASOURCE_007", message, hint=hint) from cause
    except UnsoundWorkbookError as cause:
        raise RowbookError.of("DATASOURCE_007", f"{label} {cause}") from cause
    except (CalamineError, OSError) as cause:
        message = f"{label} cannot be read as a workbook: {str(cause).strip()}"
        raise RowbookError.of("DATASOURCE_007", message) from cause
    except BaseException as cause:
        if type(cause).__name__ != _PANIC:
            raise
        message = f"{label} cannot be read as a workbook: {cause}"
        raise RowbookError.of("DATASOURCE_007", message) from cause


def values_of(cells: Sequence[Value]) -> list[Value]:
    """Cells of a column as values: NULL where there is nothing."""
    if _AS_THEY_ARE.issuperset(map(type, cells)):
        return list(cells)
    return [_value(cell) for cell in cells]


def _value(cell: object) -> Value:
    match cell:
        case str():
            if cell in _ERROR_TEXTS:
                return NoValue(cell)
            return cell or None
        case datetime():
            return cell.replace(tzinfo=UTC)
        case time() | timedelta():
            return NoValue(str(cell))
    return cell  # type: ignore[return-value]


def _sheet_names(book: CalamineWorkbook) -> dict[str, bool]:
    """Those with cells, and whether people see them."""
    return {
        each.name: each.visible == SheetVisibleEnum.Visible
        for each in book.sheets_metadata
        if each.typ == SheetTypeEnum.WorkSheet
    }


def _chosen(
    names: Mapping[str, bool], sheet: str | None, label: str, book: CalamineWorkbook
) -> str:
    if sheet is None and names:
        return next((name for name, is_visible in names.items() if is_visible), next(iter(names)))
    if sheet is not None and sheet in names:
        return sheet
    if sheet is None:
        message = f"{label} has no sheet with cells"
    elif sheet in book.sheet_names:
        message = f"'{sheet}' of {label} is not a sheet with cells"
    else:
        message = f"{label} has no sheet '{sheet}'"
    known = suggestion(sheet or "", tuple(names), "sheets")
    hint = known or f"sheets: {listing(tuple(names))}"
    raise RowbookError.of("DATASOURCE_012", message, hint=hint if names else None)


def _area(cells: CalamineSheet) -> SheetRange | None:
    if cells.start is None or cells.end is None:
        return None
    return _range(cells.start, cells.end)


def _merged(cells: CalamineSheet) -> list[SheetRange]:
    found = cells.merged_cell_ranges or []
    return [_range(start, end) for start, end in found if start != end]


def _range(start: tuple[int, int], end: tuple[int, int]) -> SheetRange:
    return SheetRange(start[0] + 1, start[1] + 1, end[0] + 1, end[1] + 1)
