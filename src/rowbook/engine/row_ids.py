"""Row ids: valid UUIDv7, unique in the working dataset, and the same whenever a row is computed
again. The timestamp is the run's start; the other 74 bits are a hash of what the row is.

What a row is: the file and line it was read from where the source knows that, else its content and
its number among equal rows (equal rows cannot be told apart, so it does not matter which of them is
first); for a summary row its operation and group key.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from rowbook.engine.compile import column


def with_row_ids(
    frame: DataFrame, salt: str, now: datetime, told_by: Sequence[str], *, unique: bool
) -> DataFrame:
    """The frame with a new `_row_id`. `told_by` are the columns that say what a row is; where they
    are not known to be `unique`, equal rows are numbered first."""
    parts = [column(name) for name in told_by]
    first, second = _hash(f"1 {salt}", parts), _hash(f"2 {salt}", parts)
    if not unique:
        number = F.row_number().over(Window.partitionBy(first, second).orderBy(first))
        first, second = F.xxhash64(first, number), F.xxhash64(second, number)
    return frame.withColumn("_row_id", uuid_text(now, first, second))


def _hash(salt: str, parts: Sequence[Column]) -> Column:
    """Of values and of which are NULL: xxhash64 alone skips NULLs, and would take (NULL, 'a') and
    ('a', NULL) for the same."""
    return F.xxhash64(F.lit(salt), *parts, *(part.isNull() for part in parts))


def uuid_text(now: datetime, first: Column, second: Column) -> Column:
    """12 bits of one hash and 62 of another below the timestamp."""
    millis = f"{int(now.timestamp() * 1000):012x}"
    head = f"{millis[:8]}-{millis[8:]}-7"
    upper = F.lpad(F.hex(first.bitwiseAND(F.lit(0xFFF))), 3, "0")
    variant = F.hex(F.shiftrightunsigned(second, 62).bitwiseOR(F.lit(8)))
    lower = F.lpad(F.hex(second.bitwiseAND(F.lit((1 << 60) - 1))), 15, "0")
    return F.lower(
        F.concat(
            F.lit(head),
            upper,
            F.lit("-"),
            variant,
            F.substring(lower, 1, 3),
            F.lit("-"),
            F.substring(lower, 4, 12),
        )
    )
