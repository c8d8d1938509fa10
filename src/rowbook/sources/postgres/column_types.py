"""Which columns of PostgreSQL take which of an output, and which value one does not take."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from psycopg import errors, sql

from rowbook.locations.identifiers import TableName
from rowbook.sources.databases.output_columns import (
    ColumnTypes,
    OutputColumn,
    TableColumn,
    always,
    whole,
    with_decimals,
)
from rowbook.sources.postgres.connection import Connection
from rowbook.sources.postgres.errors import quoted, quoted_label
from rowbook.sources.postgres.server_tables import DatabaseTable

_INTEGERS = ("smallint", "integer", "bigint")
_MICROSECONDS = 6
_INSTANT = "timestamp with time zone"


def _finely(_: TableColumn, there: TableColumn) -> bool:
    return there.arguments in ((), (_MICROSECONDS,))


TYPES = ColumnTypes(
    {
        **dict.fromkeys(("string", "void"), "text"),
        **dict.fromkeys(("byte", "short", "integer", "long"), "bigint"),
        **dict.fromkeys(("float", "double"), "double precision"),
        "boolean": "boolean",
        "date": "date",
        "timestamp": _INSTANT,
    },
    "numeric",
    {
        **{("text", text): always for text in ("character varying", "character", "citext")},
        **{("bigint", integer): always for integer in _INTEGERS},
        ("bigint", "numeric"): with_decimals,
        ("numeric", "numeric"): with_decimals,
        **{("numeric", integer): whole for integer in _INTEGERS},
        (_INSTANT, _INSTANT): _finely,
        (_INSTANT, "timestamp without time zone"): _finely,
    },
    quoted_label,
)


def too_small(
    connection: Connection,
    stage: TableName,
    columns: Sequence[OutputColumn],
    table: DatabaseTable | None,
) -> TableColumn | None:
    """After the server refused a value: the column that some staged value does not fit into."""
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
