r"""Text into declared types, strictly: what is not exactly a value of the type does not fit.

The rules, for Spark and for Python (which names lines after a failure) alike; no spaces around:

- integer: `[+-]digits`, within 64 bits; in json also with an exponent, as json has it (`1E+3`).
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

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.compile.conversions import date_of, timestamp_of
from rowbook.engine.compile.spark_types import sql_type
from rowbook.expressions.literals import parse_date, parse_timestamp
from rowbook.expressions.types import Kind, Type
from rowbook.expressions.values import INTEGERS
from rowbook.sources.files.text.value_forms import Layout, TextForm, layout_of

_INTEGER = "[+-]?[0-9]+"
_FLOAT = r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?|NaN|-?Infinity"
_EXPONENT = r"[+-]?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{1,3}"

_USUAL = r"(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?Z"
"""Timestamps as most write them, ourselves among them: read without any rewriting."""

_EXACT = Context(prec=2000)


def from_text(text: Column, to: Type, form: TextForm) -> Column:
    """A text that does not fit is NULL, and only such a one."""
    match to.kind:
        case Kind.STRING:
            return text
        case Kind.INTEGER:
            usual = F.when(_whole(text, _INTEGER), text.try_cast("bigint"))
            if not form.exponents:
                return usual
            whole = text.try_cast("decimal(38,0)").try_cast("bigint")
            return usual.otherwise(F.when(_is_exact(text, 0), whole))
        case Kind.DECIMAL:
            point = _with_point(text, form)
            value = point.try_cast(sql_type(to))
            exact = F.when(_is_exact(point, to.scale), value)
            return F.when(_whole(point, _decimal(to)), value).otherwise(exact)
        case Kind.FLOAT:
            point = _with_point(text, form)
            value = point.try_cast("double")
            finite = F.abs(value) != F.lit(float("inf"))
            sound = _whole(point, _FLOAT) & (finite | point.endswith("Infinity"))
            return F.when(sound, value)
        case Kind.BOOLEAN:
            lower = F.translate(text, "TRUEFALS", "truefals")  # F.lower: see row_ids
            return F.when(lower.isin("true", "false"), lower == "true")
        case Kind.DATE:
            return date_of(_iso(text, _layout(form.date_format, with_time=False)))
        case Kind.TIMESTAMP:
            iso = _iso(text, _layout(form.timestamp_format, with_time=True))
            usual = F.when(_whole(iso, _USUAL), iso.try_cast("timestamp"))
            return F.coalesce(usual, timestamp_of(iso))
        case _:
            raise AssertionError(f"no column is declared as {to}")


def fits(to: Type, form: TextForm) -> Callable[[str], bool]:
    """Whether a text is a value of a declared type, by the same rules."""

    if to.kind is Kind.STRING:
        return lambda _: True
    return lambda text: text.isascii() and _CHECKS[to.kind](text, to, form)


def _fits_integer(text: str, _: Type, form: TextForm) -> bool:
    if form.exponents and re.fullmatch(_EXPONENT, text):
        value = Decimal(text)
        return value == value.to_integral_value(context=_EXACT) and int(value) in INTEGERS
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


def _fits_date(text: str, to: Type, form: TextForm) -> bool:
    with_time = to.kind is Kind.TIMESTAMP
    layout = _layout(form.timestamp_format if with_time else form.date_format, with_time=with_time)
    iso = layout.iso(text) if layout else text
    return iso is not None and (parse_timestamp if with_time else parse_date)(iso) is not None


_CHECKS: dict[Kind, Callable[[str, Type, TextForm], bool]] = {
    Kind.INTEGER: _fits_integer,
    Kind.DECIMAL: _fits_decimal,
    Kind.FLOAT: _fits_float,
    Kind.BOOLEAN: lambda text, _, __: text.lower() in ("true", "false"),
    Kind.DATE: _fits_date,
    Kind.TIMESTAMP: _fits_date,
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


def _is_exact(text: Column, scale: int) -> Column:
    """Whether a text is a number with an exponent, and has no digit but zeros beyond a scale."""
    mantissa, power = (F.substring_index(F.translate(text, "e", "E"), "E", n) for n in (1, -1))
    fraction = F.length(F.regexp_extract(mantissa, r"\.([0-9]+)", 1))
    zeros = F.length(F.regexp_extract(F.translate(mantissa, ".", ""), "0*$", 0))
    within = fraction - zeros - power.try_cast("int") <= scale
    is_zero = F.translate(mantissa, "+-.0", "") == ""
    return _whole(text, _EXPONENT) & (within | is_zero)


def _layout(form: str | None, *, with_time: bool) -> Layout | None:
    return None if form is None else layout_of(form, with_time=with_time)


def _iso(text: Column, layout: Layout | None) -> Column:
    if layout is None:
        return text
    pattern = rf"^{layout.pattern}\z"
    return F.when(text.rlike(pattern), F.regexp_replace(text, pattern, layout.replacement))
