"""Columns that have types of their own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from rowbook.expressions.values import Value
from rowbook.inference.columns.column_choice import ColumnChoice
from rowbook.inference.columns.typed_columns import TypedColumn, typed_choice


def _choice(values: Sequence[Value], physical: str, name: str = "c") -> ColumnChoice | str:
    column = TypedColumn()
    column.add(values)
    return typed_choice(column, physical, name)


def _type(values: Sequence[Value], physical: str, name: str = "c") -> str:
    found = _choice(values, physical, name)
    assert isinstance(found, ColumnChoice)
    return str(found.type)


def test_types_of_the_source_are_kept() -> None:
    assert _type([1, None], "bigint") == "integer"
    assert _type([Decimal("1.10")], "decimal(12,2)") == "decimal(12,2)"
    assert _type(["4000"], "string") == "string"
    assert _type([date(2026, 1, 31)], "date") == "date"


def test_whole_numbers_that_are_all_days_are_dates() -> None:
    found = _choice([20260131, 20260228], "int", "POSTED_DATE")
    assert isinstance(found, ColumnChoice)
    assert (str(found.type), dict(found.options)) == ("date", {"date_format": "yyyyMMdd"})
    assert found.evidence == "date: all 2, int in the source as yyyyMMdd"
    assert _type([20260131, 20260228], "int", "order") == "integer"
    assert _type([20260101 + n for n in range(28)], "int", "order") == "date"
    assert _type([20260131, 20261301], "int", "POSTED_DATE") == "integer"


def test_floats_as_short_as_people_write_them_are_decimals() -> None:
    assert _type([1.5, -2.25, 1e6], "double") == "decimal(18,2)"
    assert _type([1.08345], "double") == "decimal(18,5)"
    assert _type([1 / 3], "double") == "float"
    assert _type([1.5, float("nan")], "double") == "float"


def test_numbers_of_a_database_without_bounds_get_those_that_are_seen() -> None:
    assert _type([Decimal("1.5"), Decimal("12345.678")], "numeric") == "decimal(18,3)"


def test_what_cannot_be_loaded_is_not_proposed() -> None:
    assert _choice([None], "binary") == "it is binary"
