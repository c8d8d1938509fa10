"""After the server refused a value: the column that it does not fit into."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from psycopg import errors, sql

from rowbook.locations.identifiers import TableName
from rowbook.sources.postgres.column_types import OutputColumn
from rowbook.sources.postgres.connection import Connection
from rowbook.sources.postgres.errors import quoted
from rowbook.sources.postgres.tables import DatabaseTable, TableColumn


def too_small(
    connection: Connection,
    stage: TableName,
    columns: Sequence[OutputColumn],
    table: DatabaseTable | None,
) -> TableColumn | None:
    """The column of a table that some staged value does not fit into, inside a transaction."""
    for column in columns:
        there = table.column(column.name) if table else None
        if there is None or there.type == column.type:
            continue
        probe = _PROBES.get(there.kind, _fits_cast)
        try:
            with connection.transaction():
                found = connection.execute(probe(stage, column, there)).fetchone()
        except errors.DataError:
            return there
        if found is not None and not found[0]:
            return there
    return None


def _fits_cast(stage: TableName, column: OutputColumn, there: TableColumn) -> sql.Composed:
    query = sql.SQL("SELECT count({}::{}) >= 0 FROM {}")
    return query.format(sql.Identifier(column.staged), sql.SQL(there.type), quoted(stage))


def _fits_length(stage: TableName, column: OutputColumn, there: TableColumn) -> sql.Composed:
    query = sql.SQL("SELECT coalesce(max(char_length({})), 0) <= {} FROM {}")
    longest = there.arguments[0] if there.arguments else 2**31
    return query.format(sql.Identifier(column.staged), sql.Literal(longest), quoted(stage))


_PROBES: dict[str, Callable[[TableName, OutputColumn, TableColumn], sql.Composed]] = {
    "character varying": _fits_length,
    "character": _fits_length,
}
