"""A source's values as values of declared types: exact ones only, floats into decimals aside."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from rowbook.expressions.types import Kind, Type
from rowbook.expressions.values import INTEGERS, Value, float_as_decimal, rounded
from rowbook.reference.loading.text_values import exact_decimal, value_of_text

NO_FORMAT: Mapping[str, str] = MappingProxyType({})


def is_figured_date(kind: Type, own: Mapping[str, str]) -> bool:
    """Whether whole numbers are dates, such as 20260131: where the column says how it is written,
    they are read as their figures are."""
    return kind.kind is Kind.DATE and "date_format" in own


def fit_value(value: Value, kind: Type) -> Value:
    """ValueError where it does not fit. Text is read by its declared type."""
    if value is None:
        return None
    if isinstance(value, str):
        return value_of_text(value, kind)
    convert = _CONVERSIONS.get((type(value), kind.kind))
    fitted = convert(value, kind) if convert else None
    if fitted is None:
        raise ValueError(f"{value} does not fit {kind}")
    return fitted


def can_become(physical: str, kind: Type, own: Mapping[str, str] = NO_FORMAT) -> bool:
    """Whether values of a physical type, as Spark's SQL names it, can be of a declared type at all,
    whatever they are; `own` is the format of the column."""
    name, _, digits = physical.partition("(")
    if name == "string" or (_PHYSICAL.get(name) is int and is_figured_date(kind, own)):
        return True
    if name == "decimal" and kind.kind is Kind.INTEGER:
        return digits.endswith(",0)")
    return (_PHYSICAL.get(name), kind.kind) in _CONVERSIONS


def _same(value: Any, _: Type) -> Value:
    found: Value = value
    return found


def _integer(value: Decimal | int, _: Type) -> int | None:
    """A decimal of scale 0 is one."""
    if isinstance(value, Decimal) and value.as_tuple().exponent:
        return None
    number = int(value)
    return number if number in INTEGERS else None


def _decimal(value: Decimal | int, kind: Type) -> Decimal | None:
    return exact_decimal(Decimal(value), kind)


def _rounded(value: float, kind: Type) -> Decimal | None:
    if not math.isfinite(value):
        return None
    return rounded(float_as_decimal(value), kind.precision, kind.scale)


def _instant(value: datetime, _: Type) -> datetime:
    return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


_CONVERSIONS: dict[tuple[type, Kind], Callable[[Any, Type], Value]] = {
    (int, Kind.INTEGER): _integer,
    (int, Kind.DECIMAL): _decimal,
    (int, Kind.FLOAT): lambda value, _: float(value),
    (Decimal, Kind.INTEGER): _integer,
    (Decimal, Kind.DECIMAL): _decimal,
    (Decimal, Kind.FLOAT): lambda value, _: float(value),
    (float, Kind.DECIMAL): _rounded,
    (float, Kind.FLOAT): _same,
    (bool, Kind.BOOLEAN): _same,
    (date, Kind.DATE): _same,
    (date, Kind.TIMESTAMP): lambda day, _: datetime.combine(day, time(), UTC),
    (datetime, Kind.TIMESTAMP): _instant,
}
"""What is not here does not fit, whatever its value."""

_PHYSICAL: dict[str, type] = {
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint"), int),
    **dict.fromkeys(("float", "double"), float),
    **dict.fromkeys(("timestamp", "timestamp_ntz"), datetime),
    "decimal": Decimal,
    "boolean": bool,
    "date": date,
}
