"""Few files instead of many small ones: Spark writes one for each of its partitions."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from pyspark.sql import SparkSession

from rowbook.sources.csv_dialect import CsvDialect
from rowbook.sources.csv_heads import header_size
from rowbook.sources.files import DataFile, data_files, plain_path, spark_path
from rowbook.sources.spark_names import named

SMALL = 16 * 2**20
"""Bytes up to which a result becomes one file (in each folder): what one task rewrites in a second.
Larger results keep the files that Spark's tasks made, each of them then worth a task."""

_FILE, _ROW = "__file", "__row"


def compact_csv(written: Path, dialect: CsvDialect) -> None:
    """Joins the text of small files, in their order, with one header."""
    if dialect.compression or not dialect.is_ascii_based:
        return
    for files in _crowded(data_files(written, "csv")):
        first, *rest = files
        header = header_size(first.path, dialect)
        with first.path.open("ab") as joined:
            for file in rest:
                with file.path.open("rb") as part:
                    part.seek(header)
                    shutil.copyfileobj(part, joined)
                file.path.unlink()


def compact_parquet(
    spark: SparkSession, written: Path, partitions: Sequence[str], options: Mapping[str, str]
) -> Path:
    """The same rows in the same order in one file for each folder; gives where they are now."""
    files = data_files(written, "parquet")
    if not list(_crowded(files)):
        return written
    frame = spark.read.option("basePath", plain_path(written)).parquet(
        *(spark_path(file.path) for file in files)
    )
    metadata = frame.metadataColumn("_metadata")
    place = {_FILE: metadata["file_path"], _ROW: metadata["row_index"]}
    order = [*partitions, _FILE, _ROW]
    ordered = (
        frame.select(*map(named, frame.columns), *(c.alias(name) for name, c in place.items()))
        .coalesce(1)
        .sortWithinPartitions(*map(named, order))
        .drop(_FILE, _ROW)
    )
    compacted = written.with_name(f"{written.name}-compacted")
    ordered.write.partitionBy(*partitions).options(**options).parquet(plain_path(compacted))
    shutil.rmtree(written)
    return compacted


def _crowded(files: Sequence[DataFile]) -> Iterator[list[DataFile]]:
    """The files of each folder that has more than one, if all together they are small."""
    if sum(file.size for file in files) > SMALL:
        return
    for _, group in groupby(files, key=lambda file: file.path.parent):
        together = list(group)
        if len(together) > 1:
            yield together
