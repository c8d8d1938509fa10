"""Which columns of MySQL take which of an output, and which values one would change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rowbook.locations.identifiers import TableName
from rowbook.sources.databases.output_columns import (
    ColumnTypes,
    OutputColumn,
    TableColumn,
    always,
    whole,
    with_decimals,
)
from rowbook.sources.mysql.column_forms import BOOLEAN
from rowbook.sources.mysql.errors import quoted, quoted_label
from rowbook.sources.mysql.mysql_connection import Connection
from rowbook.sources.mysql.mysql_server_tables import MysqlRelation

TEXT = "longtext"
MOMENT = "datetime(6)"
CHARSET = "utf8mb4"
_FULL = 6
_INTEGERS = ("tinyint", "smallint", "mediumint", "int", "bigint")
_ALL_INTEGERS = (*_INTEGERS, *(f"{kind} unsigned" for kind in _INTEGERS))
_BYTES = {"tinytext": 2**8 - 1, "text": 2**16 - 1, "mediumtext": 2**24 - 1}
_TEXTS = ("char", "varchar", *_BYTES, TEXT)


def _number(_: TableColumn, there: TableColumn) -> bool:
    return there.type != BOOLEAN


def _whole_number(mine: TableColumn, there: TableColumn) -> bool:
    return _number(mine, there) and whole(mine, there)


TYPES = ColumnTypes(
    {
        **dict.fromkeys(("string", "void"), TEXT),
        **dict.fromkeys(("byte", "short", "integer", "long"), "bigint"),
        **dict.fromkeys(("float", "double"), "double"),
        "boolean": BOOLEAN,
        "date": "date",
        "timestamp": MOMENT,
    },
    "decimal",
    {
        **{(TEXT, text): always for text in _TEXTS},
        **{("bigint", integer): _number for integer in _ALL_INTEGERS},
        ("bigint", "decimal"): with_decimals,
        ("decimal", "decimal"): with_decimals,
        **{("decimal", integer): _whole_number for integer in _ALL_INTEGERS},
        ("tinyint", "bit"): always,
        ("datetime", "datetime"): always,
        ("datetime", "timestamp"): always,
    },
    quoted_label,
)


def definition(column: OutputColumn, name: str) -> str:
    """Texts are compared by their bytes in columns of ours."""
    collation = f" CHARACTER SET {CHARSET} COLLATE {CHARSET}_bin" if column.type == TEXT else ""
    return f"{quoted_label(name)} {column.type}{collation}"


def unfit_column(
    connection: Connection, stage: TableName, columns: Sequence[OutputColumn], table: MysqlRelation
) -> TableColumn | None:
    """The column that would change a staged value without a word, strict as the server is: that
    rounds moments, drops spaces at the end of texts, and may not have a character."""
    for column in columns:
        there = table.by_name[column.name]
        faults = list(_faults(quoted_label(column.staged), there))
        if not faults:
            continue
        query = f"SELECT 1 FROM {quoted(stage)} WHERE {' OR '.join(faults)} LIMIT 1"
        if connection.one(query) is not None:
            return there
    return None


def _faults(c: str, there: TableColumn) -> Iterator[str]:
    if there.kind in ("datetime", "timestamp"):
        (digits,) = there.arguments or (0,)
        if digits < _FULL:
            yield f"MICROSECOND({c}) MOD {10 ** (_FULL - digits)} <> 0"
    if there.kind in ("char", "varchar"):
        yield f"CHAR_LENGTH({c}) > {there.arguments[0]}"
    if there.kind == "char":
        yield f"RIGHT({c}, 1) = ' '"
    if there.kind in _BYTES:
        yield f"LENGTH({c}) > {_BYTES[there.kind]}"
    if there.kind in _TEXTS and there.charset not in (None, CHARSET):
        there_and_back = f"CONVERT(CONVERT({c} USING {there.charset}) USING {CHARSET})"
        yield f"NOT (CAST({there_and_back} AS BINARY) <=> CAST({c} AS BINARY))"
