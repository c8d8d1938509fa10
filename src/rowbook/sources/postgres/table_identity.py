"""What identifies the rows of a table."""

from __future__ import annotations

from psycopg import sql

from rowbook.locations.identifiers import TableName
from rowbook.planning.columns import PERIOD
from rowbook.sources.contents import Content
from rowbook.sources.postgres.connection import Connection
from rowbook.sources.postgres.database import PostgresTable
from rowbook.sources.postgres.errors import quoted
from rowbook.sources.postgres.output_marks import last_mark
from rowbook.sources.postgres.server_tables import (
    DatabaseTable,
    is_counted,
    named_table,
    version_of,
)
from rowbook.sources.postgres.stage_table import staging_schema


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


def digest_of(
    connection: Connection, table: PostgresTable, name: TableName, found: DatabaseTable
) -> str | None:
    """What the rows that are read are, as of the transaction: how many, and which transactions
    wrote them. None where nobody knows that: of views, and of data that is elsewhere."""
    if not is_counted(found):
        return None
    wrote = sql.SQL("xmin::text::bigint")
    query = sql.SQL("SELECT concat_ws('.', count(*), sum({0}), max({0})) FROM {1}").format(
        wrote, quoted(name)
    )
    values: list[list[str]] = []
    for column, wanted in table.only.items():
        if found.column(column) is not None:
            clause = sql.SQL("{}::text = ANY(%s)").format(sql.Identifier(column))
            query += sql.SQL(" AND " if values else " WHERE ") + clause
            values.append(sorted(wanted))
    (digest,) = connection.execute(query, values).fetchone() or (None,)
    return f"rows:{digest}"
