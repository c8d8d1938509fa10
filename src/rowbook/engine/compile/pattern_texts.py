"""Texts by patterns, and dates read by them, put together from parts: Spark's own formatter has its
own idea of what is lenient, of names in any case, and of numbers that round to zero."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.compile.spark_types import sql_type
from rowbook.expressions import types as t
from rowbook.expressions.bound import Call, Constant
from rowbook.expressions.scalars.date_patterns import (
    MONTHS,
    SHORT_MONTHS,
    WRITTEN_OF_TIMES,
    parse_pattern,
    parse_reading,
    reading_regex,
)
from rowbook.expressions.scalars.number_patterns import (
    GROUPS,
    NumberForm,
    parse_number_pattern,
    scale_of,
)
from rowbook.expressions.types import Kind, Type

_OF_ONE_LENGTH = ("yyyy", "yy", "MMM", "MM", "dd")


def patterned_text(value: Column, node: Call) -> Column:
    pattern, kind = _pattern(node), node.arguments[0].type
    if kind.kind in (Kind.DATE, Kind.TIMESTAMP):
        parts = parse_pattern(pattern, WRITTEN_OF_TIMES)
        return F.concat(*(_WRITE[p.text](value) if p.is_field else F.lit(p.text) for p in parts))
    return _number_text(value, kind, pattern)


def patterned_date(a: Sequence[Column], node: Call) -> Column:
    """By what the pattern's expression finds, so that nothing lenient happens."""
    pattern = _pattern(node)
    regex, groups = reading_regex(pattern)
    whole = rf"\A(?:{regex})\z"
    places = _places(pattern)
    found = {
        name[0]: (
            name,
            F.substring(a[0], places[name], len(name))
            if name in places
            else F.regexp_extract(a[0], whole, number),
        )
        for name, number in groups.items()
    }
    year, month = found["y"], found["M"]
    years = F.concat(F.lit("20"), year[1]) if year[0] == "yy" else year[1]
    if month[0].startswith("MMM"):
        place = F.position(F.lower(F.left(month[1], F.lit(3))), F.lit(SHORT_MONTHS.lower()))
        months = ((place + 2) / 3).cast("int").cast("string")
    else:
        months = month[1]
    days = found["d"][1] if "d" in found else F.lit("1")
    iso = F.concat(years, F.lit("-"), _filled(months, 2), F.lit("-"), _filled(days, 2))
    is_read = a[0].rlike(whole) & ~iso.startswith("0000")
    return F.when(is_read, iso).try_cast("date")


def _places(pattern: str) -> dict[str, int]:
    """Fields that stand at the same place of every text, which is cheaper to look at."""
    found: dict[str, int] = {}
    place = 1
    for part in parse_reading(pattern):
        if part.is_field and part.text not in _OF_ONE_LENGTH:
            break
        if part.is_field:
            found[part.text] = place
        place += len(part.text)
    return found


def date_of_parts(year: Column, month: Column, day: Column) -> Column:
    """NULL where it is none."""
    parts = ((year, 1, 9999, 4), (month, 1, 12, 2), (day, 1, 31, 2))
    exists = [(part >= least) & (part <= most) for part, least, most, _ in parts]
    texts = [_filled(part.cast("string"), digits) for part, *_, digits in parts]
    iso = F.concat(texts[0], F.lit("-"), texts[1], F.lit("-"), texts[2])
    return F.when(exists[0] & exists[1] & exists[2], iso).try_cast("date")


def _pattern(node: Call) -> str:
    pattern = node.arguments[1]
    assert isinstance(pattern, Constant)
    return str(pattern.value)


def _filled(text: Column, digits: int) -> Column:
    """With zeros before it, where it is shorter."""
    return F.when(F.length(text) < digits, F.lpad(text, digits, "0")).otherwise(text)


def _digits(part: Callable[[Column], Column], digits: int) -> Callable[[Column], Column]:
    return lambda at: F.lpad(part(at).cast("string"), digits, "0")


def _plain(part: Callable[[Column], Column]) -> Callable[[Column], Column]:
    return lambda at: part(at).cast("string")


def _month_name(at: Column) -> Column:
    return F.element_at(F.array(*map(F.lit, MONTHS)), F.month(at))


def _fraction(digits: int) -> Callable[[Column], Column]:
    def text(at: Column) -> Column:
        micros = F.pmod(F.unix_micros(at), F.lit(1_000_000))
        return F.substring(F.lpad(micros.cast("string"), 6, "0"), 1, digits)

    return text


_WRITE: dict[str, Callable[[Column], Column]] = {
    "yyyy": _digits(F.year, 4),
    "yy": _digits(lambda at: F.year(at) % 100, 2),
    "MMMM": _month_name,
    "MMM": lambda at: F.left(_month_name(at), F.lit(3)),
    "MM": _digits(F.month, 2),
    "M": _plain(F.month),
    "dd": _digits(F.dayofmonth, 2),
    "d": _plain(F.dayofmonth),
    "Q": _plain(F.quarter),
    "HH": _digits(F.hour, 2),
    "mm": _digits(F.minute, 2),
    "ss": _digits(F.second, 2),
    **{"S" * digits: _fraction(digits) for digits in range(1, 7)},
}


def _number_text(value: Column, kind: Type, pattern: str) -> Column:
    forms = parse_number_pattern(pattern)
    if kind.kind is Kind.FLOAT:
        kind = t.decimal(t.MAX_PRECISION, scale_of(forms))
        value = value.try_cast(sql_type(kind))
    elif kind.kind is Kind.INTEGER:
        kind = t.INTEGER_AS_DECIMAL
        value = value.cast(sql_type(kind))
    form, negative = forms
    other = negative or form
    below = _written(value, kind, other)
    if negative is None:
        below = F.concat(F.lit("-"), below)
    is_below = (value < 0) & (_size(value, kind, other) != 0)
    return F.when(is_below, below).otherwise(_written(value, kind, form))


def _size(value: Column, kind: Type, form: NumberForm) -> Column:
    """Without its sign, rounded half up to the digits that count."""
    size = F.abs(value)
    return size if form.scale >= kind.scale else F.round(size, form.scale)


def _written(value: Column, kind: Type, form: NumberForm) -> Column:
    text = _size(value, kind, form).cast("string")
    whole = F.split_part(text, F.lit("."), F.lit(1))
    fraction = F.rpad(F.split_part(text, F.lit("."), F.lit(2)), form.scale, "0")
    if form.percent:
        whole = F.concat(whole, F.substring(fraction, 1, 2))
        fraction = F.substring(fraction, 3, form.most)
    whole = _filled(F.regexp_replace(whole, "^0+", ""), form.digits)
    if form.grouped:
        whole = F.regexp_replace(whole, GROUPS, ",")
    if form.least < form.most:
        rest = F.regexp_replace(F.substring(fraction, form.least + 1, form.most), "0+$", "")
        fraction = F.concat(F.substring(fraction, 1, form.least), rest)
    tail = F.when(fraction == "", F.lit("")).otherwise(F.concat(F.lit("."), fraction))
    parts = (F.lit(form.before), whole, tail, F.lit(form.after))
    return F.concat(*parts)
