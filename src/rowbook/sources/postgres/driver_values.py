"""How values are handed to PostgreSQL, and what no text of it holds."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DataType

from rowbook.sources.databases.output_columns import OutputColumn
from rowbook.spark.column_names import column
from rowbook.spark.markers import in_calendar_gap, refusing

_NUL_REFUSED = "0x00"


def held_value(value: Column, kind: DataType, output: OutputColumn) -> Column:
    """A value that the driver would make another day is refused."""
    lost = in_calendar_gap(value, kind)
    if lost is None:
        return value
    message = f"column '{output.name}' holds a day from 1582-10-05 to 1582-10-14, which cannot be"
    fail = refusing(f"{message} handed to the database unchanged").cast(kind)
    return F.when(lost, fail).otherwise(value)


def nul_reason(columns: Sequence[OutputColumn], said: str, frame: DataFrame) -> str | None:
    """The column with the one character that PostgreSQL's texts cannot hold."""
    if _NUL_REFUSED not in said:
        return None
    texts = [output for output in columns if output.type == "text"]
    counts = [F.count_if(column(output.name).cast("string").contains("\0")) for output in texts]
    found = frame.agg(*counts).collect()[0]
    held = [output.name for output, n in zip(texts, found, strict=True) if n]
    return f"column '{held[0]}' holds a NUL character, which no text there can" if held else None
