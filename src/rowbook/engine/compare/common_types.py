"""Values of two tables brought to one type, so that equal ones are equal whatever they were."""

from __future__ import annotations

from decimal import Decimal

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.compile.spark_types import sql_type
from rowbook.expressions import types as t
from rowbook.expressions.types import Kind, Type

_EXACT = frozenset({Kind.INTEGER, Kind.DECIMAL})
_NUMBERS = _EXACT | {Kind.FLOAT}
_INTEGER = t.decimal(19, 0)


def is_number(kind: Type) -> bool:
    return kind.kind in _NUMBERS


def common(one: Type, other: Type) -> Type | None:
    """None where values cannot be compared. Exact numbers that no decimal holds become text."""
    if one == other:
        return one
    kinds = {one.kind, other.kind}
    if kinds <= _EXACT:
        x, y = (_INTEGER if each.kind is Kind.INTEGER else each for each in (one, other))
        scale = max(x.scale, y.scale)
        precision = max(x.integer_digits, y.integer_digits) + scale
        return t.decimal(precision, scale) if precision <= t.MAX_PRECISION else t.STRING
    if kinds <= _NUMBERS:
        return t.FLOAT
    return t.TIMESTAMP if kinds == {Kind.DATE, Kind.TIMESTAMP} else None


def canonical(value: Column, kind: Type, to: Type) -> Column:
    """A value in the type in which it is compared; 0.0 and -0.0 are one number."""
    if to.kind is Kind.FLOAT:
        number = value.cast("double")
        return F.when(number == 0, F.lit(0.0)).otherwise(number)
    if kind == to:
        return value
    if to.kind is Kind.STRING:
        digits = value.cast("string")
        short = F.rtrim(F.rtrim(digits, F.lit("0")), F.lit("."))
        return F.when(digits.contains("."), short).otherwise(digits)
    return value.cast(sql_type(to))


def differs(before: Column, after: Column, kind: Type, tolerance: Decimal | None) -> Column:
    """By more than the tolerance, if any. NULL equals NULL and nothing else, NaN equals NaN."""
    unequal = ~before.eqNullSafe(after)
    if tolerance is None:
        return unequal
    if kind.kind in _EXACT:
        distance = F.abs(F.try_subtract(before, after))
        near = distance <= F.lit(tolerance)
    else:
        distance = F.abs(before.cast("double") - after.cast("double"))
        near = distance <= F.lit(float(tolerance))
    return unequal & ~F.coalesce(near, F.lit(False))
