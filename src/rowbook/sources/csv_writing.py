"""Csv files from a frame: text such that reading it gives the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as s

from rowbook.errors import RowbookError
from rowbook.sources.compacting import compact_csv
from rowbook.sources.csv_dialect import CsvDialect, dialect_of
from rowbook.sources.csv_lines import count_rows
from rowbook.sources.files import DataFile
from rowbook.sources.places import FileTarget
from rowbook.sources.spark_names import named
from rowbook.sources.text_forms import TextForm

REFUSED = "ROWBOOK OUTPUT_006: "
"""Begins what is raised inside Spark where a value cannot be written."""

_EMPTY_LINE = "a csv file of one column cannot hold NULL: the line would be empty"
_NUMBERS = (s.DecimalType, s.DoubleType, s.FloatType)


@dataclass(frozen=True, slots=True)
class CsvWriting:
    """RFC 4180: a header, quotes where needed, decimals plain, dates and timestamps (UTC) ISO, NULL
    as nothing and empty text as ""; or what the dialect says."""

    dialect: CsvDialect

    @classmethod
    def to(cls, target: FileTarget) -> CsvWriting:
        """As the target's options say; DATASOURCE_002 for an encoding that cannot be written."""
        dialect = dialect_of(target.options, target.shown)
        if dialect.translation is not None:
            message = f"{target.shown}: csv files cannot be written in {dialect.encoding}"
            raise RowbookError.of("DATASOURCE_002", message, hint="leave encoding out for UTF-8")
        return cls(dialect)

    @property
    def options(self) -> dict[str, str]:
        """What Spark's writer is told."""
        options = {
            "header": str(self.dialect.header).lower(),
            "sep": self.dialect.delimiter,
            "quote": self.dialect.quote,
            "escape": self.dialect.escape,
            "encoding": self.dialect.spark_charset,
            "nullValue": self.dialect.null_text or "",
            "emptyValue": self.dialect.quote * 2,
            "ignoreLeadingWhiteSpace": "false",
            "ignoreTrailingWhiteSpace": "false",
        }
        packed = self.dialect.compression
        return options | ({"compression": packed} if packed else {})

    def prepare(self, frame: DataFrame, by: Sequence[str]) -> DataFrame:
        """Every column as text; NULL stays NULL."""
        texts = {
            f.name: _text(named(f.name), f.dataType, self.dialect.form) for f in frame.schema.fields
        }
        alone = [name for name in texts if name not in by]
        if len(alone) == 1 and not self.dialect.null_text:
            refusal = F.raise_error(F.lit(REFUSED + _EMPTY_LINE)).cast("string")
            texts[alone[0]] = F.coalesce(texts[alone[0]], refusal)
        return frame.select(*(text.alias(name) for name, text in texts.items()))

    def compact(self, _: SparkSession, written: Path, __: Sequence[str]) -> Path:
        """Few files."""
        compact_csv(written, self.dialect)
        return written

    def rows(self, file: DataFile) -> int:
        """How many rows a file holds."""
        return count_rows(file.path, self.dialect)


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
