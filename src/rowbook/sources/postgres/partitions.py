"""What PostgreSQL knows of a table that is read by several connections at once."""

from __future__ import annotations

from collections.abc import Mapping

from psycopg import sql

from rowbook.locations.identifiers import TableName
from rowbook.sources.databases.key_ranges import Divisible, Extent, Scale
from rowbook.sources.databases.output_columns import TableColumn
from rowbook.sources.postgres.connection import Connection
from rowbook.sources.postgres.errors import quoted
from rowbook.sources.postgres.server_tables import DatabaseTable, primary_key

_NUMBER = "min({c})::numeric, max({c})::numeric"
_SECONDS = "extract(epoch FROM min({c}))::numeric, extract(epoch FROM max({c}))::numeric"
_NUMBERS = ("smallint", "integer", "bigint", "numeric", "real", "double precision")
_SCALES: Mapping[str, Scale] = {
    **dict.fromkeys(_NUMBERS, "number"),
    "date": "day",
    "timestamp without time zone": "moment",
    "timestamp with time zone": "instant",
}


def divisible(connection: Connection, name: TableName, table: DatabaseTable) -> Divisible:
    def extent(column: TableColumn) -> Extent:
        form = _NUMBER if _SCALES[column.kind] == "number" else _SECONDS
        ends = sql.SQL(form).format(c=sql.Identifier(column.name))
        query = sql.SQL("SELECT {} FROM {}").format(ends, quoted(name))
        low, high = connection.execute(query).fetchone() or (None, None)
        return low, high

    return Divisible(
        table.size,
        table.rows,
        table.by_name,
        _SCALES,
        lambda: primary_key(connection, table),
        extent,
    )
