"""Reading parquet files: physical types, and for each row its file and its number in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.errors import RowbookError
from rowbook.sources.files import DataFile, plain_path, spark_path
from rowbook.sources.parquet_footer import read_footer
from rowbook.sources.places import SourcePlace
from rowbook.sources.raw import Raw
from rowbook.sources.spark_names import named

FILE, ROW = "__file", "__row"


class _Alike(NamedTuple):
    """What files that are read together have in common."""

    signature: str
    depth: int
    partitions: tuple[str, ...]


def read_parquet(spark: SparkSession, place: SourcePlace) -> tuple[Raw, ...]:
    """A place's rows, one Raw for all files of the same physical schema: Spark alone would take the
    schema of one file for all, and NULL for columns that another lacks."""
    wanted, others = place.files()
    groups: dict[_Alike, list[DataFile]] = {}
    for file in wanted or others[-1:]:
        footer = read_footer(file.path, place.name_of(file))
        alike = _Alike(footer.signature, file.depth, tuple(file.partitions))
        groups.setdefault(alike, []).append(file)
    return tuple(
        _read(spark, place, alike, files, with_rows=bool(wanted)) for alike, files in groups.items()
    )


def _read(
    spark: SparkSession,
    place: SourcePlace,
    alike: _Alike,
    files: Sequence[DataFile],
    *,
    with_rows: bool,
) -> Raw:
    shown = place.name_of(files[0]) if len(files) == 1 else place.shown
    frame = _scan(spark, place, files, shown)
    metadata = frame.metadataColumn("_metadata")
    rows = frame.select(
        *(named(name) for name in frame.columns),
        _file(place, alike.depth, metadata).alias(FILE),
        metadata["row_index"].alias(ROW),
    )
    return Raw(
        rows if with_rows else rows.where(F.lit(False)),
        shown,
        period=place.period,
        identity=(FILE, ROW),
        partitions=alike.partitions,
    )


def _scan(
    spark: SparkSession, place: SourcePlace, files: Sequence[DataFile], shown: str
) -> DataFrame:
    reader = spark.read.option("mergeSchema", "false")
    if place.path.is_dir():
        reader = reader.option("basePath", plain_path(place.path))
    try:
        frame = reader.parquet(*(spark_path(file.path) for file in files))
        frame.schema  # noqa: B018 - at a remote, the first question about the files
    except PySparkException as cause:
        reason = str(cause).strip().split("\n", 1)[0]
        raise RowbookError.of("DATASOURCE_007", f"{shown} cannot be read: {reason}") from cause
    return frame


def _file(place: SourcePlace, depth: int, metadata: Column) -> Column:
    """The file as the definitions have it, so that ids do not depend on the machine."""
    if not depth:
        return F.lit(place.shown)
    relative = F.substring_index(metadata["file_path"], "/", -depth)
    return F.concat(F.lit(f"{place.shown}/"), relative)
