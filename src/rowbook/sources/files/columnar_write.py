"""Orc and parquet files from a frame."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as s

from rowbook.planning.columns import PERIOD
from rowbook.sources.files.file_table import ARROW_CODECS, FileTarget, arrow_codec
from rowbook.sources.files.listing import FileKind, LocalFile
from rowbook.sources.files.orc.footer import read_orc_footer
from rowbook.sources.files.parquet.metadata import read_footer
from rowbook.sources.files.parquet.row_files import RowFiles, write_parquet
from rowbook.sources.plain_output import PlainOutput
from rowbook.sources.publishing.compaction import rewrite
from rowbook.sources.publishing.file_layout import NewFile, is_small
from rowbook.sources.publishing.local_write import WriteFile, put_together
from rowbook.spark.column_names import column
from rowbook.spark.markers import in_calendar_gap, refusing

_LAST_SECOND = "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z"
_NO_DAY = "an orc file cannot hold days from 1582-10-05 to 1582-10-14: its calendar lacks them"
_NO_FRACTION = "an orc file cannot hold fractions of the last second before 1970"


@dataclass(frozen=True, slots=True)
class ColumnarWriting:
    """As Spark writes them; what an orc file would give back as another value is refused."""

    kind: FileKind
    options: dict[str, str]

    @classmethod
    def to(cls, target: FileTarget) -> ColumnarWriting:
        packed = target.options.get("compression")
        options = {"compression": packed} if packed else {}
        return cls(target.kind, options)

    def prepare(self, frame: DataFrame) -> DataFrame:
        if self.kind == "parquet":
            return frame
        fields = frame.schema.fields
        return frame.select(*(_held(column(f.name), f.dataType).alias(f.name) for f in fields))

    def arrange(
        self, spark: SparkSession, written: Path, by: Sequence[str], files: Sequence[NewFile]
    ) -> None:
        write_file = self.local_writing()
        if write_file is not None and is_small(files):
            put_together(files, write_file)
        elif files:
            rewrite(spark, self.kind, written, by, files, self.options)

    def part_rows(self, file: LocalFile) -> int:
        return self.rows(file)

    def local_writing(self) -> WriteFile | None:
        codec = self._codec
        if codec is None:
            return None

        def write(table: pa.Table, path: Path) -> Path:
            file = path.with_name(f"{path.name}{ARROW_CODECS[codec]}")
            write_parquet(table, file, codec)
            return file

        return write

    def row_files(self, folder: Path, columns: Sequence[str], by: Sequence[str]) -> RowFiles | None:
        codec = self._codec
        if codec is None:
            return None
        return RowFiles(
            str(folder),
            str(uuid.uuid4()),
            codec,
            ARROW_CODECS[codec],
            tuple(columns),
            by[0] if by else None,
            PERIOD.name,
        )

    @property
    def _codec(self) -> str | None:
        return arrow_codec(self.kind, self.options)

    def plain_table(self, output: PlainOutput) -> pa.Table | None:
        return output.table() if self.kind == "parquet" else None

    def rows(self, file: LocalFile) -> int:
        read = read_footer if self.kind == "parquet" else read_orc_footer
        return read(file.path, file.path.name).rows


def _held(value: Column, kind: s.DataType) -> Column:
    lost = in_calendar_gap(value, kind)
    if lost is None:
        return value.cast("string") if isinstance(kind, s.NullType) else value
    held = F.when(lost, refusing(_NO_DAY).cast(kind))
    if isinstance(kind, s.TimestampType):
        second, after = (F.lit(moment).cast(kind) for moment in _LAST_SECOND)
        held = held.when((value > second) & (value < after), refusing(_NO_FRACTION).cast(kind))
    return held.otherwise(value)
