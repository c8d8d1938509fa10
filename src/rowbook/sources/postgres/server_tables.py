"""What a database's catalog says about a table, asked without touching its rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from psycopg import sql

from rowbook.locations.identifiers import TableName
from rowbook.sources.databases.database import no_table
from rowbook.sources.databases.output_columns import DIGITS, TableColumn
from rowbook.sources.postgres.connection import Connection

TABLES = frozenset("rp")
"""Kinds of relations that rows are written to: tables, and tables that consist of partitions."""
_COUNTED = frozenset("rpm")
_VIEW = "v"

_FIND = """
SELECT c.oid, c.relkind::text,
    (SELECT coalesce(sum(pg_total_relation_size(p.oid)), 0)::bigint FROM pg_class p
        WHERE p.oid = c.oid OR p.oid IN (SELECT relid FROM pg_partition_tree(c.oid))),
    (SELECT coalesce(sum(greatest(p.reltuples, 0)), 0)::bigint FROM pg_class p
        WHERE p.relkind <> 'p' AND
            (p.oid = c.oid OR p.oid IN (SELECT relid FROM pg_partition_tree(c.oid))))
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = %s AND c.relname = %s AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
"""
_COLUMNS = """
WITH RECURSIVE based AS (
    SELECT attnum, attname, attnotnull, atttypid AS type, atttypmod AS modifier
    FROM pg_attribute WHERE attrelid = %(oid)s AND attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT b.attnum, b.attname, b.attnotnull, t.typbasetype, t.typtypmod
    FROM based b JOIN pg_type t ON t.oid = b.type WHERE t.typtype = 'd'
)
SELECT b.attname, format_type(b.type, b.modifier),
    b.attnotnull AND NOT EXISTS (
        SELECT FROM pg_constraint WHERE conrelid = %(oid)s AND contype = 'n'
            AND NOT convalidated AND conkey = ARRAY[b.attnum])
FROM based b JOIN pg_type t ON t.oid = b.type WHERE t.typtype <> 'd' ORDER BY b.attnum
"""
_PRIMARY = """
SELECT a.attname FROM pg_index i
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
WHERE i.indrelid = %s AND i.indisprimary AND i.indnkeyatts = 1
"""
_COUNTERS = """
SELECT string_agg(concat_ws('.', p.oid, pg_relation_filenode(p.oid),
    pg_stat_get_tuples_inserted(p.oid), pg_stat_get_tuples_updated(p.oid),
    pg_stat_get_tuples_deleted(p.oid)), ' ' ORDER BY p.oid)
FROM pg_class p WHERE p.oid = %s OR p.oid IN (SELECT relid FROM pg_partition_tree(%s))
"""
_REWRITTEN = """
SELECT count(*) FROM pg_class p
WHERE (p.oid = %s OR p.oid IN (SELECT relid FROM pg_partition_tree(%s)))
    AND p.relfilenode <> pg_relation_filenode(p.oid)
"""


def is_long(column: TableColumn) -> bool:
    """Numbers that no Spark type holds whatever they are: they come as text, digit by digit."""
    if column.kind != "numeric":
        return False
    precision, scale = column.arguments or (0, 0)
    return not 0 < precision <= DIGITS or not 0 <= scale <= precision


@dataclass(frozen=True, slots=True)
class DatabaseTable:
    """A table, or what can be read like one. `size` is in bytes, `rows` a guess."""

    oid: int
    kind: str
    size: int
    rows: int
    columns: tuple[TableColumn, ...]

    @property
    def by_name(self) -> Mapping[str, TableColumn]:
        return {column.name: column for column in self.columns}

    def column(self, name: str) -> TableColumn | None:
        return self.by_name.get(name)


def find_table(connection: Connection, name: TableName) -> DatabaseTable | None:
    found = connection.execute(_FIND, (name.schema, name.name)).fetchone()
    if found is None:
        return None
    oid, kind, size, rows = found
    columns = connection.execute(_COLUMNS, {"oid": oid}).fetchall()
    return DatabaseTable(oid, kind, size, rows, tuple(TableColumn(*column) for column in columns))


def present_table(connection: Connection, name: TableName, label: str) -> DatabaseTable:
    """DATASOURCE_006 where there is none."""
    found = find_table(connection, name)
    if found is None:
        raise no_table(label)
    return found


def primary_key(connection: Connection, table: DatabaseTable) -> str | None:
    """The column that is the primary key alone."""
    found = connection.execute(_PRIMARY, (table.oid,)).fetchone()
    return None if found is None else str(found[0])


def is_counted(table: DatabaseTable) -> bool:
    return table.kind in _COUNTED


def version_of(connection: Connection, table: DatabaseTable, last_output: str | None) -> str:
    """Differs whenever the rows may. Of a table the server counts the changes; of a view nothing is
    counted, so that any change of any table is one; data that is elsewhere always counts as
    changed."""
    if is_counted(table):
        query = connection.execute(_COUNTERS, (table.oid, table.oid))
    elif table.kind == _VIEW:
        query = connection.execute("SELECT txid_snapshot_xmax(txid_current_snapshot())")
    else:
        query = connection.execute("SELECT clock_timestamp()")
    (counted,) = query.fetchone() or ("",)
    return f"{counted} {last_output}" if last_output else str(counted)


def is_rewritten(connection: Connection, table: DatabaseTable) -> bool:
    """Since the transaction's snapshot: old rows are gone then, also for who should still see
    them."""
    found = connection.execute(_REWRITTEN, (table.oid, table.oid)).fetchone()
    return found is not None and found[0] > 0


def tables_like(connection: Connection, schema: str, begins: str) -> list[str]:
    query = """
        SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = %s AND c.relkind = 'r' AND starts_with(c.relname, %s) ORDER BY 1
    """
    return [name for (name,) in connection.execute(query, (schema, begins)).fetchall()]


def column_list(names: Collection[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))
