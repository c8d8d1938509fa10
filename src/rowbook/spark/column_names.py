"""Columns by name inside frames."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from pyspark import SparkContext
from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.utils import is_remote

_MOST = 10_000
_made: WeakKeyDictionary[SparkContext, dict[str, Column]] = WeakKeyDictionary()
"""Three calls into the JVM make one, and a project names the same ones over and over."""


def column(name: str) -> Column:
    """A column by its very name: dots, spaces and backticks are part of it."""
    context = None if is_remote() else SparkContext._active_spark_context
    known = {} if context is None else _made.setdefault(context, {})
    if name not in known:
        if len(known) >= _MOST:
            known.clear()
        escaped = name.replace("`", "``")
        known[name] = F.col(f"`{escaped}`")
    return known[name]


def joined_name(alias: str, name: str) -> str:
    """How a column of a join is called inside a frame; no user's column starts like this."""
    return f"__{alias}__{name}"
