"""Csv files from a frame: text such that reading it gives the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.errors import RowbookError
from rowbook.locations.text_encodings import WITH_MARK
from rowbook.sources.files.csv.dialect import CsvDialect, dialect_of
from rowbook.sources.files.csv.header import header_size
from rowbook.sources.files.csv.recoding import recode
from rowbook.sources.files.csv.records import count_rows, row_texts
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.listing import LocalFile, data_files
from rowbook.sources.files.text.arrangement import TextFiles
from rowbook.sources.files.text.write_values import as_text, plain_texts
from rowbook.sources.plain_output import PlainOutput
from rowbook.sources.publishing.file_layout import NewFile
from rowbook.sources.publishing.local_write import WriteFile
from rowbook.sources.source_errors import output_error
from rowbook.spark.column_names import column, named
from rowbook.spark.markers import refusing

_UTF_8 = "utf-8"
_EMPTY_LINE = "a csv file of one column cannot hold NULL: the line would be empty"


@dataclass(frozen=True, slots=True)
class CsvWriting:
    """RFC 4180: a header, quotes where needed, decimals plain, dates and timestamps (UTC) ISO, NULL
    as nothing and empty text as ""; or what the dialect says."""

    dialect: CsvDialect
    label: str
    with_mark: bool = False

    @classmethod
    def to(cls, target: FileTarget) -> CsvWriting:
        """DATASOURCE_002 for lines above the header."""
        dialect = dialect_of(target.options, target.label)
        if dialect.header_row > 1:
            message = f"{target.label}: a csv file that is written begins with its header"
            raise RowbookError.of("DATASOURCE_002", message, hint="leave header_row out")
        return cls(dialect, target.label, target.options.get("bom") == "true")

    @property
    def encoding(self) -> str:
        """As Python writes it, with the mark of it where that is wanted."""
        encoding = self.dialect.encoding
        return WITH_MARK.get(encoding, encoding) if self.with_mark else encoding

    @property
    def staged(self) -> CsvDialect:
        """As Spark writes them. Of characters that an encoding lacks it would make others, so that
        all but UTF-8 is left to Python."""
        if self.encoding == _UTF_8:
            return self.dialect
        return replace(self.dialect, encoding=_UTF_8, compression=None)

    @property
    def options(self) -> dict[str, str]:
        dialect = self.staged
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
        packed = dialect.compression
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
        self, _: SparkSession, written: Path, __: Sequence[str], files: Sequence[NewFile]
    ) -> None:
        dialect = self.staged
        texts = TextFiles(
            dialect.encoding,
            dialect.compression,
            header=dialect.header,
            joins=dialect.compression is None,
            rows=lambda lines: row_texts(lines, dialect),
            header_bytes=lambda path: header_size(path, dialect),
        )
        texts.arrange(files)
        if dialect is not self.dialect:
            for file in data_files(written, "csv"):
                recode(file.path, dialect, self.encoding, self.dialect.compression, self.label)

    def part_rows(self, file: LocalFile) -> int:
        return count_rows(file.path, self.staged)

    def row_files(self, folder: Path, columns: Sequence[str], by: Sequence[str]) -> None:
        return None

    def local_writing(self) -> WriteFile | None:
        own_escape = self.dialect.escape != self.dialect.quote
        if own_escape or self.dialect.compression or self.encoding != _UTF_8:
            return None
        return self._write_file

    def plain_table(self, output: PlainOutput) -> pa.Table | None:
        """As `prepare` gives it."""
        if not self.dialect.form.is_plain:
            return None
        columns = [plain_texts(output, field) for field in output.fields]
        if len(columns) == 1 and not self.dialect.null_text and None in columns[0]:
            raise output_error(f"{self.label}:", _EMPTY_LINE)
        return pa.table([pa.array(each, pa.string()) for each in columns], names=output.columns)

    def _write_file(self, table: pa.Table, path: Path) -> Path:
        file = path.with_name(f"{path.name}.csv")
        columns = [each.to_pylist() for each in table.columns]
        with file.open("w", encoding=self.dialect.encoding, newline="") as text:
            if self.dialect.header:
                text.write(self._line(table.column_names))
            text.writelines(map(self._line, zip(*columns, strict=True)))
        return file

    def _line(self, cells: Sequence[str | None]) -> str:
        return f"{self.dialect.delimiter.join(map(self._cell, cells))}\n"

    def _cell(self, text: str | None) -> str:
        """As Spark writes it: in quotes only where it must be."""
        quote = self.dialect.quote
        if text is None:
            return self.dialect.null_text or ""
        special = (self.dialect.delimiter, quote, "\n", "\r")
        if text and not any(each in text for each in special):
            return text
        return f"{quote}{text.replace(quote, quote * 2)}{quote}"

    def rows(self, file: LocalFile) -> int:
        return count_rows(file.path, self.dialect)
