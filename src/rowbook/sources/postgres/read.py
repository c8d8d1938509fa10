"""Reading tables of a database: typed as the server has them, filtered there, at one moment."""

from __future__ import annotations

from contextlib import ExitStack

from pyspark.sql import DataFrame, SparkSession

from rowbook.locations.identifiers import TableName
from rowbook.sources.databases.jdbc_frame import jdbc_frame
from rowbook.sources.databases.key_ranges import splits
from rowbook.sources.postgres.connection import spark_options
from rowbook.sources.postgres.errors import asking, quoted_label
from rowbook.sources.postgres.partitions import divisible
from rowbook.sources.postgres.postgres_tables import PostgresTable
from rowbook.sources.postgres.read_snapshot import Snapshot, snapshot_of
from rowbook.sources.postgres.server_tables import DatabaseTable, is_long
from rowbook.sources.raw import Raw
from rowbook.spark.column_names import column

_TEXTS = frozenset({"text", "character varying"})


def read_table(spark: SparkSession, place: PostgresTable, held: ExitStack) -> Raw:
    database = place.database
    name = place.name
    with asking(database, place.label):
        snapshot = place.snapshot or snapshot_of(database, held)
        table = snapshot.table(name, place.label)
        divisor = database.options.get("partition_column")
        known = divisible(snapshot.connection, name, table)
        _, parts = splits(known, divisor, quoted_label, place.label)
    frame = _wanted(_frame(spark, place, snapshot, name, table, parts), place, table)
    never_null = frozenset(there.name for there in table.columns if there.never_null)
    return Raw(frame, place.label, period=place.period, never_null=never_null)


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
        "sessionInitStatement": snapshot.joining,
        "preferTimestampNTZ": "true",
    }
    if texts := [there.name for there in table.columns if is_long(there)]:
        options["customSchema"] = ", ".join(f"{_backticked(name)} STRING" for name in texts)
    return jdbc_frame(spark, place, options, parts)


def _backticked(name: str) -> str:
    escaped = name.replace("`", "``")
    return f"`{escaped}`"


def _wanted(frame: DataFrame, place: PostgresTable, table: DatabaseTable) -> DataFrame:
    for name, values in place.only.items():
        there = table.column(name)
        if there is not None and there.kind in _TEXTS:
            frame = frame.where(column(name).isin(sorted(values)))
    return frame
