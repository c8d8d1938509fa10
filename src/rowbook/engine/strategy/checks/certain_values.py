"""Which expressions have a value on every row: nothing in them can overflow."""

from __future__ import annotations

from rowbook.expressions import bound
from rowbook.expressions.bound import Bound
from rowbook.expressions.functions import OF_RUN
from rowbook.expressions.types import MAX_PRECISION, Kind, as_decimal

_CERTAIN = OF_RUN.union(
    ("=", "<>", "<", "<=", ">", ">=", "AND", "OR", "NOT", "LIKE", "ISNULL", "COALESCE", "NULLIF"),
    ("LEAST", "GREATEST", "MIN", "MAX", "SIGN", "CONCAT", "UPPER", "LOWER", "TRIM", "LTRIM"),
    ("RTRIM", "LEFT", "RIGHT", "SUBSTRING", "LEN", "CONTAINS", "STARTS_WITH", "ENDS_WITH"),
    ("POSITION", "REPLACE", "SPLIT_PART", "YEAR", "QUARTER", "MONTH", "DAY", "WEEKDAY"),
    ("TO_INTEGER", "TO_DECIMAL", "DATE", "TIMESTAMP"),
)
_EXACT = frozenset(("+", "-", "*", "NEGATE", "ABS"))
"""Of decimals they have all digits, as long as these are fewer than a decimal can have."""


def is_certain(node: Bound) -> bool:
    return all(map(_is_certain, bound.walk(node)))


def _is_certain(node: Bound) -> bool:
    match node:
        case bound.Constant() | bound.Parameter() | bound.Column():
            return True
        case bound.OneOf() | bound.Choice():
            return True
        case bound.Convert(operand, kind):
            return _has_room(operand, node) or kind.kind not in (Kind.DECIMAL, Kind.INTEGER)
        case bound.Call(function) if function in _EXACT:
            return node.type.kind is Kind.FLOAT or (
                node.type.kind is Kind.DECIMAL and node.type.precision < MAX_PRECISION
            )
        case bound.Call(function):
            return function in _CERTAIN
        case _:
            return False


def _has_room(operand: Bound, converted: Bound) -> bool:
    if operand.type.kind not in (Kind.INTEGER, Kind.DECIMAL):
        return False
    if converted.type.kind is not Kind.DECIMAL:
        return False
    of, into = as_decimal(operand.type), converted.type
    return into.integer_digits >= of.integer_digits and into.scale >= of.scale
