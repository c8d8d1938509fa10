"""Text into declared types on Spark, by the rules of reference/loading/text_values.py; beside them
a source may say how it writes numbers, dates and timestamps."""

from __future__ import annotations

from dataclasses import replace

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.compile.conversions import date_of, timestamp_of
from rowbook.engine.compile.spark_types import sql_type
from rowbook.expressions.date_layouts import Layout, layout_of
from rowbook.expressions.types import Kind, Type
from rowbook.sources.files.text.number_layouts import NumberLayout
from rowbook.sources.files.text.value_forms import ISO, NO_NUMBERS, NUMBER_MARK, TextForm

_INTEGER = "[+-]?[0-9]+"
_FLOAT = r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?|NaN|-?Infinity"
_EXPONENT = r"[+-]?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{1,3}"

_USUAL = r"(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?Z"
"""Timestamps as most write them, ourselves among them: read without any rewriting."""


def from_text(text: Column, to: Type, form: TextForm) -> Column:
    """A text that does not fit is NULL, and only such a one."""
    by_rules = _by_rules(text, to, form)
    plain = _plain(text, to) if replace(form, exponents=False) == ISO else None
    return by_rules if plain is None else plain.otherwise(by_rules)


def _plain(text: Column, to: Type) -> Column | None:
    """A WHEN for texts as programs write them, told without a regular expression: a number that
    Spark writes as it was written, up to zeros behind the point; a date whose dashes and last digit
    stand where they must, as Spark takes shorter parts and anything behind."""
    match to.kind:
        case Kind.INTEGER:
            value = text.try_cast("bigint")
            return F.when(value.cast("string") == text, value)
        case Kind.DECIMAL:
            value = text.try_cast(sql_type(to))
            return F.when(value.cast("string").startswith(text) & ~text.endswith("."), value)
        case Kind.DATE:
            dashes = (F.substring(text, 5, 1) == "-") & (F.substring(text, 8, 1) == "-")
            ends = F.substring(text, 10, 1).between("0", "9") & (text >= "0001")
            return F.when((F.octet_length(text) == 10) & dashes & ends, text.try_cast("date"))
    return None


def _by_rules(text: Column, to: Type, form: TextForm) -> Column:
    match to.kind:
        case Kind.STRING:
            return text
        case Kind.INTEGER:
            plain = text if form.numbers is None else _in_layout(text, form.numbers)
            usual = F.when(_whole(plain, _INTEGER), plain.try_cast("bigint"))
            if not form.exponents:
                return usual
            whole = plain.try_cast("decimal(38,0)").try_cast("bigint")
            return usual.otherwise(F.when(_is_exact(plain, 0), whole))
        case Kind.DECIMAL:
            point = _with_point(text, form)
            value = point.try_cast(sql_type(to))
            exact = F.when(_is_exact(point, to.scale), value)
            return F.when(_whole(point, _decimal(to)), value).otherwise(exact)
        case Kind.FLOAT:
            point = _with_point(text, form)
            if form.numbers is not None:
                point = F.when(text.isin(*NO_NUMBERS), text).otherwise(point)
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


def from_marked_text(text: Column, to: Type, form: TextForm) -> Column:
    """As `from_text`, where numbers of json have NUMBER_MARK around them, and are in no form."""
    number = from_text(F.translate(text, NUMBER_MARK, ""), to, replace(ISO, exponents=True))
    return F.when(text.startswith(NUMBER_MARK), number).otherwise(from_text(text, to, form))


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
    if form.numbers is not None:
        return _in_layout(text, form.numbers)
    comma = form.decimal_separator
    return text if comma == "." else F.translate(text, f"{comma}.", f".{comma}")


def _in_layout(text: Column, layout: NumberLayout) -> Column:
    """NULL where a text is no number in a layout."""
    number = F.translate(text, layout.was, layout.now)
    if layout.trails:
        is_signed = number.endswith("-") | number.endswith("+")
        rest = F.left(number, F.length(number) - 1)
        signed = F.concat(F.right(number, F.lit(1)), rest)
        number = F.when(is_signed, signed).otherwise(number)
    return F.when(_whole(text, layout.pattern), number)


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
