"""Row ids: valid UUIDv7, unique in the working dataset, and the same whenever a row is computed
again. The timestamp is the run's start; the other 74 bits are a hash of what the row is.

What a row is: the file and line it was read from where the source knows that, else its content and
its number among equal rows (equal rows cannot be told apart, so it does not matter which of them is
first); for a summary row its operation and group key.

Inside a frame an id is two numbers, and beside them the text of ids that the input brought along;
the text of the others is made only where it is read or written, which costs more than the hashes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from rowbook.spark.column_names import column

FIRST, SECOND, STORED = "__id_first", "__id_second", "__id_stored"
UPPER, LOWER = 0xFFF, (1 << 62) - 1
"""The bits of both numbers that an id shows."""


def with_row_ids(frame: DataFrame, salt: str, told_by: Sequence[str], *, unique: bool) -> DataFrame:
    """The frame with new ids. `told_by` are the columns that say what a row is; where they are not
    known to be `unique`, equal rows are numbered first. Which of them are NULL is hashed too:
    xxhash64 alone skips NULLs, and would take (NULL, 'a') and ('a', NULL) for the same."""
    first, second = id_hashes(salt, [column(name) for name in told_by])
    if not unique:
        number = F.row_number().over(Window.partitionBy(first, second).orderBy(first))
        first, second = F.xxhash64(first, number), F.xxhash64(second, number)
    return frame.withColumns({FIRST: first, SECOND: second})


def with_group_ids(
    frame: DataFrame, groups: Sequence[tuple[Column, str, Sequence[str]]]
) -> DataFrame:
    """The frame with new ids, of rows that differ in what tells them: for each kind of them which
    they are, its salt, and the columns that say what such a row is, surely."""
    hashes = [id_hashes(salt, [column(name) for name in told_by]) for _, salt, told_by in groups]
    made = {}
    for name, values in zip((FIRST, SECOND), zip(*hashes, strict=True), strict=True):
        pairs = zip(groups, values, strict=True)
        made[name] = F.coalesce(*(F.when(which, value) for (which, _, _), value in pairs))
    return frame.withColumns(made)


def id_hashes(salt: str, told_by: Sequence[Column]) -> tuple[Column, Column]:
    """The two numbers of an id, of what tells a row from every other."""
    parts = [*told_by, *(part.isNull() for part in told_by)]
    return F.xxhash64(F.lit(f"1 {salt}"), *parts), F.xxhash64(F.lit(f"2 {salt}"), *parts)


def row_id(now: datetime, *, stored: bool) -> Column:
    """The text of a row's id; `stored` where rows may have brought theirs along."""
    made = uuid_text(now, column(FIRST), column(SECOND))
    return F.coalesce(column(STORED), made) if stored else made


def row_order(now: datetime, *, stored: bool) -> list[Column]:
    """Columns that order rows as the texts of their ids do; where all were made here, the numbers
    that the texts are made of."""
    if stored:
        return [row_id(now, stored=True)]
    return [column(FIRST).bitwiseAND(F.lit(UPPER)), column(SECOND).bitwiseAND(F.lit(LOWER))]


def milliseconds(now: datetime) -> int:
    return int(now.timestamp() * 1000)


def uuid_text(now: datetime, first: Column, second: Column) -> Column:
    """12 bits of one hash and 62 of another below the timestamp."""
    millis = f"{milliseconds(now):012x}"
    upper = F.hex(first.bitwiseAND(F.lit(UPPER)).bitwiseOR(F.lit(0x7000)))
    lower = F.hex(second.bitwiseAND(F.lit(LOWER)).bitwiseOR(F.lit(-(1 << 63))))
    digits = F.concat(
        upper, F.lit("-"), F.substring(lower, 1, 4), F.lit("-"), F.substring(lower, 5, 12)
    )
    # Not F.lower: before its first text Spark makes a table of all letters there are, for seconds.
    small = F.translate(digits, "ABCDEF", "abcdef")
    return F.concat(F.lit(f"{millis[:8]}-{millis[8:]}-"), small)
