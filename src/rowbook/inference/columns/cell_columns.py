"""Columns of a sheet, whose cells are texts, numbers and dates as people typed them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from rowbook.expressions import types as t
from rowbook.expressions.types import Kind, Type
from rowbook.expressions.values import Value
from rowbook.inference.columns.column_choice import ColumnChoice, counted
from rowbook.inference.columns.typed_columns import TypedColumn, float_type
from rowbook.inference.columns.value_shapes import SampleValue, TextProfile

_NUMBERS = {int, float}
_DATES = {date, datetime}
_MOST_FIGURES = 15
"""Of a number that a sheet keeps exactly."""


@dataclass(slots=True)
class CellColumn:
    """`texts` are those cells that are text, `others` the other ones; `first` is the first text,
    and `unfit` the first cell that is no value at all, such as #N/A."""

    texts: TextProfile = field(default_factory=TextProfile)
    others: TypedColumn = field(default_factory=TypedColumn)
    rows: int = 0
    nulls: int = 0
    empty: int = 0
    first: SampleValue | None = None
    unfit: SampleValue | None = None

    def add(self, values: Sequence[Value], places: Sequence[str]) -> None:
        self.rows += len(values)
        self.nulls += values.count(None)
        texts: list[str] = []
        text_places: list[str] = []
        others: list[Value] = []
        for value, place in zip(values, places, strict=True):
            if type(value) is str:
                texts.append(value)
                text_places.append(place)
            elif isinstance(value, str):
                self.unfit = self.unfit or SampleValue(1, value, place)
            elif value is not None:
                others.append(value)
        if texts:
            self.first = self.first or SampleValue(1, texts[0], text_places[0])
            self.texts.add(texts, text_places)
        self.others.add(others, ())


def cell_choice(column: CellColumn, as_text: ColumnChoice) -> ColumnChoice | str:
    """`as_text` is what its texts alone would be. A text says why there is no type for it."""
    if column.unfit is not None:
        return f"it holds {column.unfit.text} at {column.unfit.place}, which is no value"
    kinds, values = column.others.kinds, column.rows - column.nulls
    kind: Type | None = t.STRING if not values else as_text.type if not kinds else None
    said = ""
    if kinds and not column.texts.texts:
        kind = _typed(column)
    elif kinds and column.texts.texts:
        kind, said = _mixed(column, as_text.type)
    if kind is None:
        first = column.first
        told = f", such as '{first.text}' at {first.place}" if first else ""
        return f"it holds values of several types{told}"
    if not kinds and values:
        note = as_text.evidence.partition(";")[2]
        said = f";{note}" if note else said
    note = f"{counted(kind, values, column)}{said}"
    options = as_text.options if kind == as_text.type else {}
    return ColumnChoice(kind, note, column.rows, column.nulls, 0, options)


def _typed(column: CellColumn) -> Type | None:
    others = column.others
    if others.kinds <= _NUMBERS:
        is_short = others.whole <= _MOST_FIGURES and others.is_finite
        return t.INTEGER if others.is_whole and is_short else float_type(others)
    if others.kinds <= _DATES:
        return t.DATE if others.is_midnight else t.TIMESTAMP
    return t.BOOLEAN if others.kinds == {bool} else None


def _mixed(column: CellColumn, text: Type) -> tuple[Type | None, str]:
    """Texts beside numbers: codes where all numbers are whole, amounts where all texts are some."""
    others = column.others
    if not others.kinds <= _NUMBERS:
        return None, ""
    if text.kind is Kind.DECIMAL and others.is_finite:
        return t.decimal(18, max(text.scale, others.scale)), ", some as text"
    if others.is_whole and others.whole <= _MOST_FIGURES:
        return t.STRING, ", some as numbers"
    return None, ""
