"""Reading a Delta table with Spark, always at one version."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, SparkSession

from rowbook.errors import RowbookError
from rowbook.sources.delta.delta_table import DeltaTable, describe
from rowbook.sources.delta.errors import refusal_in
from rowbook.sources.delta.state import TableHead
from rowbook.sources.files.listing import plain_path
from rowbook.sources.raw import Raw
from rowbook.sources.stores.spark_access import scan_settings
from rowbook.spark.causes import is_spark_failure
from rowbook.spark.column_names import column


def read_delta(spark: SparkSession, place: DeltaTable) -> Raw:
    """Delta tells no row's number in its file, so rows are told apart by their content."""
    head = describe(place).head
    frame = _scan(spark, place, head.version)
    for name, values in place.only.items():
        if name in head.partitions:
            frame = frame.where(_text(head, name).isin(*values))
    return Raw(frame, place.label, period=place.period)


def _text(head: TableHead, name: str) -> Column:
    value, there = column(name), head.column(name)
    return value if there is not None and there.kind == "string" else value.cast("string")


def _scan(spark: SparkSession, place: DeltaTable, version: int) -> DataFrame:
    reader = spark.read.format("delta").option("versionAsOf", version)
    reader = reader.options(**scan_settings(place.path))
    try:
        frame = reader.load(plain_path(place.path))
        frame.schema  # noqa: B018 - at a remote, the first question about the table
    except Exception as cause:
        if not is_spark_failure(cause):
            raise
        refusal = refusal_in(cause)
        reason = refusal[1] if refusal else str(cause).strip().split("\n", 1)[0]
        message = f"{place.label} cannot be read: {reason}"
        raise RowbookError.of("DATASOURCE_007", message) from cause
    return frame
