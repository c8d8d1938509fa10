"""TO_STRING, TO_INTEGER, TO_DECIMAL: a bad value is NULL, never an error."""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TypeAlias

from rowbook.expressions.values import INTEGERS, Value, float_as_decimal, rounded

TextOrNumber: TypeAlias = str | int | Decimal | float

_WHOLE = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?")
_SCIENTIFIC = re.compile(_WHOLE.pattern + r"(?:[eE][+-]?[0-9]{1,3})?")


def to_string(x: Value) -> str:
    """`true` or `false`; 2026-01-31; 2026-01-31T10:00:00Z, in UTC, with the digits of a fraction
    that are needed; a decimal plain with all digits of its scale; a float as Java writes it: 1.0,
    1.0E7, 1.0E-4, NaN, -Infinity."""
    match x:
        case bool():
            return "true" if x else "false"
        case datetime():
            return _instant(x)
        case date():
            return x.isoformat()
        case Decimal():
            return format(x, "f")
        case float():
            return _float(x)
        case _:
            return str(x)


def to_integer(x: TextOrNumber) -> int | None:
    """The fraction is cut off. A text may have spaces around it, a sign, and digits after a point,
    no exponent: ' -12.9 ' is -12. NULL for anything else, NaN, and beyond 64 bits."""
    number = _read(x, _WHOLE) if isinstance(x, str) else x
    if number is None or not INTEGERS.start - 1 < number < INTEGERS.stop:
        return None
    return int(number)


def to_decimal(x: TextOrNumber, precision: int, scale: int) -> Decimal | None:
    """Rounded half up, a float by its shortest decimal. A text may have spaces around it, a sign,
    digits after a point, and an exponent of up to 3 digits: '1.5e3' is 1500. NULL for anything
    else, NaN, and what the precision has no room for."""
    if isinstance(x, str):
        number = _read(x, _SCIENTIFIC)
    elif isinstance(x, float):
        number = float_as_decimal(x) if math.isfinite(x) else None
    else:
        number = Decimal(x)
    return None if number is None else rounded(number, precision, scale)


def _instant(at: datetime) -> str:
    text = at.astimezone(UTC).replace(tzinfo=None).isoformat()
    return (text.rstrip("0") if at.microsecond else text) + "Z"


def _float(x: float) -> str:
    """As Java's Double.toString: plain from 10^-3 to below 10^7."""
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    if x == 0 or 1e-3 <= abs(x) < 1e7:
        return repr(x)
    number = float_as_decimal(x)
    first, *others = number.as_tuple().digits
    fraction = "".join(map(str, others)).rstrip("0") or "0"
    return f"{'-' if x < 0 else ''}{first}.{fraction}E{number.adjusted()}"


def _read(text: str, form: re.Pattern[str]) -> Decimal | None:
    number = text.strip(" ")
    return Decimal(number) if form.fullmatch(number) else None
