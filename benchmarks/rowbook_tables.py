"""What the benchmark of data sources calls inside Rowbook: one table written, one table read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from benchmarks.rowbook_side import NOW
from benchmarks.sources_task import COLUMNS, NAMES, Folder, Table
from rowbook.definitions.models.dataset import ColumnDefinition, DatasetDefinition, TableDefinition
from rowbook.definitions.models.workspace import CredentialDefinition
from rowbook.engine.loading.load import load
from rowbook.locations.boundary import Boundary
from rowbook.periods import GREGORIAN
from rowbook.planning.datasets import Dataset, typed
from rowbook.planning.declared_columns import declared_columns, wanted_folders
from rowbook.planning.definitions.lookup import Version
from rowbook.runs.prepare.request import new_context
from rowbook.sources import registry
from rowbook.sources.databases.database import Database
from rowbook.sources.delta.delta_table import DeltaTable, DeltaTarget
from rowbook.sources.files.file_table import FileTable, FileTarget
from rowbook.sources.postgres.postgres_tables import PostgresTable, PostgresTarget
from rowbook.sources.registry import write
from rowbook.sources.source import SourceTable, Target, WriteRequest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def replace_period(frame: DataFrame, table: Table, period: str) -> None:
    """Rows of a period in place of those that the table has, as an output in mode replace."""
    context = new_context("bench", GREGORIAN, period, None, NOW)
    write(frame, _target(table), WriteRequest("replace", context.periods, context.run_id))


@contextmanager
def period_of(spark: SparkSession, table: Table, period: str) -> Iterator[DataFrame]:
    """The rows of a period with declared types, as a run loads them; read while this lasts. What
    row ids are made from is left out, as Spark leaves it out of a run that writes none."""
    context, dataset = new_context("bench", GREGORIAN, period, None, NOW), _dataset()
    place = _place(_target(table), dataset, context.periods)
    with ExitStack() as held:
        raws = registry.read(spark, [place], held)
        loaded = load(dataset, raws, context, keep_deleted=False, periods=context.periods)
        yield loaded.frame.select(*NAMES)


def _dataset() -> Dataset:
    columns = tuple(
        ColumnDefinition(name=column.name, type=column.type, nullable=column.nullable)
        for column in COLUMNS
    )
    table = TableDefinition(name="gl", temporal_mode="period", columns=columns)
    return typed(Version(DatasetDefinition(name="ledger", main_table=table), 1))


def _target(table: Table) -> Target:
    if not isinstance(table, Folder):
        server = table.server
        secret = f"file://{server.secret.name}"
        grant = CredentialDefinition(ref=secret, host=f"127.0.0.1:{server.port}")
        boundary = Boundary(server.secret.parent, credentials=(grant,))
        database = Database(server.url, server.user, secret, boundary)
        return PostgresTarget(database, table.name, table.name)
    if table.kind == "delta":
        return DeltaTarget(table.path, {}, table.path.name)
    return FileTarget(table.kind, table.path, label=table.path.name)


def _place(target: Target, dataset: Dataset, periods: tuple[str, ...]) -> SourceTable:
    place = registry.table_of(target)
    only = wanted_folders(dataset, periods)
    if isinstance(place, FileTable):
        declared = declared_columns(dataset, by_position=False, partitions=())
        return replace(place, only=only, wanted=tuple(source for _, source in declared))
    assert isinstance(place, DeltaTable | PostgresTable)
    return replace(place, only=only)
