"""Csv files from a frame: text such that reading it gives the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.errors import RowbookError
from rowbook.sources.files.csv.dialect import CsvDialect, dialect_of
from rowbook.sources.files.csv.header import header_size
from rowbook.sources.files.csv.records import count_rows, row_texts
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.listing import DataFile
from rowbook.sources.files.text.arrangement import TextFiles
from rowbook.sources.files.text.encodings import is_ascii_based
from rowbook.sources.files.text.write_values import as_text
from rowbook.sources.publishing.file_layout import NewFile
from rowbook.spark.column_names import column, named
from rowbook.spark.markers import refusing

_EMPTY_LINE = "a csv file of one column cannot hold NULL: the line would be empty"


@dataclass(frozen=True, slots=True)
class CsvWriting:
    """RFC 4180: a header, quotes where needed, decimals plain, dates and timestamps (UTC) ISO, NULL
    as nothing and empty text as ""; or what the dialect says."""

    dialect: CsvDialect

    @classmethod
    def to(cls, target: FileTarget) -> CsvWriting:
        """DATASOURCE_002 for an encoding that cannot be written."""
        dialect = dialect_of(target.options, target.label)
        if dialect.translation is not None:
            message = f"{target.label}: csv files cannot be written in {dialect.encoding}"
            raise RowbookError.of("DATASOURCE_002", message, hint="leave encoding out for UTF-8")
        return cls(dialect)

    @property
    def options(self) -> dict[str, str]:
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

    def prepare(self, frame: DataFrame) -> DataFrame:
        texts = {
            f.name: as_text(column(f.name), f.dataType, self.dialect.form)
            for f in frame.schema.fields
        }
        if len(texts) == 1 and not self.dialect.null_text:
            ((name, text),) = texts.items()
            texts[name] = F.coalesce(text, refusing(_EMPTY_LINE).cast("string"))
        return frame.select(*named(texts))

    def arrange(
        self, _: SparkSession, __: Path, ___: Sequence[str], files: Sequence[NewFile]
    ) -> None:
        dialect = self.dialect
        texts = TextFiles(
            dialect.encoding,
            dialect.compression,
            header=dialect.header,
            joins=is_ascii_based(dialect.encoding) and dialect.compression is None,
            rows=lambda lines: row_texts(lines, dialect),
            header_bytes=lambda path: header_size(path, dialect),
        )
        texts.arrange(files)

    def rows(self, file: DataFile) -> int:
        return count_rows(file.path, self.dialect)
