r"""Text as values of declared types, strictly: what is not exactly a value does not fit.

No spaces around:

- integer: `[+-]digits`, within 64 bits; with `exponents` also one, as json has it (`1E+3`).
- decimal: `[+-]digits[.digits]`, no more digits before the point than the type has, none but zeros
  beyond its scale; also with an exponent (`1.5E+7`, `0E-18`) where the value then fits exactly.
- float: `[+-]digits[.digits][E[+-]digits]`, within 64 bits, or `NaN`, `Infinity`, `-Infinity`.
- boolean: `true` or `false` in any case.
- date, timestamp: ISO as in the language. Years 1 to 9999.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal

from rowbook.expressions.literals import parse_date, parse_timestamp
from rowbook.expressions.types import Kind, Type
from rowbook.expressions.values import INTEGERS, Value, rounded

_INTEGER = re.compile("[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?")
_NO_NUMBERS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def value_of_text(text: str, kind: Type, *, exponents: bool = False) -> Value:
    """ValueError where it is none."""
    if kind.kind is Kind.STRING:
        return text
    value = _read(text, kind, exponents=exponents) if text.isascii() else None
    if value is None:
        raise ValueError(f"'{text}' does not fit {kind}")
    return value


def _read(text: str, kind: Type, *, exponents: bool) -> Value:
    match kind.kind:
        case Kind.INTEGER:
            written = _NUMBER if exponents and "e" in text.lower() else _INTEGER
            return _integer(Decimal(text)) if written.fullmatch(text) else None
        case Kind.DECIMAL:
            return exact_decimal(Decimal(text), kind) if _NUMBER.fullmatch(text) else None
        case Kind.FLOAT:
            number = float(text) if _NUMBER.fullmatch(text) else math.inf
            return _NO_NUMBERS.get(text) if math.isinf(number) else number
        case Kind.BOOLEAN:
            return {"true": True, "false": False}.get(text.lower())
        case Kind.DATE:
            return parse_date(text)
        case Kind.TIMESTAMP:
            return parse_timestamp(text)
    raise AssertionError(f"no column is declared as {kind}")


def exact_decimal(value: Decimal, kind: Type) -> Decimal | None:
    """As the type holds it; None where it has more digits than that."""
    held = rounded(value, kind.precision, kind.scale)
    return held if held == value else None


def _integer(value: Decimal) -> int | None:
    fits = value.adjusted() < 20 and value == value.to_integral_value() and int(value) in INTEGERS
    return int(value) if fits else None
