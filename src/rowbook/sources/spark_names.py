"""Columns by their physical names, which may hold anything."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F


def named(name: str) -> Column:
    """A column by its very name: dots, spaces and backticks are part of it."""
    escaped = name.replace("`", "``")
    return F.col(f"`{escaped}`")
