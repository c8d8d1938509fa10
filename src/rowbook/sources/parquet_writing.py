"""Parquet files from a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from rowbook.sources.compacting import compact_parquet
from rowbook.sources.files import DataFile
from rowbook.sources.parquet_footer import read_footer
from rowbook.sources.places import FileTarget


@dataclass(frozen=True, slots=True)
class ParquetWriting:
    """As Spark writes them."""

    options: dict[str, str]

    @classmethod
    def to(cls, target: FileTarget) -> ParquetWriting:
        """As the target's options say."""
        packed = target.options.get("compression")
        return cls({"compression": packed} if packed else {})

    def prepare(self, frame: DataFrame, _: Sequence[str]) -> DataFrame:
        """The frame as it is."""
        return frame

    def compact(self, spark: SparkSession, written: Path, by: Sequence[str]) -> Path:
        """Few files."""
        return compact_parquet(spark, written, by, self.options)

    def rows(self, file: DataFile) -> int:
        """How many rows a file holds."""
        return read_footer(file.path, file.path.name).rows
