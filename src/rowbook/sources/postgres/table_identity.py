"""What identifies the rows of a table, and the rows themselves as evidence: in a file of parquet
with the types that Spark is given them in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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
    TableColumn,
    is_counted,
    named_table,
    version_of,
)
from rowbook.sources.postgres.stage_table import staging_schema

if TYPE_CHECKING:
    import pyarrow as pa

_FORMS = (
    "SET LOCAL DateStyle = 'ISO, YMD'",
    "SET LOCAL IntervalStyle = 'iso_8601'",
    "SET LOCAL TimeZone = 'UTC'",
    "SET LOCAL bytea_output = 'hex'",
    "SET LOCAL extra_float_digits = 1",
)
"""How values are written that are hashed, whatever the user's settings are."""
_ROW = sql.Identifier("rowbook row")
_TEXTS = frozenset({"text", "character varying", "character"})
_NUMERIC = "numeric"
_TYPED = {
    "smallint": "int16",
    "integer": "int32",
    "bigint": "int64",
    "boolean": "bool",
    "date": "date32",
    "real": "float32",
    "double precision": "float64",
}
_MOMENTS = {"timestamp without time zone": None, "timestamp with time zone": "UTC"}


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
    condition, values = wanted_rows(table, found)
    (digest,) = connection.execute(query + condition, values).fetchone() or (None,)
    return f"rows:{digest}"


def wanted_rows(table: PostgresTable, found: DatabaseTable) -> tuple[sql.Composed, list[list[str]]]:
    """A condition to put behind a query of the table, and its values."""
    condition, values = sql.Composed([]), list[list[str]]()
    for column, wanted in table.only.items():
        if found.column(column) is not None:
            clause = sql.SQL("{}::text = ANY(%s)").format(sql.Identifier(column))
            condition += sql.SQL(" AND " if values else " WHERE ") + clause
            values.append(sorted(wanted))
    return condition, values


def rows_fingerprint(
    connection: Connection, table: PostgresTable, name: TableName, found: DatabaseTable
) -> str:
    """Of the rows that are read: how many, and the sums of two hashes of each, whoever wrote
    them."""
    for form in _FORMS:
        connection.execute(form)
    hashed = [
        sql.SQL("coalesce(sum(hashtextextended({}::text, {})::numeric), 0)").format(_ROW, seed)
        for seed in (1, 2)
    ]
    query = sql.SQL("SELECT concat_ws('.', count(*), {}, {}) FROM {} AS {}").format(
        *hashed, quoted(name), _ROW
    )
    condition, values = wanted_rows(table, found)
    (told,) = connection.execute(query + condition, values).fetchone() or ("",)
    return f"rows:{told}"


def write_rows(
    connection: Connection, table: PostgresTable, name: TableName, found: DatabaseTable, to: Path
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = [_selected(column) for column in found.columns]
    query = sql.SQL("SELECT {} FROM {}").format(sql.SQL(", ").join(columns), quoted(name))
    condition, values = wanted_rows(table, found)
    rows = connection.execute(query + condition, values).fetchall()
    arrays = [
        pa.array([row[place] for row in rows], _arrow_type(column))
        for place, column in enumerate(found.columns)
    ]
    pq.write_table(pa.table(arrays, names=[column.name for column in found.columns]), to)


def _arrow_type(column: TableColumn) -> pa.DataType:
    import pyarrow as pa

    if column.kind == _NUMERIC and not column.is_long:
        return pa.decimal128(*column.arguments)
    if column.kind in _MOMENTS:
        return pa.timestamp("us", _MOMENTS[column.kind])
    return pa.type_for_alias(_TYPED.get(column.kind, "string"))


def _selected(column: TableColumn) -> sql.Composable:
    name, kind = sql.Identifier(column.name), column.kind
    is_typed = kind in _TYPED or kind in _MOMENTS or kind in _TEXTS
    if is_typed or (kind == _NUMERIC and not column.is_long):
        return name
    return sql.SQL("{}::text").format(name)
