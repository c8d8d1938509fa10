"""Spark's part in a write: the rows are computed, and put where they are staged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DataType

from rowbook.sources.databases.database import unwritable
from rowbook.sources.databases.driver_errors import reason_in_spark
from rowbook.sources.databases.output_columns import OutputColumn
from rowbook.sources.databases.staging_names import ROW
from rowbook.spark.column_names import column
from rowbook.spark.markers import refusal_in

_BATCH_SIZE = "10000"
_CONNECTIONS = "16"
"""How many tasks of Spark write at once, at most."""


@dataclass(frozen=True, slots=True)
class StageLoading:
    """How rows go into a table by a driver. `held` is a column's value as it is handed over, and
    refuses what the driver or the server would make another one of; `explained` may say more of
    what the driver said, with a look at the rows."""

    options: dict[str, str]
    table: str
    columns: Sequence[OutputColumn]
    label: str
    held: Callable[[Column, DataType, OutputColumn], Column]
    explained: Callable[[str, DataFrame], str | None] = lambda _, __: None


def load_stage(frame: DataFrame, loading: StageLoading, batch_size: str | None) -> None:
    """OUTPUT_006 where the database does not take rows; what else Spark raises goes out as it
    is."""
    rows = frame.select(
        F.monotonically_increasing_id().alias(ROW),
        *(_held(frame, output, loading).alias(output.staged) for output in loading.columns),
    )
    writer = rows.write.format("jdbc").mode("append").options(**loading.options)
    try:
        writer.options(
            dbtable=loading.table,
            batchsize=batch_size or _BATCH_SIZE,
            numPartitions=_CONNECTIONS,
        ).save()
    except Exception as error:
        if refusal := refusal_in(error):
            raise unwritable(loading.label, refusal) from error
        said = reason_in_spark(error)
        if said is None:
            raise
        with suppress(PySparkException):
            said = loading.explained(said, frame) or said
        raise unwritable(loading.label, said) from error


def _held(frame: DataFrame, output: OutputColumn, loading: StageLoading) -> Column:
    kind = frame.schema[output.name].dataType
    value = column(output.name)
    # A column that holds nothing but NULL has no type of its own.
    return loading.held(value.cast("string") if kind.typeName() == "void" else value, kind, output)
