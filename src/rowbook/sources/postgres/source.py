"""Tables of a PostgreSQL database."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

from rowbook.locations.identifiers import TableName
from rowbook.planning.columns import PERIOD
from rowbook.sources.places import PostgresTable, PostgresTarget
from rowbook.sources.postgres.connection import Connection, connected
from rowbook.sources.postgres.errors import asking
from rowbook.sources.postgres.output_marks import last_mark
from rowbook.sources.postgres.recovery import settle_table
from rowbook.sources.postgres.snapshot import no_table
from rowbook.sources.postgres.staging import staging_schema
from rowbook.sources.postgres.tables import DatabaseTable, find_table, named_table, version_of
from rowbook.sources.raw import Raw
from rowbook.sources.source import Content, Settlement, WriteRequest, WriteResult

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class PostgresSource:
    """See Source."""

    def columns(self, place: PostgresTable) -> tuple[str, ...]:
        """The columns of a table, in their order."""
        name = _name(place)
        with asking(place.database, place.label), connected(place.database) as connection:
            return tuple(column.name for column in _table(connection, name, place).columns)

    def contents(self, place: PostgresTable) -> tuple[Content, ...]:
        """The table with its size, and a version that differs whenever its rows may: the last
        output of Rowbook into the wanted periods, and the server's own count of changed rows. What
        others change may show a second later; and the count may differ though the rows do not
        (after an output into other periods, or after a crash of the server)."""
        name, database = _name(place), place.database
        with asking(database, place.label), connected(database) as connection:
            table = _table(connection, name, place)
            schema = staging_schema(database, name)
            last = last_mark(connection, schema, name, place.only.get(PERIOD.name))
            version = version_of(connection, table, last)
        return (Content(place.label, table.size, version=version),)

    def read(
        self, spark: SparkSession, places: Sequence[PostgresTable], held: ExitStack
    ) -> tuple[Raw, ...]:
        """See Source. All that is read of a database under one `held` is of one moment."""
        from rowbook.sources.postgres.read import read_tables

        return read_tables(spark, places, held)

    def write(self, frame: DataFrame, target: PostgresTarget, order: WriteRequest) -> WriteResult:
        """See Source."""
        from rowbook.sources.postgres.write import write_table

        return write_table(frame, target, order)

    def settle(self, target: PostgresTarget, run_id: str, seq: int) -> Settlement:
        """See Source."""
        return settle_table(target, run_id, seq)


def _name(place: PostgresTable) -> TableName:
    return named_table(place.table, place.database, "DATASOURCE_006", place.label)


def _table(connection: Connection, name: TableName, place: PostgresTable) -> DatabaseTable:
    found = find_table(connection, name)
    if found is None:
        raise no_table(place.label)
    return found
