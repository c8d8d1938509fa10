"""The kinds of data sources: whatever a place or a target is, its kind knows how.

A module is imported where it is used: what one kind needs slows nobody else down.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from rowbook.errors import RowbookError
from rowbook.sources.places import (
    DeltaPlace,
    DeltaTarget,
    FilePlace,
    FileTarget,
    JdbcPlace,
    JdbcTarget,
    Place,
    Target,
)
from rowbook.sources.publishing.disk_errors import disk_failure
from rowbook.sources.raw import Raw
from rowbook.sources.source import Content, Order, Settlement, Source, Written

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_SOURCES = {
    FilePlace: "files.source.FileTables",
    FileTarget: "files.source.FileTables",
    DeltaPlace: "delta.source.DeltaTables",
    DeltaTarget: "delta.source.DeltaTables",
    JdbcPlace: "postgres.source.JdbcTables",
    JdbcTarget: "postgres.source.JdbcTables",
}


def columns_of(place: Place) -> tuple[str, ...]:
    """See Source."""
    return _source(place).columns(place)


def contents_of(place: Place) -> tuple[Content, ...]:
    """See Source."""
    return _source(place).contents(place)


def read_all(spark: SparkSession, places: Sequence[Place], held: ExitStack) -> tuple[Raw, ...]:
    """The rows of all places, in as few Raws as can be."""
    alike: dict[type[Place], list[Place]] = {}
    for place in places:
        alike.setdefault(type(place), []).append(place)
    return tuple(
        raw for group in alike.values() for raw in _source(group[0]).read(spark, group, held)
    )


def write(frame: DataFrame, target: Target, order: Order) -> Written:
    """See Source."""
    try:
        return _source(target).write(frame, target, order)
    except RowbookError:
        raise
    except Exception as error:
        if reason := disk_failure(error):
            message = f"{target.shown} cannot be written: {reason}"
            raise RowbookError.of("OUTPUT_006", message) from error
        raise


def settle(target: Target, run_id: str, seq: int) -> Settlement:
    """See Source."""
    return _source(target).settle(target, run_id, seq)


def _source(of: Place | Target) -> Source[Any, Any]:
    module, _, name = _SOURCES[type(of)].rpartition(".")
    found: Source[Any, Any] = getattr(importlib.import_module(f"rowbook.sources.{module}"), name)()
    return found
