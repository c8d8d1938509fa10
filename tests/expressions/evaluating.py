"""A table with columns of every type, and tables of cases: (expression, row, value).

A column that a row leaves out is NULL. Values must be equal in type and scale too.
"""

from __future__ import annotations

import math
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TypeAlias

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Bound
from rowbook.expressions.evaluate import Value, evaluate
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.periods import GREGORIAN
from rowbook.planning.run_context import moment_in

Given: TypeAlias = dict[tuple[str | None, str], Value]
Case: TypeAlias = tuple[str, Given, Value]

TYPES = {
    "s": t.STRING,
    "u": t.STRING,
    "i": t.INTEGER,
    "j": t.INTEGER,
    "d": t.decimal(18, 2),
    "w": t.decimal(38, 10),
    "n": t.decimal(38, 0),
    "f": t.FLOAT,
    "g": t.FLOAT,
    "b": t.BOOLEAN,
    "c": t.BOOLEAN,
    "day": t.DATE,
    "at": t.TIMESTAMP,
}
RATES = {"s": t.STRING, "rate": t.decimal(18, 8)}
SCOPE = Scope(
    Table.of(Field(name, kind) for name, kind in TYPES.items()),
    "gl",
    {"rates": Table.of(Field(name, kind) for name, kind in RATES.items())},
)
MOMENT = moment_in(
    GREGORIAN.parse("2026-01"), GREGORIAN, datetime(2026, 2, 1, 0, 30, 15, tzinfo=UTC)
)

NAN, INF = math.nan, math.inf
MOST, LEAST = 2**63 - 1, -(2**63)

KINDS: dict[type, t.Kind] = {
    str: t.Kind.STRING,
    int: t.Kind.INTEGER,
    Decimal: t.Kind.DECIMAL,
    float: t.Kind.FLOAT,
    bool: t.Kind.BOOLEAN,
    date: t.Kind.DATE,
    datetime: t.Kind.TIMESTAMP,
}

CASES: list[Case] = []
"""Of all tables."""


def row(**values: Value) -> Given:
    """A row of the table; the alias `rates` has found nothing."""
    nothing: Given = {
        **{(None, name): None for name in TYPES},
        **{("rates", name): None for name in RATES},
    }
    return nothing | {(None, name): value for name, value in values.items()}


def dec(number: str | int) -> Decimal:
    """A decimal, with the scale it is written with."""
    return Decimal(number)


def utc(year: int, month: int, day: int, *time: int) -> datetime:
    """A timestamp."""
    hour, minute, second, microsecond = (*time, 0, 0, 0, 0)[:4]
    return datetime(year, month, day, hour, minute, second, microsecond, UTC)


def cases(*table: Case) -> pytest.MarkDecorator:
    """Parametrises a test by a table, and keeps the table for the checks of all tables."""
    CASES.extend(table)
    return pytest.mark.parametrize(("text", "given", "value"), table)


def tree_of(text: str, scope: Scope = SCOPE) -> Bound:
    """The tree of an expression without errors."""
    binding = bind(text, scope)
    assert binding.usable, binding.faults
    return binding.tree


def value_of(text: str, given: Given) -> Value:
    """The value of an expression on a row."""
    return evaluate(tree_of(text), given, MOMENT)


def told_apart(value: Value) -> object:
    """1, 1.0, 1.00 and TRUE are four values, 0.0 and -0.0 are two; NaN equals itself."""
    return type(value), repr(value)


def check(text: str, given: Given, value: Value) -> None:
    """That an expression has a value, and that the binder foretells its type."""
    assert told_apart(value_of(text, given)) == told_apart(value)
    check_type(tree_of(text), value)


def check_type(tree: Bound, value: Value) -> None:
    """That a tree says NULL, kind and scale of its value."""
    if value is None:
        assert tree.nullable
    else:
        assert tree.type.kind is KINDS[type(value)]
    if isinstance(value, Decimal):
        assert tree.type.scale == -int(value.as_tuple().exponent)
