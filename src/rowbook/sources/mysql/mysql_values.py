"""How values are handed to the server: days and moments as texts, which no driver interprets; and
rows that are longer than a server takes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DataType

from rowbook.sources.databases.output_columns import OutputColumn
from rowbook.sources.mysql.mysql_types import TEXT
from rowbook.spark.column_names import column
from rowbook.spark.markers import refusing

_DAY = "yyyy-MM-dd"
_MOMENT = "yyyy-MM-dd HH:mm:ss.SSSSSS"


def held_value(value: Column, kind: DataType, output: OutputColumn) -> Column:
    """A number without end, or a year beyond 9999, is refused."""
    name = kind.typeName()
    if name in ("float", "double"):
        endless = F.isnan(value) | (F.abs(value) == F.lit(float("inf")))
        return _refused(value, endless, output, "NaN or infinity", "double")
    if name in ("date", "timestamp"):
        text = F.date_format(value, _DAY if name == "date" else _MOMENT)
        beyond = (F.year(value) > 9999) | (F.year(value) < 1)
        return _refused(text, beyond, output, "a year that is not between 1 and 9999", "string")
    return value


def packet_reason(
    columns: Sequence[OutputColumn], most: int, said: str, frame: DataFrame
) -> str | None:
    """A server ends the connection of who sends it more at once than it takes."""
    texts = [column(output.name).cast("string") for output in columns if output.type == TEXT]
    if not texts or "Duplicate" in said:
        return None
    lengths = [F.coalesce(F.octet_length(text), F.lit(0)) for text in texts]
    (found,) = frame.agg(F.max(reduce(add, lengths))).collect()[0]
    if found is None or found < most // 2:
        return None
    return f"a row of {found:,} bytes is longer than the server's max_allowed_packet of {most:,}"


def _refused(value: Column, fails: Column, output: OutputColumn, what: str, kind: str) -> Column:
    message = f"column '{output.name}' holds {what}, which {output.type} cannot hold"
    return F.when(fails, refusing(message).cast(kind)).otherwise(value)
