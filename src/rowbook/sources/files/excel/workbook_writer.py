"""Workbooks from staged rows: real numbers and dates, and never a formula.

A number of Excel is a double, which it shows with 15 digits. What has more is written as text, and
so are days before March 1900, which its calendar counts wrongly, NaN and the infinities.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowbook.errors import RowbookError
from rowbook.sources.files.excel.sheet_style import ColumnWidth, number_format
from rowbook.sources.source_errors import output_error

if TYPE_CHECKING:
    import pyarrow as pa

MOST_ROWS, MOST_COLUMNS, LONGEST_TEXT = 1_048_576, 16_384, 32_767
_DIGITS = 15
_FIRST_DAY = date(1900, 3, 1)
_MADE = datetime(2000, 1, 1)
"""When every workbook says that it was made: the same rows become the same bytes."""
_BATCH = 4096
_HEADER = {"bold": True, "bg_color": "#DDE5EE", "bottom": 1, "valign": "top"}


@dataclass(frozen=True, slots=True)
class SheetContent:
    """Rows that are staged as parquet files, in the order of their names."""

    name: str
    files: tuple[Path, ...]
    rows: int


def check_size(rows: int, columns: int, label: str) -> None:
    """OUTPUT_006 where a sheet has no room for it."""
    if rows + 1 > MOST_ROWS:
        why = f"would have {rows:,} rows; a sheet has room for {MOST_ROWS - 1:,} below its header"
        raise output_error(label, why, "write csv or parquet, or fewer rows by a selector")
    if columns > MOST_COLUMNS:
        raise output_error(label, f"would have {columns:,} columns, and a sheet {MOST_COLUMNS:,}")


def write_workbook(path: Path, sheets: Sequence[SheetContent], label: str) -> None:
    """OUTPUT_006 for a text that no cell can hold."""
    import xlsxwriter

    options = {
        "constant_memory": True,
        "tmpdir": str(path.parent),
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with xlsxwriter.Workbook(str(path), options) as workbook:
        workbook.use_zip64()
        workbook.set_properties({"created": _MADE})
        for sheet in sheets:
            _Sheet(workbook, sheet, label).write()


class _Sheet:
    def __init__(self, workbook: Any, rows: SheetContent, label: str) -> None:
        import pyarrow.parquet as pq

        self._rows, self._label = rows, label
        self._fields: list[pa.Field] = list(pq.read_schema(rows.files[0]))
        self._sheet = workbook.add_worksheet(rows.name)
        self._header = workbook.add_format(_HEADER)
        formats = {name: workbook.add_format({"num_format": name}) for name in self._formats()}
        self._styles = [formats.get(number_format(f.type) or "") for f in self._fields]
        self._text = workbook.add_format({"num_format": "@", "align": "right"})

    def _formats(self) -> list[str]:
        found = (number_format(field.type) for field in self._fields)
        return sorted({each for each in found if each is not None})

    def write(self) -> None:
        sheet, columns = self._sheet, len(self._fields)
        widths = [ColumnWidth.of_header(field.name) for field in self._fields]
        for place, field in enumerate(self._fields):
            sheet.write_string(0, place, field.name, self._header)
        for number, values in enumerate(self._values(), start=1):
            for place, value in enumerate(values):
                if value is not None:
                    widths[place].see(value)
                    self._write(number, place, value)
        for place, width in enumerate(widths):
            sheet.set_column(place, place, width.characters)
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, max(self._rows.rows, 1), columns - 1)

    def _values(self) -> Iterator[tuple[Any, ...]]:
        import pyarrow.parquet as pq

        for path in self._rows.files:
            with pq.ParquetFile(path, coerce_int96_timestamp_unit="us") as file:
                for batch in file.iter_batches(batch_size=_BATCH):
                    yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    def _write(self, row: int, place: int, value: Any) -> None:
        sheet, style = self._sheet, self._styles[place]
        match value:
            case str():
                self._check_text(row, place, value)
                sheet.write_string(row, place, value)
            case bool():
                sheet.write_boolean(row, place, value)
            case datetime():
                moment = value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
                if moment.date() < _FIRST_DAY:
                    sheet.write_string(row, place, moment.isoformat(" "), self._text)
                else:
                    sheet.write_datetime(row, place, moment, style)
            case date():
                if value < _FIRST_DAY:
                    sheet.write_string(row, place, value.isoformat(), self._text)
                else:
                    sheet.write_datetime(row, place, value, style)
            case _ if _is_exact(value):
                sheet.write_number(row, place, value, style)
            case _:
                sheet.write_string(row, place, _number_text(value), self._text)

    def _check_text(self, row: int, place: int, value: str) -> None:
        """Excel counts what UTF-16 has units for."""
        if len(value) <= LONGEST_TEXT // 2:
            return
        length = len(value.encode("utf-16-le")) // 2
        if length > LONGEST_TEXT:
            raise self._too_long(row, place, length)

    def _too_long(self, row: int, place: int, length: int) -> RowbookError:
        name = self._fields[place].name
        why = f"column '{name}' holds a text of {length:,} characters in row {row + 1:,}"
        hint = f"a cell has room for {LONGEST_TEXT:,}; cut it with LEFT, or write csv or parquet"
        return output_error(f"{self._label}:", why, hint)


def _is_exact(value: Decimal | int | float) -> bool:
    """Whether Excel has the number with all its digits; of a float it has as many as it shows."""
    if isinstance(value, float):
        return math.isfinite(value)
    digits = "".join(map(str, Decimal(value).as_tuple().digits))
    return len(digits.strip("0")) <= _DIGITS


def _number_text(value: Decimal | int | float) -> str:
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return f"{Decimal(value):f}"
