"""The operators and scalar functions by name.

Not here, because they see NULLs or parts that are never evaluated: AND, OR, COALESCE, ISNULL,
NULLIF, GREATEST, LEAST and REQUIRE (`closures`), IF (bound as CASE); and MOD, which is bound as
`%`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from types import MappingProxyType

from rowbook.expressions.literals import parse_date, parse_timestamp
from rowbook.expressions.scalars import casts, date_patterns, dates, numbers, texts
from rowbook.expressions.scalars.number_patterns import format_number_by
from rowbook.expressions.values import Value


def to_string(x: Value, pattern: str | None = None) -> Value:
    if pattern is None:
        return casts.to_string(x)
    if isinstance(x, date):
        return date_patterns.format_date(x, pattern)
    assert isinstance(x, int | float | Decimal)
    return format_number_by(x, pattern)


SCALARS: Mapping[str, Callable[..., Value]] = MappingProxyType(
    {
        "+": numbers.add,
        "-": numbers.subtract,
        "*": numbers.multiply,
        "/": numbers.divide,
        "%": numbers.remainder,
        "NEGATE": numbers.negate,
        "=": numbers.compare_by(operator.eq),
        "<>": numbers.compare_by(operator.ne),
        "<": numbers.compare_by(operator.lt),
        "<=": numbers.compare_by(operator.le),
        ">": numbers.compare_by(operator.gt),
        ">=": numbers.compare_by(operator.ge),
        "NOT": operator.not_,
        "LIKE": texts.like,
        "ABS": numbers.absolute,
        "ROUND": numbers.round_half_up,
        "FLOOR": numbers.floor,
        "CEIL": numbers.ceiling,
        "MIN": numbers.least,
        "MAX": numbers.greatest,
        "SIGN": numbers.sign,
        "POWER": numbers.power,
        "SQRT": numbers.square_root,
        "CONCAT": texts.concat,
        "UPPER": texts.upper,
        "LOWER": texts.lower,
        "TRIM": texts.trim,
        "LTRIM": texts.trim_left,
        "RTRIM": texts.trim_right,
        "LEFT": texts.left,
        "RIGHT": texts.right,
        "SUBSTRING": texts.substring,
        "LEN": len,
        "CONTAINS": texts.contains,
        "STARTS_WITH": texts.starts_with,
        "ENDS_WITH": texts.ends_with,
        "POSITION": texts.position,
        "REPLACE": texts.replace,
        "LPAD": texts.pad_left,
        "RPAD": texts.pad_right,
        "SPLIT_PART": texts.split_part,
        "DATE": lambda *x: parse_date(*x) if len(x) == 1 else dates.of_parts(*x),
        "TIMESTAMP": parse_timestamp,
        "YEAR": dates.year,
        "QUARTER": dates.quarter,
        "MONTH": dates.month,
        "DAY": dates.day,
        "WEEKDAY": dates.weekday,
        "DATEDIFF": dates.between,
        "DATEADD": dates.add,
        "EOMONTH": dates.end_of_month,
        "TO_STRING": to_string,
        "TO_INTEGER": casts.to_integer,
        "TO_DECIMAL": casts.to_decimal,
        "TO_DATE": date_patterns.read_date,
    }
)
