"""The operators and scalar functions by name.

Not here, because they see NULLs or parts that are never evaluated: AND, OR, COALESCE, ISNULL and
NULLIF (`evaluate`), IF (bound as CASE); and MOD, which is bound as `%`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType

from rowbook.expressions.literals import parse_date, parse_timestamp
from rowbook.expressions.scalars import casts, dates, numbers, texts
from rowbook.expressions.values import Value

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
        "REPLACE": texts.replace,
        "LPAD": texts.pad_left,
        "RPAD": texts.pad_right,
        "SPLIT_PART": texts.split_part,
        "DATE": parse_date,
        "TIMESTAMP": parse_timestamp,
        "YEAR": dates.year,
        "QUARTER": dates.quarter,
        "MONTH": dates.month,
        "DAY": dates.day,
        "WEEKDAY": dates.weekday,
        "DATEDIFF": dates.days_between,
        "DATEADD": dates.add,
        "EOMONTH": dates.end_of_month,
        "TO_STRING": casts.to_string,
        "TO_INTEGER": casts.to_integer,
        "TO_DECIMAL": casts.to_decimal,
        "TO_DATE": casts.to_date,
    }
)
