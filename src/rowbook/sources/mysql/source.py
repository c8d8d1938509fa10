"""Tables of a MySQL or MariaDB database."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from rowbook.locations.identifiers import TableName
from rowbook.sources.contents import changed_names
from rowbook.sources.databases.source import DatabaseSource
from rowbook.sources.databases.table_sample import TableSample
from rowbook.sources.mysql.errors import asking
from rowbook.sources.mysql.mysql_connection import connected
from rowbook.sources.mysql.mysql_marks import damage_of, last_mark, settle_table
from rowbook.sources.mysql.mysql_server_tables import present_table
from rowbook.sources.mysql.mysql_stage import clean_stage
from rowbook.sources.mysql.mysql_tables import MysqlTable, MysqlTarget
from rowbook.sources.mysql.read_moment import moment_of
from rowbook.sources.mysql.row_digests import MysqlReading
from rowbook.sources.raw import Raw
from rowbook.sources.source import Publishing, Settlement, StagedOutput, WriteRequest
from rowbook.sources.source_errors import input_changed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class MysqlSource(DatabaseSource[MysqlTable, MysqlTarget]):
    """A content is a digest of the rows that the server computes. Contents of all tables of a run
    are of one moment; rows are read by connections that cannot join it, and count as read if the
    table has the same contents afterwards."""

    table_type = MysqlTable
    target_type = MysqlTarget

    @contextmanager
    def reading(self, table: MysqlTable) -> Iterator[MysqlReading]:
        with asking(table.database, table.label), ExitStack() as stack:
            opened = connected(table.database) if table.moment is None else table.moment.reading()
            connection = stack.enter_context(opened)
            found = present_table(connection, table.name, table.database, table.label)
            yield MysqlReading(connection, table, found)

    def held(self, table: MysqlTable, resources: ExitStack) -> MysqlTable:
        with asking(table.database, table.label):
            pinned = replace(table, moment=moment_of(table.database, resources))
        with self.reading(pinned) as found:
            return replace(pinned, content=found.content())

    def check(self, table: MysqlTable) -> None:
        """Reads all rows, at the server."""
        now = self.contents(replace(table, content=None, moment=None))
        if changed := changed_names(self.contents(table), now):
            raise input_changed(changed)

    def read(
        self, spark: SparkSession, tables: Sequence[MysqlTable], resources: ExitStack
    ) -> tuple[Raw, ...]:
        """What a job reads later, `check` looks at."""
        from rowbook.sources.mysql.read import read_table

        for table in tables:
            if table.content is not None:
                self.check(table)
        return tuple(read_table(spark, table) for table in tables)

    def stage(self, frame: DataFrame, target: MysqlTarget, order: WriteRequest) -> StagedOutput:
        from rowbook.sources.mysql.write import stage_table

        return stage_table(frame, target, order)

    def publish_tables(self, staged: Sequence[StagedOutput], publishing: Publishing) -> None:
        from rowbook.sources.mysql.mysql_publish import publish_tables

        publish_tables(staged, publishing)

    def sample(self, table: MysqlTable, most: int) -> TableSample:
        from rowbook.sources.mysql.mysql_profile import table_sample

        return table_sample(table, most)

    def damage(self, staged: StagedOutput) -> str | None:
        return damage_of(staged)

    def discard(self, staged: StagedOutput) -> None:
        target = cast("MysqlTarget", staged.target)
        clean_stage(target.database, TableName(target.staging_schema, staged.details["stage"]))

    def settle(self, target: MysqlTarget, run_id: str, seq: int) -> Settlement:
        return settle_table(target, run_id, seq)

    def last_output(self, target: MysqlTarget, periods: Collection[str] | None) -> str | None:
        with asking(target.database, target.label), connected(target.database) as connection:
            return last_mark(connection, target.staging_schema, target.name, periods)
