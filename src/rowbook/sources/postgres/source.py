"""Tables of a PostgreSQL database."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from rowbook.locations.identifiers import TableName
from rowbook.sources.databases.source import DatabaseSource
from rowbook.sources.databases.table_sample import TableSample
from rowbook.sources.postgres.connection import connected
from rowbook.sources.postgres.errors import asking
from rowbook.sources.postgres.output_marks import damage_of, last_mark, settle_table
from rowbook.sources.postgres.postgres_tables import PostgresTable, PostgresTarget
from rowbook.sources.postgres.read_snapshot import SETTINGS, snapshot_of
from rowbook.sources.postgres.server_tables import present_table
from rowbook.sources.postgres.stage_table import clean_stage
from rowbook.sources.postgres.table_identity import PostgresReading
from rowbook.sources.raw import Raw
from rowbook.sources.source import Publishing, Settlement, StagedOutput, WriteRequest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class PostgresSource(DatabaseSource[PostgresTable, PostgresTarget]):
    """The version of a content is the last output of Rowbook into the wanted periods, and the
    server's own count of changed rows. What others change may show a second later; and the count
    may differ though the rows do not (after an output into other periods, or a crash of the
    server)."""

    table_type = PostgresTable
    target_type = PostgresTarget

    @contextmanager
    def reading(self, table: PostgresTable) -> Iterator[PostgresReading]:
        """By a connection of its own, which sees what those of the run see."""
        with (
            asking(table.database, table.label),
            connected(table.database, SETTINGS) as connection,
            connection.transaction(),
        ):
            if table.snapshot is not None:
                connection.execute(table.snapshot.joining)
            found = present_table(connection, table.name, table.label)
            yield PostgresReading(connection, table, found)

    def held(self, table: PostgresTable, resources: ExitStack) -> PostgresTable:
        with asking(table.database, table.label):
            snapshot = snapshot_of(table.database, resources)
            found = snapshot.table(table.name, table.label)
            content = PostgresReading(snapshot.connection, table, found).content()
        return replace(table, content=content, snapshot=snapshot)

    def read(
        self, spark: SparkSession, tables: Sequence[PostgresTable], resources: ExitStack
    ) -> tuple[Raw, ...]:
        """All that is read of a database under the same `resources` is of one moment."""
        from rowbook.sources.postgres.read import read_table

        return tuple(read_table(spark, table, resources) for table in tables)

    def stage(self, frame: DataFrame, target: PostgresTarget, order: WriteRequest) -> StagedOutput:
        from rowbook.sources.postgres.write import stage_table

        return stage_table(frame, target, order)

    def publish_tables(self, staged: Sequence[StagedOutput], publishing: Publishing) -> None:
        from rowbook.sources.postgres.publish import publish_tables

        publish_tables(staged, publishing)

    def sample(self, table: PostgresTable, most: int) -> TableSample:
        from rowbook.sources.postgres.profile import table_sample

        return table_sample(table, most)

    def damage(self, staged: StagedOutput) -> str | None:
        return damage_of(staged)

    def discard(self, staged: StagedOutput) -> None:
        target = cast("PostgresTarget", staged.target)
        clean_stage(target.database, TableName(target.staging_schema, staged.details["stage"]))

    def settle(self, target: PostgresTarget, run_id: str, seq: int) -> Settlement:
        return settle_table(target, run_id, seq)

    def last_output(self, target: PostgresTarget, periods: Collection[str] | None) -> str | None:
        with asking(target.database, target.label), connected(target.database) as connection:
            return last_mark(connection, target.staging_schema, target.name, periods)
