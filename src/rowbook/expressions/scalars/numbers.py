"""Arithmetic, comparison and the functions of numbers.

Decimals come out exact or with hundreds of digits, integers of any size: `values.fit` rounds them
to the type of the result, or refuses them (RUN_001). Floats are IEEE 754.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeAlias

from rowbook.expressions.values import (
    EXACT,
    Value,
    float_as_decimal,
    in_order,
    overflow,
    rounded_to,
)

Number: TypeAlias = int | Decimal | float

_FARTHEST_DIGIT = 400
"""No digit of a float is farther from the decimal point than this."""


def add(a: Number, b: Number) -> Number:
    return _exactly(EXACT.add, operator.add, a, b)


def subtract(a: Number, b: Number) -> Number:
    return _exactly(EXACT.subtract, operator.sub, a, b)


def multiply(a: Number, b: Number) -> Number:
    return _exactly(EXACT.multiply, operator.mul, a, b)


def divide(a: Number, b: Number) -> Number | None:
    """NULL where b is zero, also for floats (0.0, -0.0); a decimal quotient is rounded once."""
    return None if b == 0 else _exactly(EXACT.divide, operator.truediv, a, b)


def remainder(a: Number, b: Number) -> Number | None:
    """Has the sign of a; NULL where b is zero, also for floats; NaN of an infinite float."""
    return None if b == 0 else _exactly(EXACT.remainder, _remainder, a, b)


def negate(x: Number) -> Number:
    """RUN_001 for the least integer; a decimal zero has no sign."""
    return x.copy_negate() if isinstance(x, Decimal) else -x


def absolute(x: Number) -> Number:
    """RUN_001 for the least integer."""
    return x.copy_abs() if isinstance(x, Decimal) else abs(x)


def round_half_up(x: Number, digits: int = 0) -> Number:
    """Half up, away from zero; a float by its shortest decimal (1.005 to 2 digits is 1.01), NaN
    and infinities as they are, never to -0.0. More digits than x has change nothing."""
    digits = max(-_FARTHEST_DIGIT, min(digits, _FARTHEST_DIGIT))
    if isinstance(x, float):
        return float(rounded_to(float_as_decimal(x), digits)) + 0.0 if math.isfinite(x) else x
    if isinstance(x, Decimal):
        return rounded_to(x, digits)
    return int(rounded_to(Decimal(x), digits))


def floor(x: Number) -> int:
    """RUN_001 where no 64-bit integer is the answer, also for NaN and infinities."""
    return _finite(x, "FLOOR", math.floor)


def ceiling(x: Number) -> int:
    return _finite(x, "CEIL", math.ceil)


def sign(x: Number) -> int:
    """0 also for -0.0; RUN_001 for NaN."""
    if x != x:
        raise overflow("SIGN of NaN is no integer")
    return (x > 0) - (x < 0)


def power(x: float, y: float) -> float | None:
    """As Java's: x^0 is 1, also of NaN; NULL for NaN, a fraction as exponent of a negative number,
    and 1 or -1 with an infinite exponent. 0 to a negative exponent, and what is too large, is
    infinite. The last bit may differ from the engine's."""
    if y == 0:
        return 1.0
    if math.isnan(x) or math.isnan(y) or (abs(x) == 1 and math.isinf(y)):
        return None
    try:
        return math.pow(x, y)
    except (OverflowError, ValueError):
        if x < 0 and not y.is_integer():
            return None
        return math.copysign(math.inf, x) if y % 2 == 1 else math.inf


def square_root(x: float) -> float | None:
    """NULL for a negative number and NaN."""
    return math.sqrt(x) if x >= 0 else None


def least(*values: Value) -> Value:
    """The first of equal ones; NaN is above every number."""
    return min(values, key=in_order)


def greatest(*values: Value) -> Value:
    return max(values, key=in_order)


def compare_by(holds: Callable[[Any, Any], bool]) -> Callable[[Value, Value], bool]:
    """A comparison of two values of one type, in the order that `in_order` gives."""

    def compare(a: Value, b: Value) -> bool:
        return holds(in_order(a), in_order(b))

    return compare


def _exactly(
    decimals: Callable[[Decimal, Decimal], Decimal],
    others: Callable[[Any, Any], Number],
    a: Number,
    b: Number,
) -> Number:
    if isinstance(a, Decimal) and isinstance(b, Decimal):
        return decimals(a, b)
    return others(a, b)


def _remainder(a: float, b: float) -> float:
    if isinstance(a, int):
        rest = abs(a) % abs(b)
        return -rest if a < 0 else rest
    return math.nan if math.isinf(a) else math.fmod(a, b)


def _finite(x: Number, function: str, whole: Callable[[Number], int]) -> int:
    if isinstance(x, float) and not math.isfinite(x):
        raise overflow(f"{function} of {x} is no integer")
    return whole(x)
