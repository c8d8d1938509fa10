"""Columns whose values have types of their own, as those of parquet files, databases and workbooks:
what was seen of them, and the types that are proposed for them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal

from rowbook.expressions import types as t
from rowbook.expressions.types import Type
from rowbook.expressions.values import Value
from rowbook.inference.columns.column_choice import ColumnChoice, counted

DAY_FORMAT = "yyyyMMdd"
_DATED = re.compile(r"dat|day|tag|jour|fecha", re.IGNORECASE)
_TELLING = 5
"""So many whole numbers that are all days are no coincidence, whatever the column is called."""
_YEARS = range(1900, 2101)
_EXACT = 15
"""Figures of a float that are what was meant."""
_MOST_SCALE = 6
_ROOM = 18
_PHYSICAL: dict[str, Type] = {
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint"), t.INTEGER),
    **dict.fromkeys(("timestamp", "timestamp_ntz"), t.TIMESTAMP),
    "boolean": t.BOOLEAN,
    "date": t.DATE,
    "string": t.STRING,
}
_NUMERIC = "numeric"
"""Of a database: any number, which Spark reads as text."""
_DECIMAL = re.compile(r"decimal\(([0-9]+),([0-9]+)\)")


@dataclass(slots=True)
class TypedColumn:
    """`days`: all whole numbers so far are dates as yyyyMMdd. `whole` and `scale` are the figures
    before and behind the point of the longest number."""

    rows: int = 0
    nulls: int = 0
    empty: int = 0
    numbers: int = 0
    days: bool = True
    is_whole: bool = True
    is_finite: bool = True
    is_midnight: bool = True
    whole: int = 1
    scale: int = 0
    kinds: set[type] = field(default_factory=set)

    def add(self, values: Sequence[Value], _: Sequence[str] = ()) -> None:
        self.rows += len(values)
        for value in values:
            match value:
                case None:
                    self.nulls += 1
                    continue
                case bool():
                    pass
                case int():
                    self._add_integer(value)
                case float():
                    self._add_float(value)
                case Decimal():
                    self._add_figures(value)
                case datetime():
                    self.is_midnight &= value.time() == time()
            self.kinds.add(type(value))

    def _add_integer(self, value: int) -> None:
        self.numbers += 1
        self.whole = max(self.whole, len(str(abs(value))))
        self.days = self.days and _is_day(value)

    def _add_float(self, value: float) -> None:
        self.numbers += 1
        if not math.isfinite(value):
            self.is_finite = False
            return
        if value.is_integer() and abs(value) < 10**_EXACT:
            self.whole = max(self.whole, len(str(abs(int(value)))))
            self.days = self.days and _is_day(int(value))
            return
        self.is_whole = self.days = False
        self._add_figures(Decimal(repr(value)))

    def _add_figures(self, value: Decimal) -> None:
        number = value.as_tuple()
        if not isinstance(number.exponent, int):
            self.is_finite = False
            return
        self.scale = max(self.scale, -number.exponent)
        self.whole = max(self.whole, len(number.digits) + number.exponent)


def typed_choice(column: TypedColumn, physical: str, name: str) -> ColumnChoice | str:
    """By the physical type, as Spark's SQL names it; a text says why there is none."""
    values = column.rows - column.nulls
    found = _DECIMAL.fullmatch(physical)
    kind = t.decimal(int(found[1]), int(found[2])) if found else _PHYSICAL.get(physical)
    options: dict[str, str] = {}
    said = "" if physical == str(kind) else f", {physical} in the source"
    if kind == t.INTEGER and is_days(column, name):
        kind, options = t.DATE, {"date_format": DAY_FORMAT}
        said += f" as {DAY_FORMAT}"
    elif physical in ("float", "double"):
        kind = float_type(column)
        said += "" if kind == t.FLOAT else f": none has more than {column.scale} decimals"
    elif physical == _NUMERIC and column.is_finite:
        scale = max(column.scale, 2)
        fits = column.whole + scale <= t.MAX_PRECISION
        kind = t.decimal(max(_ROOM, column.whole + scale), scale) if fits else t.STRING
    if kind is None:
        return f"it is {physical}"
    note = counted(kind, values, column) + said
    return ColumnChoice(kind, note, column.rows, column.nulls, 0, options)


def is_days(column: TypedColumn, name: str) -> bool:
    if not column.numbers or not column.days:
        return False
    return column.numbers >= _TELLING or _DATED.search(name) is not None


def float_type(column: TypedColumn) -> Type:
    """A decimal, where all numbers are as short as those that people write; else float."""
    scale = max(column.scale, 2)
    is_short = column.is_finite and column.scale <= _MOST_SCALE
    if not column.numbers or not is_short or column.whole + column.scale > _EXACT:
        return t.FLOAT
    return t.decimal(_ROOM, scale)


def _is_day(number: int) -> bool:
    year, month, day = number // 10_000, number // 100 % 100, number % 100
    if year not in _YEARS:
        return False
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
