"""Reading parquet files: physical types, and for each row its file and its number in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from rowbook.sources.files.bundles import Bundle, Placed, bundle
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.parquet.metadata import (
    MOST_FILES,
    ParquetFooter,
    never_null,
    read_footer,
)
from rowbook.sources.files.scan import file_name, scan_typed, typed_raw
from rowbook.sources.raw import Raw
from rowbook.sources.stores.object_path import DataPath

FILE, ROW = "__file", "__row"


def read_parquet(spark: SparkSession, places: Sequence[FileTable]) -> tuple[Raw, ...]:
    """One Raw for all files of the same physical schema: Spark alone would take one file's schema
    for all, and NULL for what another lacks."""
    footers: dict[DataPath, ParquetFooter] = {}

    def signature(placed: Placed) -> str:
        footer = read_footer(placed.file.path, placed.name)
        if len(footers) <= MOST_FILES:
            footers[placed.file.path] = footer
        return footer.signature

    found = bundle(places, signature)
    return tuple(_read(spark, each, footers, with_rows=found.with_rows) for each in found.each)


def spark_schema(footer: ParquetFooter) -> StructType | None:
    """None where Spark must be asked."""
    types = footer.types()
    if types is None:
        return None
    fields = [{"name": n, "type": t, "nullable": True, "metadata": {}} for n, t in types]
    return StructType.fromJson({"type": "struct", "fields": fields})


def _known(each: Bundle[str], footers: Mapping[DataPath, ParquetFooter]) -> StructType | None:
    """None where a name stands in folders' names too: that is left to Spark."""
    footer = footers.get(each.files[0].file.path)
    known = spark_schema(footer) if footer else None
    return None if known is None or {*known.names} & {*each.partitions} else known


def _never_null(each: Bundle[str], footers: Mapping[DataPath, ParquetFooter]) -> frozenset[str]:
    if len(footers) > MOST_FILES:
        return frozenset()
    return never_null([footers[placed.file.path] for placed in each.files]) - set(each.partitions)


def _read(
    spark: SparkSession,
    each: Bundle[str],
    footers: Mapping[DataPath, ParquetFooter],
    *,
    with_rows: bool,
) -> Raw:
    frame = scan_typed(spark, each, "parquet", _known(each, footers))
    metadata = frame.metadataColumn("_metadata")
    with_ids = each.place.with_ids
    ids = {FILE: file_name(each, metadata), ROW: metadata["row_index"]} if with_ids else {}
    known = _never_null(each, footers)
    return typed_raw(frame, each, with_rows=with_rows, ids=ids, never_null=known)
