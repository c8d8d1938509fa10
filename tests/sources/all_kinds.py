"""A table of every kind of data source, to be written and read the same way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from pyspark.sql import DataFrame, SparkSession

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.loading.load import load
from rowbook.locations.boundary import Boundary
from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import source_of, wanted_folders
from rowbook.sources import registry
from rowbook.sources.delta.delta_table import DeltaStoreTarget, DeltaTable, DeltaTarget
from rowbook.sources.files.file_table import FileTable, FileTarget
from rowbook.sources.iceberg.iceberg_table import IcebergTable, IcebergTarget
from rowbook.sources.registry import write
from rowbook.sources.source import Mode, SourceTable, Target, WriteRequest, WriteResult
from tests.sources.iceberg.lakes import lake_in, lake_in_bucket
from tests.sources.mysql_books import MysqlBooks
from tests.sources.postgres_books import Books
from tests.sources.stores.buckets import Bucket
from tests.sources.tables import RUN, context, kind_named

FILES = ("csv", "json", "parquet", "orc")
LAKES = ("iceberg", "iceberg_sql", "iceberg_s3", "iceberg_rest")
"""By the kind of catalog: folders, a database, of that also with tables in a bucket, or a
server."""
VERSIONED = ("delta", "delta_s3", "iceberg")
"""Kinds of tables that keep what they were."""
DATABASES = {"jdbc": "books", "mysql": "mysql_books"}
"""The fixtures of databases by their kinds."""
DELTA_IN_STORE = "delta_s3"
IN_STORES = (DELTA_IN_STORE, "iceberg_s3")
KINDS = (*FILES, "delta", DELTA_IN_STORE, *DATABASES, *LAKES)
_ALIKE = ("csv", "json", "orc", "mysql", "iceberg_sql", "iceberg_rest")
"""Published and pinned by the same steps as parquet files, or as tables in another catalog; of
MySQL, `tests/sources/mysql` proves it without Spark."""
KINDS_OF_PUBLISHING = [
    pytest.param(kind, marks=pytest.mark.campaign) if kind in _ALIKE else kind for kind in KINDS
]
"""For claims that no format decides."""

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of some kind, and its rows as a dataset."""

    kind: str
    target: Target
    place: Callable[[Dataset, Sequence[str]], SourceTable]
    boundary: Boundary | None = None
    """Where it is not on this disk."""

    def put(
        self,
        frame: DataFrame,
        mode: Mode = "replace",
        periods: tuple[str, ...] | None = None,
        run_id: str = RUN,
        seq: int = 1,
    ) -> WriteResult:
        return write(frame, self.target, WriteRequest(mode, periods, run_id, seq))

    def rows(self, spark: SparkSession, wanted: Dataset, *periods: str) -> Rows:
        """The rows as a run would load them, for these periods if the dataset has any."""
        accepted = periods or ("2026-01",)
        with ExitStack() as held:
            raws = registry.read(spark, [self.place(wanted, accepted)], held)
            loaded = load(wanted, raws, context(), keep_deleted=True, periods=accepted)
            return collect(loaded.frame, wanted.fields)


def frame(spark: SparkSession, wanted: Dataset, rows: Sequence[dict[str, Any]]) -> DataFrame:
    return frame_of(spark, rows, wanted.fields)


AnyBooks: TypeAlias = Books | MysqlBooks


def table_of(kind: str, folder: Path, books: Callable[[str], Any], name: str = "gl") -> Table:
    """A table that is not there yet. A database or a bucket is asked for, by the name of its
    fixture, only if the kind needs one."""
    path, label = folder / name, f"data/{name}"

    def only(wanted: Dataset, periods: Sequence[str]) -> dict[str, Any]:
        return dict(wanted_folders(wanted, tuple(periods)))

    if kind in DATABASES:
        made: AnyBooks = books(DATABASES[kind])
        return Table(
            kind,
            made.target(name),
            lambda wanted, periods: made.place(name, **only(wanted, periods)),
        )
    if kind == "delta":
        return Table(
            kind,
            DeltaTarget(path, {}, label),
            lambda wanted, periods: DeltaTable(path, label, only=only(wanted, periods)),
        )
    if kind == DELTA_IN_STORE:
        bucket: Bucket = books("bucket")
        there = bucket.path(f"out/{name}")
        return Table(
            kind,
            DeltaStoreTarget(there),
            lambda wanted, periods: DeltaTable(there, str(there), only=only(wanted, periods)),
            bucket.boundary,
        )
    if kind in LAKES:
        if kind == "iceberg_s3":
            lake = lake_in_bucket(books("bucket"), folder)
        elif kind == "iceberg_rest":
            lake = books("rest_lake")(folder)
        else:
            lake = lake_in(folder, "hadoop" if kind == "iceberg" else "jdbc")
        return Table(
            "iceberg",
            IcebergTarget(lake, f"books.{name}", label),
            lambda wanted, periods: IcebergTable(
                lake, f"books.{name}", label, only=only(wanted, periods)
            ),
            lake.boundary,
        )
    named = kind_named(kind)

    def place(wanted: Dataset, periods: Sequence[str]) -> FileTable:
        columns = tuple(source_of(wanted, field.name) for field in wanted.fields)
        return FileTable(named, path, label=label, only=only(wanted, periods), wanted=columns)

    return Table(kind, FileTarget(named, path, label=label), place)
