"""Whether two contestants wrote the same rows: exactly, in any order, whatever their types.

A decimal is compared by its value: 7 and 7.00 are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Row = tuple[object, ...]


def read(folder: Path, table: str, columns: Sequence[str]) -> list[Row]:
    """The rows of a table, one file or a folder of files, in memory."""
    path = folder / table
    found = pq.read_table(
        path if path.is_dir() else path.with_suffix(".parquet"), partitioning=None
    )
    values = [found.column(name).to_pylist() for name in columns]
    return [tuple(map(_plain, row)) for row in zip(*values, strict=True)]


def read_frame(frame: DataFrame, columns: Sequence[str]) -> list[Row]:
    """The rows of a table that Spark alone can read."""
    return [tuple(map(_plain, row)) for row in frame.select(*columns).collect()]


def differences(expected: Sequence[Row], got: Sequence[Row], label: int = 3) -> str:
    """In words, what only one side has; empty where the rows are the same."""
    ours, theirs = Counter(expected), Counter(got)
    missing, surplus = list((ours - theirs).elements()), list((theirs - ours).elements())
    if not missing and not surplus:
        return ""
    return (
        f"{len(missing)} rows are missing, {len(surplus)} are surplus;"
        f" missing: {missing[:label]}; surplus: {surplus[:label]}"
    )


def _plain(value: object) -> object:
    return value.normalize() if isinstance(value, Decimal) else value
