"""Reading an Iceberg table with Spark, always one snapshot of it."""

from __future__ import annotations

from contextlib import ExitStack

from pyspark.sql import Column, DataFrame, SparkSession

from rowbook.errors import RowbookError
from rowbook.sources.iceberg.iceberg_schema import own_name
from rowbook.sources.iceberg.iceberg_table import IcebergDescription, IcebergTable, describe
from rowbook.sources.iceberg.manifests import check_files
from rowbook.sources.iceberg.spark_tables import SnapshotScan
from rowbook.sources.raw import Raw
from rowbook.spark.causes import innermost_cause, is_spark_failure
from rowbook.spark.column_names import column


def read_iceberg(spark: SparkSession, table: IcebergTable, resources: ExitStack) -> Raw:
    """Iceberg tells no row's number for ever, so rows are told apart by their content."""
    found = describe(table)
    if found.snapshot is not None:
        check_files(found.snapshot, table.catalog, table.label)
    frame = _scan(SnapshotScan(spark, table.catalog.warehouse, resources), table, found)
    for name, values in table.only.items():
        if name in found.metadata.partitions and name in found.columns:
            frame = frame.where(_text(found, name).isin(*values))
    named = frame.toDF(*(own_name(name) for name in frame.columns))
    return Raw(named, table.label, period=table.period)


def _text(found: IcebergDescription, name: str) -> Column:
    value = column(name)
    return value if found.columns[name] == "string" else value.cast("string")


def _scan(scan: SnapshotScan, table: IcebergTable, found: IcebergDescription) -> DataFrame:
    options = {} if found.snapshot is None else {"versionAsOf": str(found.snapshot.id)}
    try:
        return scan.frame(found.metadata, options)
    except Exception as cause:
        if not is_spark_failure(cause):
            raise
        message = f"{table.label} cannot be read: {innermost_cause(cause).text}"
        raise RowbookError.of("DATASOURCE_007", message) from cause
