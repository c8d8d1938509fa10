"""Reading orc files: physical types. An orc file does not number its rows: they are told apart by
their content."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from rowbook.sources.files.bundles import Bundle, Placed, bundle
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.orc.footer import read_orc_footer
from rowbook.sources.files.scan import PERIOD_OF_PLACE, period_of_place, scan_typed
from rowbook.sources.raw import Raw
from rowbook.spark.column_names import column


def read_orc(spark: SparkSession, places: Sequence[FileTable]) -> tuple[Raw, ...]:
    """One Raw for all files of the same physical schema: Spark alone would take one file's schema
    for all, and NULL for what another lacks."""
    found = bundle(places, _signature)
    return tuple(_read(spark, each, with_rows=found.with_rows) for each in found.each)


def _signature(placed: Placed) -> str:
    return read_orc_footer(placed.file.path, placed.name).signature


def _read(spark: SparkSession, each: Bundle[str], *, with_rows: bool) -> Raw:
    frame = scan_typed(spark, each, "orc")
    columns = {name: column(name) for name in frame.columns}
    period = period_of_place(each, frame.metadataColumn("_metadata"))
    columns |= {} if period is None else {PERIOD_OF_PLACE: period}
    rows = frame.select(*(value.alias(name) for name, value in columns.items()))
    return Raw(
        rows if with_rows else rows.where(F.lit(False)),
        each.origin,
        period=each.place.period if period is None else None,
        partitions=each.partitions,
        period_column=None if period is None else PERIOD_OF_PLACE,
    )
