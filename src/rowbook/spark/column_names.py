"""Columns by name inside frames."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from weakref import WeakKeyDictionary

from pyspark import SparkContext
from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.utils import is_remote

_MOST = 10_000
_made: WeakKeyDictionary[SparkContext, dict[Hashable, Column]] = WeakKeyDictionary()
"""Up to three calls into the JVM make one, and a project uses the same ones over and over."""


def column(name: str) -> Column:
    """A column by its very name: dots, spaces and backticks are part of it."""
    return session_column(name, lambda: F.col("`{}`".format(name.replace("`", "``"))))


def session_column(key: Hashable, make: Callable[[], Column]) -> Column:
    """What is always made alike, made once for a session; keys of texts are names of columns."""
    known = _known()
    if key not in known:
        if len(known) >= _MOST:
            known.clear()
        known[key] = make()
    return known[key]


def named(columns: Mapping[str, Column]) -> list[Column]:
    """Columns to select under names. One that has its name is taken as it is: with thousands, calls
    into the JVM and Spark's work on names for names are what a plan costs."""
    known = _known()
    return [each if each is known.get(name) else each.alias(name) for name, each in columns.items()]


def joined_name(alias: str, name: str) -> str:
    """How a column of a join is called inside a frame; no user's column starts like this."""
    return f"__{alias}__{name}"


def _known() -> dict[Hashable, Column]:
    context = None if is_remote() else SparkContext._active_spark_context
    return {} if context is None else _made.setdefault(context, {})
