"""Rows of workbooks without Spark: values of their cells, each row with its file and its number in
the sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, time

from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.expressions.types import Kind, Type
from rowbook.expressions.values import Value
from rowbook.locations.sheet_ranges import cell_name
from rowbook.reference.loading.column_fit import ColumnFit
from rowbook.reference.loading.column_rows import ColumnRows
from rowbook.reference.loading.dataset_rows import PlainTable
from rowbook.reference.loading.fitting import fit_value
from rowbook.sources.files.bundles import Bundle, Placed, bundle
from rowbook.sources.files.excel.sheet_table import SheetHeader, SheetPlace, read_header, read_rows
from rowbook.sources.files.excel.workbook import NoValue
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.text.column_reading import text_fit
from rowbook.sources.files.text.options import text_form
from rowbook.sources.files.text.value_forms import TextForm

_FILE, _ROW = Field("__file", t.STRING), Field("__row", t.INTEGER)
_MOST_DIGITS = 10**15
"""Excel keeps fifteen digits of a number: a longer one is not what somebody typed."""


def header_of(placed: Placed) -> SheetHeader:
    file, place = placed.file, SheetPlace.of(placed.place.options)
    return read_header(file.path, file.state, placed.name, place)


def read_plain_excel(places: Sequence[FileTable]) -> tuple[PlainTable, ...]:
    """One for each file: what stands in one cell of a column, none of the others decides."""
    found = bundle(places, lambda placed: placed.name)
    return tuple(_table(each, with_rows=found.with_rows) for each in found.each)


def _table(each: Bundle[str], *, with_rows: bool) -> PlainTable:
    (placed,) = each.files
    place, label = placed.place, placed.name
    if with_rows:
        found = read_rows(placed.file.path, label, SheetPlace.of(place.options), place.wanted)
        header, numbers, columns = found.header, found.numbers, found.columns
    else:
        header, numbers = header_of(placed), []
        columns = {name: [] for name in header.columns}
    added = {**each.cells_of(placed), **({_FILE.name: label} if place.with_ids else {})}
    columns |= {name: [value] * len(numbers) for name, value in added.items()}
    if place.with_ids:
        columns[_ROW.name] = list(numbers)

    def cell(column: str, index: int) -> str:
        return f"{label} {header.sheet}!{cell_name(numbers[index], header.columns[column])}"

    return PlainTable(
        tuple(dict.fromkeys((*header.columns, *each.partitions))),
        ColumnRows(columns, len(numbers)),
        label,
        (_FILE, _ROW) if place.with_ids else (),
        period=place.period,
        partitions=each.partitions,
        fit=_cell_fit(text_form(place.options, place.label)),
        place_of=cell,
    )


def _cell_fit(form: TextForm) -> Callable[[str, Mapping[str, str]], ColumnFit]:
    """Texts as those of text files, by the form of the source and of the column."""
    fits = text_fit(form)

    def fit(column: str, own: Mapping[str, str]) -> ColumnFit:
        found = fits(column, own)
        return ColumnFit(_fit_cell(found.fit), found.guess)

    return fit


def _fit_cell(fit_text: Callable[[Value, Type], Value]) -> Callable[[Value, Type], Value]:
    """Text by the rules of text files. A number is a float, but whole ones may be integers, and the
    digits of a text; the midnight of a day may be that day."""

    def fit(value: Value, to: Type) -> Value:
        kind = to.kind
        if isinstance(value, str) and not isinstance(value, NoValue):
            return value if kind is Kind.STRING else fit_text(value, to)
        if value.__class__ is NoValue:
            raise ValueError(f"{value} does not fit {to}")
        if isinstance(value, float | int) and kind is Kind.STRING:
            return _digits(value)
        if isinstance(value, float) and kind is Kind.INTEGER and value.is_integer():
            value = int(value)
        elif isinstance(value, datetime) and kind is Kind.DATE and value.time() == time():
            value = value.date()
        return fit_value(value, to)

    return fit


def _digits(value: float) -> str:
    if isinstance(value, bool) or not float(value).is_integer() or abs(value) >= _MOST_DIGITS:
        raise ValueError(f"{value} is not a whole number of up to 15 digits")
    return str(int(value))
