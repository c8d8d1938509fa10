"""A table of a database as it can be looked at without Spark: its columns, keys and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pymysql.cursors import SSCursor

from rowbook.expressions.values import Value
from rowbook.sources.databases.output_columns import DIGITS, TableColumn
from rowbook.sources.databases.table_sample import TableSample
from rowbook.sources.mysql.column_forms import form_of, selected
from rowbook.sources.mysql.errors import asking, quoted, quoted_label
from rowbook.sources.mysql.mysql_connection import connected
from rowbook.sources.mysql.mysql_server_tables import MysqlRelation, present_table
from rowbook.sources.mysql.mysql_tables import MysqlTable

_KEYS = """
SELECT INDEX_NAME, COLUMN_NAME, SUB_PART IS NULL
FROM information_schema.STATISTICS
WHERE TABLE_SCHEMA = %s AND TABLE_NAME = %s AND NON_UNIQUE = 0
ORDER BY INDEX_NAME <> 'PRIMARY', INDEX_NAME, SEQ_IN_INDEX
"""


def table_sample(table: MysqlTable, most: int) -> TableSample:
    """DATASOURCE_006 where there is no such table."""
    with asking(table.database, table.label), connected(table.database) as connection:
        found = present_table(connection, table.name, table.database, table.label)
        keys = connection.rows(_KEYS, (table.name.schema, table.name.name))
    is_looked_at = found.rows <= most
    never_null = frozenset(column.name for column in found.columns if column.never_null)
    return TableSample(
        table.label,
        {column.name: _spark_type(column) for column in found.columns},
        never_null,
        _unique(keys, never_null),
        lambda: _rows(table, found),
        is_looked_at,
        () if is_looked_at else (f"not looked at: about {found.rows:,} rows",),
    )


def _unique(
    indexes: Sequence[tuple[str, str, int]], never_null: frozenset[str]
) -> tuple[tuple[str, ...], ...]:
    """Those of whole columns that are never NULL."""
    columns: dict[str, list[str]] = {}
    partial = set[str]()
    for index, column, is_whole in indexes:
        columns.setdefault(index, []).append(column)
        if not is_whole or column not in never_null:
            partial.add(index)
    return tuple(tuple(key) for index, key in columns.items() if index not in partial)


def _spark_type(column: TableColumn) -> str:
    if column.kind.startswith("decimal") and column.arguments[0] > DIGITS:
        return "numeric"
    form = form_of(column)
    return form.to or form.spark


def _rows(table: MysqlTable, found: MysqlRelation) -> Iterator[tuple[str, Sequence[Value]]]:
    """Moments as datetimes of Python, flags as booleans."""
    flags = [form_of(column).to == "boolean" for column in found.columns]
    columns = ", ".join(
        quoted_label(column.name)
        if form_of(column).to in ("date", "timestamp_ntz", "timestamp")
        else selected(column)
        for column in found.columns
    )
    with (
        asking(table.database, table.label),
        connected(table.database) as connection,
        connection.cursor(SSCursor) as cursor,
    ):
        cursor.execute(f"SELECT {columns} FROM {quoted(table.name)}")
        for number, row in enumerate(cursor, start=1):
            values = [
                value == 1 if is_flag and value is not None else value
                for value, is_flag in zip(row, flags, strict=True)
            ]
            yield f"{table.label} row {number}", values
