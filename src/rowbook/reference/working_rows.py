"""Rows of the reference engine, and how expressions read their cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeAlias

from rowbook.errors import Diagnostic, RowbookError
from rowbook.expressions.bound import Column
from rowbook.expressions.scalars.casts import to_string
from rowbook.expressions.values import Value
from rowbook.planning.columns import Columns
from rowbook.value_class import dataclass


class Overflows:
    """Stands in each cell whose value does not fit its type. As on Spark, such a value is an error
    only where something reads it; RUN_001 then tells of the first that there was."""

    def __init__(self) -> None:
        self.first: Diagnostic | None = None

    def note(self, overflow: Diagnostic) -> Overflows:
        self.first = self.first or overflow
        return self

    def error(self) -> RowbookError:
        assert self.first is not None
        return RowbookError(self.first)


Cell: TypeAlias = Value | Overflows
Row: TypeAlias = Mapping[str, Cell]
"""A row by column. It never changes: an operation that does something to it makes another."""

JoinedRow: TypeAlias = Mapping[str | None, Row]
"""A row of the dataset itself (None) and the rows that joins found for it, by alias."""


@dataclass(frozen=True, slots=True)
class WorkingRows:
    """The working dataset after some operation, deleted rows included."""

    columns: Columns
    rows: Sequence[Row]

    def with_columns(self, columns: Columns) -> WorkingRows:
        """With columns that an operation adds, NULL on all rows."""
        new = dict.fromkeys(name for name in columns.fields if name not in self.columns.fields)
        return WorkingRows(columns, [{**row, **new} for row in self.rows] if new else self.rows)

    def values(self) -> list[dict[str, Value]]:
        """All that is in it, each row in the order of the columns."""
        return [{name: seen(row[name]) for name in self.columns.fields} for row in self.rows]


def seen(cell: Cell) -> Value:
    """The value of a cell that is read."""
    if isinstance(cell, Overflows):
        raise cell.error()
    return cell


def read_cell(column: Column) -> Callable[[JoinedRow], Value]:
    """For the evaluator; a column that no row of a join was found for is NULL."""
    source, name = column.source, column.name

    def cell(row: JoinedRow) -> Value:
        value = row[source][name]
        if value.__class__ is Overflows:
            return seen(value)
        return value  # type: ignore[return-value]

    return cell


def text_of(value: Value) -> str:
    """A value as messages about data show it: timestamps with a space, NULL by its name."""
    if value is None:
        return "NULL"
    if isinstance(value, datetime):
        text = value.astimezone(UTC).replace(tzinfo=None).isoformat(" ")
        return text.rstrip("0") if value.microsecond else text
    return to_string(value)
