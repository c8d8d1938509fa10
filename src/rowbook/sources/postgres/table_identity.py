"""What identifies the rows of a table, and that they are those of a table that was pinned."""

from __future__ import annotations

from rowbook.locations.identifiers import TableName
from rowbook.planning.columns import PERIOD
from rowbook.sources.postgres.connection import Connection
from rowbook.sources.postgres.database import PostgresTable
from rowbook.sources.postgres.output_marks import last_mark
from rowbook.sources.postgres.server_tables import (
    DatabaseTable,
    is_counted,
    named_table,
    version_of,
)
from rowbook.sources.postgres.stage_table import staging_schema
from rowbook.sources.source import Content, input_changed


def name_of(table: PostgresTable) -> TableName:
    """DATASOURCE_006 where it cannot be one."""
    return named_table(table.table, table.database, "DATASOURCE_006", table.label)


def content_of(
    connection: Connection, table: PostgresTable, name: TableName, found: DatabaseTable
) -> Content:
    schema = staging_schema(table.database, name)
    last = last_mark(connection, schema, name, table.only.get(PERIOD.name))
    version = version_of(connection, found, last)
    return Content(table.label, found.size, version=version)


def check_pinned(
    connection: Connection, table: PostgresTable, name: TableName, found: DatabaseTable
) -> None:
    """RUN_011 where a table that was pinned has other rows now. Of views, and of data that is
    elsewhere, nobody can say that; and the size of a table changes though its rows do not."""
    if table.content is None or not is_counted(found):
        return
    if content_of(connection, table, name, found).version != table.content.version:
        raise input_changed([f"{table.label} changed"])
