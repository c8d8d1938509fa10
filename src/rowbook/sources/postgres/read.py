"""Reading tables of a database: typed as the server has them, filtered there, at one moment."""

from __future__ import annotations

from contextlib import ExitStack

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from rowbook.locations.identifiers import TableName
from rowbook.sources.postgres.connection import spark_options
from rowbook.sources.postgres.database import PostgresTable
from rowbook.sources.postgres.errors import asking, quoted_label, reason_in_spark, unusable
from rowbook.sources.postgres.partitions import splits
from rowbook.sources.postgres.read_snapshot import Snapshot, snapshot_of
from rowbook.sources.postgres.server_tables import DatabaseTable
from rowbook.sources.postgres.table_identity import name_of
from rowbook.sources.raw import Raw
from rowbook.spark.column_names import column

_FETCH_SIZE = "10000"
"""Rows that are on the way at once. More than none also makes the driver open a transaction before
it joins the snapshot, and not fetch all rows into memory."""
_TEXTS = frozenset({"text", "character varying"})


def read_table(spark: SparkSession, place: PostgresTable, held: ExitStack) -> Raw:
    database = place.database
    name = name_of(place)
    with asking(database, place.label):
        snapshot = place.snapshot or snapshot_of(database, held)
        table = snapshot.table(name, place.label)
        divisor = database.options.get("partition_column")
        parts = splits(snapshot.connection, name, table, divisor, place.label)
    frame = _wanted(_frame(spark, place, snapshot, name, table, parts), place, table)
    known = frozenset(there.name for there in table.columns if there.never_null)
    return Raw(frame, place.label, period=place.period, never_null=known)


def _frame(
    spark: SparkSession,
    place: PostgresTable,
    snapshot: Snapshot,
    name: TableName,
    table: DatabaseTable,
    parts: list[str],
) -> DataFrame:
    options = {
        **spark_options(place.database, snapshot.connection),
        "dbtable": quoted_label(name.schema, name.name),
        "fetchsize": place.database.options.get("fetch_size", _FETCH_SIZE),
        "sessionInitStatement": snapshot.joining,
        "preferTimestampNTZ": "true",
    }
    if texts := [there.name for there in table.columns if there.is_long]:
        options["customSchema"] = ", ".join(f"{_backticked(name)} STRING" for name in texts)
    reader = spark.read.options(**options)
    try:
        if parts:
            frame = reader.jdbc(options["url"], options["dbtable"], predicates=parts)
        else:
            frame = reader.format("jdbc").load()
        frame.schema  # noqa: B018 - at a remote, the first question about the table
    except Exception as error:
        said = reason_in_spark(error)
        if said is None and isinstance(error, PySparkException):
            said = str(error).strip().partition("\n")[0]
        if said is None:
            raise
        raise unusable(place.database, place.label, said) from error
    return frame


def _backticked(name: str) -> str:
    escaped = name.replace("`", "``")
    return f"`{escaped}`"


def _wanted(frame: DataFrame, place: PostgresTable, table: DatabaseTable) -> DataFrame:
    for name, values in place.only.items():
        there = table.column(name)
        if there is not None and there.kind in _TEXTS:
            frame = frame.where(column(name).isin(sorted(values)))
    return frame
