"""Files that know their types, made anew by Spark: the same rows in the same order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import and_
from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql import types as s

from rowbook.sources.files.listing import FileKind, plain_path, spark_path
from rowbook.sources.publishing import file_layout
from rowbook.sources.publishing.file_layout import NewFile
from rowbook.sources.publishing.staging import settle
from rowbook.spark.column_names import column

_FILE, _BLOCK, _AT, _ROW = "__file", "__block", "__at", "__row"
_OF, _FIRST, _BEHIND, _NUMBER = "__of", "__first", "__behind", "__number"


def rewrite(
    spark: SparkSession,
    kind: FileKind,
    written: Path,
    by: Sequence[str],
    files: Sequence[NewFile],
    options: Mapping[str, str],
) -> None:
    """`by` are the columns that stand in folders' names."""
    parts = {p.part.file.path: p.part.file for file in files for p in file.pieces}
    frame = spark.read.option("basePath", plain_path(written)).format(kind)
    rows = _told_apart(frame.load([spark_path(path) for path in parts]))
    small = sum(part.size for part in parts.values()) <= file_layout.SMALL
    if small and len({file.folder for file in files}) == len(files):
        order = (*by, _FILE, _BLOCK, _AT)
        ordered = rows.coalesce(1).sortWithinPartitions(*map(column, order))
    else:
        ordered = _distributed(spark, rows, by, files)
    made = written.with_name(f"{written.name}-rewritten")
    bare = ordered.drop(_FILE, _BLOCK, _AT)
    bare.write.partitionBy(*by).format(kind).options(**options).save(plain_path(made))
    for path in parts:
        path.unlink()
    settle(made, written)


def _told_apart(frame: DataFrame) -> DataFrame:
    """With what tells the order of rows: a file is read in blocks, and each by one task."""
    metadata = frame.metadataColumn("_metadata")
    added = {
        _FILE: metadata["file_name"],
        _BLOCK: metadata["file_block_start"],
        _AT: F.monotonically_increasing_id(),
    }
    return frame.select(
        *map(column, frame.columns), *(value.alias(name) for name, value in added.items())
    )


def _distributed(
    spark: SparkSession, rows: DataFrame, by: Sequence[str], files: Sequence[NewFile]
) -> DataFrame:
    where = _assignment(spark, by, files)
    same = [column(_FILE) == column(_OF)]
    same += [column(name).eqNullSafe(column(_of(name))) for name in by]
    if not all(piece.is_whole for file in files for piece in file.pieces):
        window = Window.partitionBy(*map(column, (_FILE, *by))).orderBy(_BLOCK, _AT)
        rows = rows.withColumn(_ROW, F.row_number().over(window) - 1)
        same += [column(_ROW) >= column(_FIRST), column(_ROW) < column(_BEHIND)]
    condition: Column = reduce(and_, same)
    assigned = rows.join(F.broadcast(where), condition)
    spread = assigned.repartitionById(len(files), column(_NUMBER))
    ordered = spread.sortWithinPartitions(_FILE, _BLOCK, _AT)
    return ordered.drop(_ROW, *where.columns)


def _assignment(spark: SparkSession, by: Sequence[str], files: Sequence[NewFile]) -> DataFrame:
    text, whole = s.StringType(), s.LongType()
    schema = s.StructType(
        [
            s.StructField(_OF, text),
            *(s.StructField(_of(name), text) for name in by),
            s.StructField(_FIRST, whole),
            s.StructField(_BEHIND, whole),
            s.StructField(_NUMBER, s.IntegerType()),
        ]
    )
    return spark.createDataFrame(list(_assigned(by, files)), schema)


def _assigned(
    by: Sequence[str], files: Sequence[NewFile]
) -> Iterator[tuple[str | int | None, ...]]:
    for number, file in enumerate(files):
        for piece in file.pieces:
            of = piece.part.file
            folders = (of.partitions[name] for name in by)
            yield of.path.name, *folders, piece.first, piece.first + piece.rows, number


def _of(name: str) -> str:
    return f"{_OF}_{name}"
