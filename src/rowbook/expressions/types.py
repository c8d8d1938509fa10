"""The types of values, and which convert to which without being asked (SPEC: Types)."""

from __future__ import annotations

import re
from enum import StrEnum

from rowbook.value_class import dataclass

MAX_PRECISION = 38
MIN_SCALE_WHEN_CUT = 6


class Kind(StrEnum):
    """What sort of value; `NULL` is a bare NULL, `UNKNOWN` the type of a faulty expression."""

    STRING = "string"
    INTEGER = "integer"
    DECIMAL = "decimal"
    FLOAT = "float"
    BOOLEAN = "boolean"
    DATE = "date"
    TIMESTAMP = "timestamp"
    NULL = "null"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Type:
    """A type; precision and scale belong to decimals alone."""

    kind: Kind
    precision: int = 0
    scale: int = 0

    def __str__(self) -> str:
        if self.kind is Kind.DECIMAL:
            return f"decimal({self.precision},{self.scale})"
        return self.kind.value

    @property
    def is_numeric(self) -> bool:
        """Whether arithmetic works on it (an unknown type never causes a second error)."""
        return self.kind in _NUMERIC

    @property
    def is_open(self) -> bool:
        """NULL and UNKNOWN go with every type."""
        return self.kind in (Kind.NULL, Kind.UNKNOWN)

    @property
    def integer_digits(self) -> int:
        return self.precision - self.scale


_NUMERIC = frozenset({Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT, Kind.NULL, Kind.UNKNOWN})

STRING = Type(Kind.STRING)
INTEGER = Type(Kind.INTEGER)
FLOAT = Type(Kind.FLOAT)
BOOLEAN = Type(Kind.BOOLEAN)
DATE = Type(Kind.DATE)
TIMESTAMP = Type(Kind.TIMESTAMP)
NULL = Type(Kind.NULL)
UNKNOWN = Type(Kind.UNKNOWN)
INTEGER_AS_DECIMAL = Type(Kind.DECIMAL, 20, 0)
"""What a 64-bit integer becomes among decimals, as in Spark."""

_SIMPLE = {t.kind.value: t for t in (STRING, INTEGER, FLOAT, BOOLEAN, DATE, TIMESTAMP)}
_DECIMAL_TEXT = re.compile(r"decimal\s*\(\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*\)")
TYPE_NAMES = (*_SIMPLE, "decimal", "decimal(p,s)")


def decimal(precision: int, scale: int) -> Type:
    return Type(Kind.DECIMAL, precision, scale)


DEFAULT_DECIMAL = decimal(24, 6)


def parse_type(text: str) -> Type | None:
    if text == "decimal":
        return DEFAULT_DECIMAL
    if text in _SIMPLE:
        return _SIMPLE[text]
    found = _DECIMAL_TEXT.fullmatch(text)
    if not found:
        return None
    precision, scale = int(found[1]), int(found[2])
    if not 1 <= precision <= MAX_PRECISION or scale > precision:
        return None
    return decimal(precision, scale)


def bounded(precision: int, scale: int) -> Type:
    """The decimal that keeps all integer digits it can: past 38 digits the scale is cut, not below
    6 (Spark's adjustPrecisionScale)."""
    if precision <= MAX_PRECISION:
        return decimal(precision, scale)
    least = min(scale, MIN_SCALE_WHEN_CUT)
    return decimal(MAX_PRECISION, max(MAX_PRECISION - (precision - scale), least))


def common_type(a: Type, b: Type) -> Type | None:
    """The type both convert to implicitly: integer → decimal → float, date → timestamp."""
    if a == b or b.is_open:
        return a
    if a.is_open:
        return b
    kinds = {a.kind, b.kind}
    if kinds <= {Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT}:
        if Kind.FLOAT in kinds:
            return FLOAT
        x, y = as_decimal(a), as_decimal(b)
        scale = max(x.scale, y.scale)
        return bounded(max(x.integer_digits, y.integer_digits) + scale, scale)
    if kinds == {Kind.DATE, Kind.TIMESTAMP}:
        return TIMESTAMP
    return None


def as_decimal(t: Type) -> Type:
    return INTEGER_AS_DECIMAL if t.kind is Kind.INTEGER else t


def can_store(value: Type, column: Type) -> bool:
    """Whether a value of one type may be stored in a column of the other without being asked."""
    if value == column or value.is_open or column.is_open:
        return True
    match value.kind, column.kind:
        case (
            (Kind.INTEGER, Kind.DECIMAL | Kind.FLOAT)
            | (Kind.DECIMAL, Kind.DECIMAL | Kind.FLOAT)
            | (Kind.DATE, Kind.TIMESTAMP)
        ):
            return True
        case Kind.DECIMAL, Kind.INTEGER:
            return value.scale == 0
    return False


def new_column_type(value: Type, *, literals_only: bool) -> Type:
    """The type of a column made from a value: decimals get room for 18 integer digits, and 6 digits
    of scale where they come from literals alone."""
    if value.kind is not Kind.DECIMAL:
        return value
    scale = max(value.scale, 6) if literals_only else value.scale
    integer_digits = max(value.integer_digits, 18)
    return decimal(min(integer_digits + scale, MAX_PRECISION), scale)
