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
    DeltaTable,
    DeltaTarget,
    FileTable,
    FileTarget,
    PostgresTable,
    PostgresTarget,
    SourceTable,
    Target,
)
from rowbook.sources.publishing.disk_errors import disk_failure
from rowbook.sources.raw import Raw
from rowbook.sources.source import Content, Settlement, Source, WriteRequest, WriteResult

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_SOURCES = {
    FileTable: "files.source.FileSource",
    FileTarget: "files.source.FileSource",
    DeltaTable: "delta.source.DeltaSource",
    DeltaTarget: "delta.source.DeltaSource",
    PostgresTable: "postgres.source.PostgresSource",
    PostgresTarget: "postgres.source.PostgresSource",
}


def columns_of(place: SourceTable) -> tuple[str, ...]:
    """See Source."""
    return _source(place).columns(place)


def contents_of(place: SourceTable) -> tuple[Content, ...]:
    """See Source."""
    return _source(place).contents(place)


def read_all(
    spark: SparkSession, places: Sequence[SourceTable], held: ExitStack
) -> tuple[Raw, ...]:
    """The rows of all places, in as few Raws as can be."""
    alike: dict[type[SourceTable], list[SourceTable]] = {}
    for place in places:
        alike.setdefault(type(place), []).append(place)
    return tuple(
        raw for group in alike.values() for raw in _source(group[0]).read(spark, group, held)
    )


def write(frame: DataFrame, target: Target, order: WriteRequest) -> WriteResult:
    """See Source."""
    try:
        return _source(target).write(frame, target, order)
    except RowbookError:
        raise
    except Exception as error:
        if reason := disk_failure(error):
            message = f"{target.label} cannot be written: {reason}"
            raise RowbookError.of("OUTPUT_006", message) from error
        raise


def settle(target: Target, run_id: str, seq: int) -> Settlement:
    """See Source."""
    return _source(target).settle(target, run_id, seq)


def _source(of: SourceTable | Target) -> Source[Any, Any]:
    module, _, name = _SOURCES[type(of)].rpartition(".")
    found: Source[Any, Any] = getattr(importlib.import_module(f"rowbook.sources.{module}"), name)()
    return found
