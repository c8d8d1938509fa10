"""Reading parquet files: physical types, and for each row its file and its number in it."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from rowbook.sources.files.bundles import Bundle, Placed, bundle
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.parquet.metadata import read_footer
from rowbook.sources.files.parquet.physical_types import spark_schema
from rowbook.sources.files.parquet.statistics import never_null
from rowbook.sources.files.scan import PERIOD_OF_PLACE, file_name, period_of_place, scan_typed
from rowbook.sources.raw import Raw
from rowbook.spark.physical_names import named

FILE, ROW = "__file", "__row"


def read_parquet(spark: SparkSession, places: Sequence[FileTable]) -> tuple[Raw, ...]:
    """The rows of places: one Raw for all files of the same physical schema, as far as they can be
    read together. Spark alone would take one file's schema for all, and NULL for what another
    lacks."""
    found = bundle(places, _signature)
    return tuple(_read(spark, each, with_rows=found.with_rows) for each in found.each)


def _known(each: Bundle[str]) -> StructType | None:
    """The columns inside the files, which have them all alike; a name that stands in folders' names
    too is left to Spark."""
    known = spark_schema(each.files[0].file.path)
    return None if known is None or {*known.names} & {*each.partitions} else known


def _signature(placed: Placed) -> str:
    return read_footer(placed.file.path, placed.name).signature


def _read(spark: SparkSession, each: Bundle[str], *, with_rows: bool) -> Raw:
    frame = scan_typed(spark, each, "parquet", _known(each))
    metadata = frame.metadataColumn("_metadata")
    with_ids = each.place.with_ids
    added = {FILE: file_name(each, metadata), ROW: metadata["row_index"]} if with_ids else {}
    period = period_of_place(each, metadata)
    added |= {} if period is None else {PERIOD_OF_PLACE: period}
    rows = frame.select(
        *(named(name) for name in frame.columns),
        *(column.alias(name) for name, column in added.items()),
    )
    return Raw(
        rows if with_rows else rows.where(F.lit(False)),
        each.origin,
        period=each.place.period if period is None else None,
        identity=(FILE, ROW) if with_ids else (),
        partitions=each.partitions,
        period_column=None if period is None else PERIOD_OF_PLACE,
        never_null=never_null([placed.file.path for placed in each.files]) - set(each.partitions),
    )
