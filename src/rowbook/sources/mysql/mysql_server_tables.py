"""What a database's catalog says about a table, asked without touching its rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rowbook.locations.identifiers import TableName
from rowbook.sources.databases.database import Database, no_table, unusable
from rowbook.sources.databases.output_columns import TableColumn
from rowbook.sources.mysql.mysql_connection import Connection

TABLES = frozenset({"BASE TABLE", "SYSTEM VERSIONED"})
_VIEW = "VIEW"
_ENGINE = "InnoDB"
ENGINE_HINT = "ALTER TABLE … ENGINE = InnoDB"

_WIDTH = re.compile(r"(?<=int)\((?!1\))[0-9]+\)")
"""How wide integers are shown, which some servers say and is no part of the type; but a TINYINT(1)
is a boolean."""
_FIND = """
SELECT TABLE_TYPE, ENGINE, COALESCE(DATA_LENGTH, 0), COALESCE(TABLE_ROWS, 0), TABLE_COMMENT
FROM information_schema.TABLES WHERE TABLE_SCHEMA = %s AND TABLE_NAME = %s
"""
_COLUMNS = """
SELECT COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, CHARACTER_SET_NAME FROM information_schema.COLUMNS
WHERE TABLE_SCHEMA = %s AND TABLE_NAME = %s ORDER BY ORDINAL_POSITION
"""
_PRIMARY = """
SELECT COLUMN_NAME FROM information_schema.STATISTICS
WHERE TABLE_SCHEMA = %s AND TABLE_NAME = %s AND INDEX_NAME = 'PRIMARY'
"""


@dataclass(frozen=True, slots=True)
class MysqlRelation:
    """A table, or what can be read like one. `size` is in bytes; that and `rows` are guesses."""

    kind: str
    engine: str | None
    size: int
    rows: int
    comment: str
    columns: tuple[TableColumn, ...]

    @property
    def by_name(self) -> Mapping[str, TableColumn]:
        return {column.name: column for column in self.columns}

    @property
    def engine_fault(self) -> str | None:
        """Others keep no transactions: neither could a reader see one moment, nor a writer publish
        in one step."""
        if self.kind not in TABLES or self.engine == _ENGINE:
            return None
        return f"its engine is {self.engine}, which has no transactions"


def find_table(connection: Connection, name: TableName) -> MysqlRelation | None:
    place = (name.schema, name.name)
    found = connection.one(_FIND, place)
    if found is None or found[0] not in (*TABLES, _VIEW):
        return None
    columns = tuple(
        TableColumn(column, _WIDTH.sub("", kind.lower()), is_nullable == "NO", charset)
        for column, kind, is_nullable, charset in connection.rows(_COLUMNS, place)
    )
    kind, engine, size, rows, comment = found
    return MysqlRelation(kind, engine, int(size), int(rows), comment, columns)


def present_table(
    connection: Connection, name: TableName, database: Database, label: str
) -> MysqlRelation:
    """DATASOURCE_006 where there is none, DATASOURCE_010 where it has no transactions."""
    found = find_table(connection, name)
    if found is None:
        raise no_table(label)
    if fault := found.engine_fault:
        raise unusable(database, label, fault, hint=ENGINE_HINT)
    return found


def primary_key(connection: Connection, name: TableName) -> str | None:
    """The column that is the primary key alone."""
    found = connection.rows(_PRIMARY, (name.schema, name.name))
    return str(found[0][0]) if len(found) == 1 else None


def tables_like(connection: Connection, schema: str, begins: str) -> list[str]:
    query = """
        SELECT TABLE_NAME FROM information_schema.TABLES
        WHERE TABLE_SCHEMA = %s AND LEFT(TABLE_NAME, %s) = %s ORDER BY 1
    """
    return [name for (name,) in connection.rows(query, (schema, len(begins), begins))]
