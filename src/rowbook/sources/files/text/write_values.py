"""Values as text formats write them."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as s

from rowbook.sources.files.text.value_forms import TextForm

_NUMBERS = (s.DecimalType, s.DoubleType, s.FloatType)


def as_text(column: Column, kind: s.DataType, form: TextForm) -> Column:
    """A value as text: decimals plain, dates and timestamps (UTC) ISO, or as the form says."""
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
    if isinstance(kind, _NUMBERS) and form.decimal_separator != ".":
        return F.translate(text, ".", form.decimal_separator)
    return text
