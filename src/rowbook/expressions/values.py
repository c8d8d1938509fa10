"""Values of the language: how they fit their types, how one becomes another, how they order."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import ROUND_HALF_UP, Context, Decimal, DivisionByZero, InvalidOperation, Overflow
from functools import cache
from typing import Any, TypeAlias

from rowbook.expressions import bound
from rowbook.expressions.types import Kind, Type

Value: TypeAlias = bound.Value | float
"""What an expression may give; timestamps are aware and in UTC."""

INTEGERS = range(-(2**63), 2**63)

EXACT = Context(
    prec=800, rounding=ROUND_HALF_UP, traps=[InvalidOperation, DivisionByZero, Overflow]
)
"""Digits enough for every sum, product and remainder of 38-digit decimals, for a quotient that
rounds once, and for the text of any float."""


class EvaluationError(Exception):
    """A value that cannot be: RUN_001, an arithmetic overflow (SPEC: Types)."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(f"{code}  {message}")


def overflow(message: str) -> EvaluationError:
    return EvaluationError("RUN_001", message)


def fit(value: Value, to: Type) -> Value:
    """The value as its type holds it: decimals rounded half up to their scale; RUN_001 where an
    integer needs more than 64 bits or a decimal more digits than its precision."""
    if isinstance(value, Decimal):
        held = rounded(value, to.precision, to.scale)
        if held is None:
            raise overflow(f"{value:f} does not fit {to}")
        return held
    if to.kind is Kind.INTEGER and value is not None and value not in INTEGERS:
        raise overflow(f"{value} does not fit {to}: it needs more than 64 bits")
    return value


def rounded(value: Decimal, precision: int, scale: int) -> Decimal | None:
    """Rounded half up to a scale, never a negative zero; None where the precision is too small."""
    room = precision - scale
    if value.adjusted() >= room and value:
        return None
    held = EXACT.quantize(value, _unit(scale))
    if not held:
        return held.copy_abs()
    return None if held.adjusted() >= room else held


def rounded_to(value: Decimal, digits: int) -> Decimal:
    """Rounded half up at a digit after the decimal point, or (negative) before it."""
    return EXACT.quantize(value, _unit(digits))


def converted(value: Value, to: Type) -> Value:
    """An implicit conversion: integer → decimal → float, decimal → decimal or integer, and a date
    to the timestamp of its midnight in UTC."""
    return None if value is None else fit(_CONVERSIONS[to.kind](value), to)


def in_order(value: Value) -> tuple[bool, Any]:
    """A key by which values of one type compare, as in Spark: texts by code points, FALSE before
    TRUE, NaN equal to itself and above every number, 0.0 equal to -0.0."""
    if isinstance(value, float) and math.isnan(value):
        return True, 0.0
    return False, value


def float_as_decimal(value: float) -> Decimal:
    """The shortest decimal that stands for a float: 0.1 is 0.1."""
    return Decimal(repr(value))


@cache
def _unit(scale: int) -> Decimal:
    return Decimal((0, (1,), -scale))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


_CONVERSIONS: dict[Kind, Callable[[Any], Value]] = {
    Kind.INTEGER: int,
    Kind.DECIMAL: Decimal,
    Kind.FLOAT: float,
    Kind.TIMESTAMP: _midnight,
}
