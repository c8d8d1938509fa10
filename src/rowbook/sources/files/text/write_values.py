"""Values as text formats write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as s

from rowbook.expressions.scalars.casts import to_string
from rowbook.expressions.scope import Field
from rowbook.expressions.types import Kind
from rowbook.sources.files.text.value_forms import TextForm

if TYPE_CHECKING:
    from rowbook.sources.plain_output import PlainOutput

_WITH_FRACTION = (s.DecimalType, s.DoubleType, s.FloatType)
_NUMBERS = (*_WITH_FRACTION, s.ByteType, s.ShortType, s.IntegerType, s.LongType)
_GROUPS = "(?<=^[0-9]{1,38})(?=(?:[0-9]{3})+(?![0-9]))"
"""Where thousands are separated: in the digits that a number begins with."""

_NEGATIVE = {"leading": ("-", ""), "trailing": ("", "-"), "parentheses": ("(", ")")}


def as_text(column: Column, kind: s.DataType, form: TextForm) -> Column:
    """A value as text: decimals plain, dates and timestamps (UTC) ISO, or as the form says. Signs
    that it lets stand around numbers are not written."""
    if isinstance(kind, s.StringType):
        return column
    if isinstance(kind, s.TimestampType):
        if form.timestamp_format:
            return F.date_format(column, form.timestamp_format)
        iso = F.replace(column.cast("string"), F.lit(" "), F.lit("T"))
        return F.concat(iso, F.lit("Z"))
    if isinstance(kind, s.DateType) and form.date_format:
        return F.date_format(column, form.date_format)
    text = column.cast("string")
    if isinstance(kind, _WITH_FRACTION) and form.decimal_separator != ".":
        text = F.translate(text, ".", form.decimal_separator)
    return _in_form(text, form) if isinstance(kind, _NUMBERS) and form.numbers else text


def plain_texts(output: PlainOutput, field: Field) -> list[str | None]:
    """The values of a column, as `as_text` writes them by default."""
    match field.type.kind:
        case Kind.STRING:
            return output.values(field)
        case Kind.DECIMAL:
            values = output.array(field).to_pylist()  # with all digits of its scale
        case _:
            values = output.values(field)
    return [None if value is None else to_string(value) for value in values]


def _in_form(text: Column, form: TextForm) -> Column:
    """A number with its decimal separator; infinite ones are the same in every form."""
    before, behind = _NEGATIVE[form.negative]
    number = F.ltrim(text, F.lit("-"))
    if form.thousands_separator is not None:
        number = F.regexp_replace(number, _GROUPS, form.thousands_separator)
    negative = F.concat(F.lit(before), number, F.lit(behind))
    signed = F.when(text.startswith("-"), negative).otherwise(number)
    return F.when(text.endswith("Infinity"), text).otherwise(signed)
