"""What identifies the rows of a table, and the rows themselves as evidence: in a file of parquet
with the types that Spark is given them in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from psycopg import sql

from rowbook.planning.columns import PERIOD
from rowbook.sources.contents import Content
from rowbook.sources.databases.output_columns import TableColumn
from rowbook.sources.postgres.connection import Connection
from rowbook.sources.postgres.errors import quoted
from rowbook.sources.postgres.output_marks import last_mark
from rowbook.sources.postgres.postgres_tables import PostgresTable
from rowbook.sources.postgres.server_tables import (
    DatabaseTable,
    is_counted,
    is_long,
    version_of,
)

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


@dataclass(frozen=True, slots=True)
class PostgresReading:
    """In the transaction of a connection."""

    connection: Connection
    table: PostgresTable
    found: DatabaseTable

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.found.columns)

    def content(self) -> Content:
        table, name = self.table, self.table.name
        schema = table.database.staging_schema(name)
        last = last_mark(self.connection, schema, name, table.only.get(PERIOD.name))
        version = version_of(self.connection, self.found, last)
        return Content(table.label, self.found.size, version=version)

    def digest(self) -> str | None:
        """How many rows, and which transactions wrote them. None of views, and of data that is
        elsewhere."""
        if not is_counted(self.found):
            return None
        wrote = sql.SQL("xmin::text::bigint")
        query = sql.SQL("SELECT concat_ws('.', count(*), sum({0}), max({0})) FROM {1}").format(
            wrote, quoted(self.table.name)
        )
        return f"rows:{self._value(query)}"

    def rows_fingerprint(self) -> str:
        """How many rows, and the sums of two hashes of each."""
        for form in _FORMS:
            self.connection.execute(form)
        hashed = [
            sql.SQL("coalesce(sum(hashtextextended({}::text, {})::numeric), 0)").format(_ROW, seed)
            for seed in (1, 2)
        ]
        query = sql.SQL("SELECT concat_ws('.', count(*), {}, {}) FROM {} AS {}").format(
            *hashed, quoted(self.table.name), _ROW
        )
        return f"rows:{self._value(query)}"

    def write_rows(self, to: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns = sql.SQL(", ").join([_selected(column) for column in self.found.columns])
        query = sql.SQL("SELECT {} FROM {}").format(columns, quoted(self.table.name))
        condition, values = wanted_rows(self.table, self.found)
        rows = self.connection.execute(query + condition, values).fetchall()
        arrays = [
            pa.array([row[place] for row in rows], _arrow_type(column))
            for place, column in enumerate(self.found.columns)
        ]
        pq.write_table(pa.table(arrays, names=list(self.columns)), to)

    def _value(self, query: sql.Composed) -> object:
        condition, values = wanted_rows(self.table, self.found)
        (value,) = self.connection.execute(query + condition, values).fetchone() or ("",)
        return value


def wanted_rows(table: PostgresTable, found: DatabaseTable) -> tuple[sql.Composed, list[list[str]]]:
    """A condition to put behind a query of the table, and its values."""
    condition, values = sql.Composed([]), list[list[str]]()
    for column, wanted in table.only.items():
        if found.column(column) is not None:
            clause = sql.SQL("{}::text = ANY(%s)").format(sql.Identifier(column))
            condition += sql.SQL(" AND " if values else " WHERE ") + clause
            values.append(sorted(wanted))
    return condition, values


def _arrow_type(column: TableColumn) -> pa.DataType:
    import pyarrow as pa

    if column.kind == _NUMERIC and not is_long(column):
        return pa.decimal128(*column.arguments)
    if column.kind in _MOMENTS:
        return pa.timestamp("us", _MOMENTS[column.kind])
    return pa.type_for_alias(_TYPED.get(column.kind, "string"))


def _selected(column: TableColumn) -> sql.Composable:
    name, kind = sql.Identifier(column.name), column.kind
    is_typed = kind in _TYPED or kind in _MOMENTS or kind in _TEXTS
    if is_typed or (kind == _NUMERIC and not is_long(column)):
        return name
    return sql.SQL("{}::text").format(name)
