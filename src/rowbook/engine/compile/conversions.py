"""Conversions: explicit ones give NULL for what does not fit, implicit ones fail."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.compile.pattern_texts import patterned_text
from rowbook.engine.compile.spark_types import spark_type
from rowbook.expressions.bound import Call
from rowbook.expressions.types import Kind

_DATE = r"^(?!0000)\d{4}-\d{2}-\d{2}\z"
_TIMESTAMP = (
    r"^(?!0000)\d{4}-\d{2}-\d{2}"
    r"([Tt ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?[ \t\n\x0B\f\r]*([Zz]|[+-]\d{2}:\d{2})?)?\z"
)
_INTEGER = r"^ *[+-]?\d+(\.\d+)? *\z"
_NUMBER = r"^ *[+-]?\d+(\.\d+)?([eE][+-]?\d{1,3})? *\z"


def date_of(text: Column) -> Column:
    """The date of an ISO text, else NULL."""
    return F.when(text.rlike(_DATE), text).try_cast("date")


def timestamp_of(text: Column) -> Column:
    """The instant of an ISO text, else NULL."""
    upper = F.translate(F.regexp_replace(text, r"\s+(?=[Zz+-])", ""), "tz", "TZ")
    return F.when(text.rlike(_TIMESTAMP), upper).try_cast("timestamp")


def to_string(a: Sequence[Column], node: Call) -> Column:
    """ISO timestamps; everything else as Spark's ANSI cast has it."""
    if len(a) > 1:
        return patterned_text(a[0], node)
    if node.arguments[0].type.kind is Kind.TIMESTAMP:
        return F.concat(F.replace(a[0].cast("string"), F.lit(" "), F.lit("T")), F.lit("Z"))
    return a[0].cast("string")


def to_integer(a: Sequence[Column], node: Call) -> Column:
    """Without its fraction, toward zero."""
    if node.arguments[0].type.kind is Kind.STRING:
        whole = F.regexp_extract(a[0], r"^ *([+-]?\d+)", 1)
        return F.when(a[0].rlike(_INTEGER), whole).try_cast("bigint")
    return a[0].try_cast("bigint")


def to_decimal(a: Sequence[Column], node: Call) -> Column:
    """Rounded half up."""
    target = spark_type(node.type)
    if node.arguments[0].type.kind is Kind.STRING:
        return F.when(a[0].rlike(_NUMBER), F.trim(a[0])).try_cast(target)
    return a[0].try_cast(target)
