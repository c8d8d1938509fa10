"""Parquet files from a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.listing import DataFile
from rowbook.sources.files.parquet.metadata import read_footer
from rowbook.sources.publishing.compaction import rewrite
from rowbook.sources.publishing.file_layout import FileLayout, Part


@dataclass(frozen=True, slots=True)
class ParquetWriting:
    """As Spark writes them."""

    options: dict[str, str]
    layout: FileLayout

    @classmethod
    def to(cls, target: FileTarget) -> ParquetWriting:
        """As the target's options say."""
        packed = target.options.get("compression")
        return cls({"compression": packed} if packed else {}, FileLayout.of(target.options))

    def prepare(self, frame: DataFrame, _: Sequence[str]) -> DataFrame:
        """The frame as it is."""
        return frame

    def arrange(
        self, spark: SparkSession, written: Path, by: Sequence[str], parts: Sequence[Part]
    ) -> None:
        """As few files as the layout says."""
        if files := self.layout.new_files(parts):
            rewrite(spark, "parquet", written, by, files, self.options)

    def rows(self, file: DataFile) -> int:
        """How many rows a file holds."""
        return read_footer(file.path, file.path.name).rows
