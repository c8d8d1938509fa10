"""Spark's part in a write: the rows are computed, and put where they are staged."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.locations.identifiers import TableName
from rowbook.sources.postgres.column_types import OutputColumn
from rowbook.sources.postgres.errors import quoted_label, reason_in_spark, unwritable
from rowbook.sources.postgres.stage_table import ROW
from rowbook.spark.column_names import column
from rowbook.spark.markers import in_calendar_gap, refusal_in, refusing

_NUL_REFUSED = "0x00"
_BATCH_SIZE = "10000"
_CONNECTIONS = "16"
"""How many tasks of Spark write at once, at most."""


def load_stage(
    frame: DataFrame,
    stage: TableName,
    columns: Sequence[OutputColumn],
    options: dict[str, str],
    label: str,
    batch_size: str | None,
) -> None:
    """OUTPUT_006 where the database does not take rows; what else Spark raises goes out as it
    is."""
    rows = frame.select(
        F.monotonically_increasing_id().alias(ROW),
        *(_held(frame, output).alias(output.staged) for output in columns),
    )
    writer = rows.write.format("jdbc").mode("append").options(**options)
    try:
        writer.options(
            dbtable=quoted_label(stage.schema, stage.name),
            batchsize=batch_size or _BATCH_SIZE,
            numPartitions=_CONNECTIONS,
        ).save()
    except Exception as error:
        if refusal := refusal_in(error):
            raise unwritable(label, refusal) from error
        said = reason_in_spark(error)
        if said is None:
            raise
        if _NUL_REFUSED in said:
            said = _nul(frame, columns) or said
        raise unwritable(label, said) from error


def _value(output: OutputColumn) -> Column:
    """A column that holds nothing but NULL has no type of its own."""
    value = column(output.name)
    return value.cast("string") if output.type == "text" else value


def _held(frame: DataFrame, output: OutputColumn) -> Column:
    """A value that the driver would make another day is refused."""
    value, kind = _value(output), frame.schema[output.name].dataType
    lost = in_calendar_gap(value, kind)
    if lost is None:
        return value
    message = f"column '{output.name}' holds a day from 1582-10-05 to 1582-10-14, which cannot be"
    fail = refusing(f"{message} handed to the database unchanged").cast(kind)
    return F.when(lost, fail).otherwise(value)


def _nul(frame: DataFrame, columns: Sequence[OutputColumn]) -> str | None:
    """The column with the one character that PostgreSQL's texts cannot hold."""
    texts = [output for output in columns if output.type == "text"]
    counts = [F.count_if(_value(output).contains("\0")) for output in texts]
    try:
        found = frame.agg(*counts).collect()[0]
    except PySparkException:
        return None
    held = [output.name for output, n in zip(texts, found, strict=True) if n]
    return f"column '{held[0]}' holds a NUL character, which no text there can" if held else None
