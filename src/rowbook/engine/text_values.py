r"""Text into declared types, strictly: what is not exactly a value of the type does not fit.

The rules, for Spark and for Python (which names lines after a failure) alike; no spaces around:

- integer: `[+-]digits`, within 64 bits.
- decimal: `[+-]digits[.digits]`, no more digits before the point than the type has, none but zeros
  beyond its scale; also with an exponent (`1.5E+7`, `0E-18`) where the value then fits exactly.
- float: `[+-]digits[.digits][E[+-]digits]`, within 64 bits, or `NaN`, `Infinity`, `-Infinity`.
- boolean: `true` or `false` in any case.
- date, timestamp: ISO as in the language, or the source's format. Years 1 to 9999.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import NamedTuple

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.conversions import date_of, timestamp_of
from rowbook.engine.spark_types import spark_type
from rowbook.expressions.literals import parse_date, parse_timestamp
from rowbook.expressions.types import Kind, Type
from rowbook.expressions.values import INTEGERS
from rowbook.sources.text_forms import Layout, TextForm, layout_of

_INTEGER = "[+-]?[0-9]+"
_SHORT_INTEGER = "[+-]?[0-9]{1,18}"
_FLOAT = r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?|NaN|-?Infinity"
_EXPONENT = r"[+-]?(?=[0-9.]{1,15}[eE])[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{1,2}"
"""Few enough digits that two different values are two different floats."""

_EXACT = Context(prec=2000)


class Fitted(NamedTuple):
    """A column in its declared type; `misfit` is TRUE where a value does not fit, FALSE elsewhere,
    and None where every value does."""

    value: Column
    misfit: Column | None = None


def from_text(text: Column, to: Type, form: TextForm) -> Fitted:
    """A text column in a declared type."""
    match to.kind:
        case Kind.STRING:
            return Fitted(text)
        case Kind.INTEGER:
            value = text.try_cast("bigint")
            sound = _whole(text, _SHORT_INTEGER) | (_whole(text, _INTEGER) & value.isNotNull())
        case Kind.DECIMAL:
            point = _with_point(text, form)
            value = point.try_cast(spark_type(to))
            same = value.cast("double") == point.try_cast("double")
            sound = _whole(point, _decimal(to)) | (
                _whole(point, _EXPONENT) & F.coalesce(same, F.lit(False))
            )
        case Kind.FLOAT:
            point = _with_point(text, form)
            value = point.try_cast("double")
            finite = F.abs(value) != F.lit(float("inf"))
            sound = _whole(point, _FLOAT) & (finite | point.endswith("Infinity"))
        case Kind.BOOLEAN:
            lower = F.lower(text)
            value, sound = lower == "true", lower.isin("true", "false")
        case Kind.DATE:
            value = date_of(_iso(text, _layout(form.date_format, with_time=False)))
            sound = value.isNotNull()
        case Kind.TIMESTAMP:
            value = timestamp_of(_iso(text, _layout(form.timestamp_format, with_time=True)))
            sound = value.isNotNull()
        case _:
            raise AssertionError(f"no column is declared as {to}")
    return Fitted(value, text.isNotNull() & ~sound)


def fits(to: Type, form: TextForm) -> Callable[[str], bool]:
    """Whether a text is a value of a declared type, by the same rules."""

    def check(text: str) -> bool:
        if to.kind is Kind.STRING:
            return True
        return text.isascii() and _CHECKS[to.kind](text, to, form)

    return check


def _fits_integer(text: str, _: Type, __: TextForm) -> bool:
    if not re.fullmatch(_INTEGER, text):
        return False
    digits = text.lstrip("+-").lstrip("0")
    return len(digits) <= 19 and int(text[:1].strip("+0123456789") + (digits or "0")) in INTEGERS


def _fits_decimal(text: str, to: Type, form: TextForm) -> bool:
    point = _pointed(text, form)
    if re.fullmatch(_decimal(to), point):
        return True
    if not re.fullmatch(_EXPONENT, point):
        return False
    value = Decimal(point)
    held = value.quantize(Decimal(1).scaleb(-to.scale), ROUND_HALF_UP, _EXACT)
    return held == value and (not held or held.adjusted() < to.integer_digits)


def _fits_float(text: str, _: Type, form: TextForm) -> bool:
    point = _pointed(text, form)
    if not re.fullmatch(_FLOAT, point):
        return False
    return point.endswith("Infinity") or abs(float(point)) != float("inf")


def _fits_boolean(text: str, _: Type, __: TextForm) -> bool:
    return text.lower() in ("true", "false")


def _fits_date(text: str, _: Type, form: TextForm) -> bool:
    layout = _layout(form.date_format, with_time=False)
    iso = layout.iso(text) if layout else text
    return iso is not None and parse_date(iso) is not None


def _fits_timestamp(text: str, _: Type, form: TextForm) -> bool:
    layout = _layout(form.timestamp_format, with_time=True)
    iso = layout.iso(text) if layout else text
    return iso is not None and parse_timestamp(iso) is not None


_CHECKS: dict[Kind, Callable[[str, Type, TextForm], bool]] = {
    Kind.INTEGER: _fits_integer,
    Kind.DECIMAL: _fits_decimal,
    Kind.FLOAT: _fits_float,
    Kind.BOOLEAN: _fits_boolean,
    Kind.DATE: _fits_date,
    Kind.TIMESTAMP: _fits_timestamp,
}


def _decimal(to: Type) -> str:
    """Plain numbers that a decimal type holds exactly: zeros in front and behind do not count."""
    return (
        rf"[+-]?(?=[0-9])0*[0-9]{{0,{to.integer_digits}}}"
        rf"(?:\.(?=[0-9])[0-9]{{0,{to.scale}}}0*)?"
    )


def _whole(text: Column, pattern: str) -> Column:
    return text.rlike(rf"^(?:{pattern})\z")


def _with_point(text: Column, form: TextForm) -> Column:
    """With a decimal point; where another separator is said, a point itself does not fit."""
    comma = form.decimal_separator
    return text if comma == "." else F.translate(text, f"{comma}.", f".{comma}")


def _pointed(text: str, form: TextForm) -> str:
    comma = form.decimal_separator
    return text if comma == "." else text.translate(str.maketrans(f"{comma}.", f".{comma}"))


def _layout(form: str | None, *, with_time: bool) -> Layout | None:
    return None if form is None else layout_of(form, with_time=with_time)


def _iso(text: Column, layout: Layout | None) -> Column:
    if layout is None:
        return text
    pattern = rf"^{layout.pattern}\z"
    return F.when(text.rlike(pattern), F.regexp_replace(text, pattern, layout.replacement))
