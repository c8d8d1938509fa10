"""A table of a database as it can be looked at without Spark: its columns, keys and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from psycopg import sql

from rowbook.expressions.values import Value
from rowbook.locations.identifiers import TableName
from rowbook.sources.databases.database import Database
from rowbook.sources.databases.output_columns import TableColumn
from rowbook.sources.databases.table_sample import TableSample
from rowbook.sources.postgres.connection import Connection, connected
from rowbook.sources.postgres.errors import asking, quoted
from rowbook.sources.postgres.postgres_tables import PostgresTable
from rowbook.sources.postgres.server_tables import (
    DatabaseTable,
    column_list,
    present_table,
)

_KINDS = {
    "smallint": "smallint",
    "integer": "int",
    "bigint": "bigint",
    "real": "float",
    "double precision": "double",
    "boolean": "boolean",
    "date": "date",
    "timestamp without time zone": "timestamp_ntz",
    "timestamp with time zone": "timestamp",
    **dict.fromkeys(("text", "character varying", "character", "uuid"), "string"),
}
"""What Spark reads columns as. Others come as it pleases, and are not proposed."""
_KEYS = """
SELECT array_agg(a.attname ORDER BY k.place) FROM pg_index i
CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY AS k(attnum, place)
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
WHERE i.indrelid = %s AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
    AND i.indexprs IS NULL AND k.place <= i.indnkeyatts
GROUP BY i.indexrelid, i.indisprimary, i.indnkeyatts
HAVING count(*) = i.indnkeyatts AND bool_and(a.attnotnull)
ORDER BY i.indisprimary DESC, i.indnkeyatts
"""
_BATCH = 10_000


def table_sample(table: PostgresTable, most: int) -> TableSample:
    """DATASOURCE_006 where there is no such table."""
    database, label, name = table.database, table.label, table.name
    with asking(database, label), connected(database) as connection:
        found = present_table(connection, name, label)
        keys = tuple(tuple(key) for (key,) in connection.execute(_KEYS, (found.oid,)).fetchall())
        is_looked_at = found.rows <= most
    types = {column.name: _spark_type(column) for column in found.columns}
    notes = () if is_looked_at else (f"not looked at: about {found.rows:,} rows",)
    return TableSample(
        label,
        types,
        frozenset(column.name for column in found.columns if column.never_null),
        keys,
        lambda: _rows(database, name, found, label),
        is_looked_at,
        notes,
    )


def _spark_type(column: TableColumn) -> str:
    if column.kind == "numeric":
        precision, scale = (*column.arguments, 0, 0)[:2]
        return f"decimal({precision},{scale})" if 0 < precision <= 38 and scale >= 0 else "numeric"
    return _KINDS.get(column.kind, column.type)


def _rows(
    database: Database, name: TableName, table: DatabaseTable, label: str
) -> Iterator[tuple[str, Sequence[Value]]]:
    columns = [column.name for column in table.columns]
    query = sql.SQL("SELECT {} FROM {}").format(column_list(columns), quoted(name))
    with asking(database, label), connected(database) as connection:
        yield from _fetched(connection, query, label)


def _fetched(
    connection: Connection, query: sql.Composed, label: str
) -> Iterator[tuple[str, Sequence[Value]]]:
    with connection.transaction(), connection.cursor("rowbook_infer") as cursor:
        cursor.itersize = _BATCH
        cursor.execute(query)
        for number, row in enumerate(cursor, start=1):
            yield f"{label} row {number}", row
