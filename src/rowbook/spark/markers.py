"""What is raised inside Spark: a short text that is recognised in the error that comes out.

`raise_error` inside a plan is the only way to fail a job on a value without a second pass.
"""

from __future__ import annotations

import re

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DataType, DateType, TimestampType

_MARK = "ROWBOOK"
_REFUSED = "OUTPUT_006"
_SQL_STATE = re.compile(r" SQLSTATE: \w+.*")
_FOUND = re.compile(rf"{_MARK} ([A-Z]+_\d+): ([^\n]*)")
_GAP = "1582-10-05", "1582-10-15"
"""As text: as a date of Python it would be handed to Spark in that very calendar."""


def failing(code: str, detail: Column | str) -> Column:
    """A column that fails the job with a code and a text where it is evaluated."""
    text = F.lit(detail) if isinstance(detail, str) else detail
    return F.raise_error(F.concat(F.lit(f"{_MARK} {code}: "), text))


def sound_rows(frame: DataFrame, *faults: tuple[Column, Column]) -> DataFrame:
    """The frame, which fails where a condition is TRUE with the failure beside it. A filter, since
    nothing may take it out of the plan; and one that Spark takes to be different each time, since
    then it asks no later condition before it: a selector would be pushed below the join, and take
    away rows of which nobody can say what they have."""
    passes = F.monotonically_increasing_id() >= 0
    for fails, failure in reversed(faults):
        passes = F.when(fails, failure.cast("boolean")).otherwise(passes)
    return frame.filter(passes)


def overflow(kind: str) -> Column:
    """A value that does not fit; which operation and column is found out afterwards."""
    return failing("RUN_001", f"a value does not fit {kind}")


def refusing(message: Column | str) -> Column:
    """A value that a format cannot hold."""
    return failing(_REFUSED, message)


def found_in(text: str) -> tuple[str, str] | None:
    found = _FOUND.search(text)
    return (found[1], _SQL_STATE.sub("", found[2]).strip()) if found else None


def refusal_in(error: BaseException) -> str | None:
    """What was refused inside Spark; None where that is not what failed."""
    code, reason = found_in(str(error)) or ("", "")
    return reason if code == _REFUSED else None


def in_calendar_gap(value: Column, kind: DataType) -> Column | None:
    """Where a date or timestamp lies in the ten days that the calendar of old Java clients lacks,
    and would become another day; None for other types."""
    if not isinstance(kind, DateType | TimestampType):
        return None
    first, behind = (F.lit(day).cast(kind) for day in _GAP)
    return (value >= first) & (value < behind)
