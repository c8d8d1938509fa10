"""A table of a database as a lazy frame of Spark."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from rowbook.sources.databases.database import ServerTable, unusable
from rowbook.sources.databases.driver_errors import reason_in_spark

_FETCH_SIZE = "10000"
"""Rows that are on the way at once. More than none also makes drivers not fetch all rows into
memory, and that of PostgreSQL open a transaction before it joins a snapshot."""


def jdbc_frame(
    spark: SparkSession, place: ServerTable, options: dict[str, str], parts: Sequence[str]
) -> DataFrame:
    """By as many connections as there are parts, conditions on what `dbtable` of the options is.
    DATASOURCE_010 where it cannot be read."""
    fetch_size = place.database.options.get("fetch_size", _FETCH_SIZE)
    reader = spark.read.options(**options, fetchsize=fetch_size)
    try:
        if parts:
            frame = reader.jdbc(options["url"], options["dbtable"], predicates=list(parts))
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
