"""Values that a format cannot hold: the job that would write one fails."""

from __future__ import annotations

from pyspark.errors import PySparkException
from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import DataType, DateType, TimestampType

REFUSED = "ROWBOOK OUTPUT_006: "
"""Begins what is raised inside Spark."""


def refusing(message: str) -> Column:
    """Fails the job where it is computed."""
    return F.raise_error(F.lit(REFUSED + message))


def is_spark_failure(error: BaseException) -> bool:
    """Whether an exception came out of Spark, and not out of our own code."""
    return isinstance(error, PySparkException) or type(error).__name__.startswith("Py4J")


def refusal_in(error: BaseException) -> str | None:
    """What was refused inside Spark; None where that is not what failed."""
    _, mark, reason = str(error).partition(REFUSED)
    return reason.splitlines()[0].partition(" SQLSTATE:")[0] if mark else None


_GAP = "1582-10-05", "1582-10-15"
"""As text: as a date of Python it would be handed to Spark in that very calendar."""


def in_calendar_gap(value: Column, kind: DataType) -> Column | None:
    """Where a date or timestamp lies in the ten days that the calendar of old Java clients lacks,
    and would become another day; None for other types."""
    if not isinstance(kind, DateType | TimestampType):
        return None
    first, behind = (F.lit(day).cast(kind) for day in _GAP)
    return (value >= first) & (value < behind)
