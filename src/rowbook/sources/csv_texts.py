"""Values as the text that csv files hold, such that reading them gives the same values."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as s

from rowbook.sources.csv_dialect import CsvDialect
from rowbook.sources.spark_names import named
from rowbook.sources.text_forms import TextForm

_NUMBERS = (s.DecimalType, s.DoubleType, s.FloatType)


def as_texts(frame: DataFrame, form: TextForm) -> DataFrame:
    """Every column as text: decimals plain, dates ISO, timestamps ISO in UTC, or as the form says.
    NULL stays NULL."""
    return frame.select(
        *(_text(named(f.name), f.dataType, form).alias(f.name) for f in frame.schema.fields)
    )


def writer_options(dialect: CsvDialect) -> dict[str, str]:
    """What Spark's writer is told: quotes only where needed, NULL as nothing, empty text as ""."""
    options = {
        "header": str(dialect.header).lower(),
        "sep": dialect.delimiter,
        "quote": dialect.quote,
        "escape": dialect.escape,
        "encoding": dialect.spark_charset,
        "nullValue": dialect.null_text or "",
        "emptyValue": dialect.quote * 2,
        "ignoreLeadingWhiteSpace": "false",
        "ignoreTrailingWhiteSpace": "false",
    }
    return options | ({"compression": dialect.compression} if dialect.compression else {})


def _text(column: Column, kind: s.DataType, form: TextForm) -> Column:
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
