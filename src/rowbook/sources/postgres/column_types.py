"""The types of an output's columns in a database, and which existing columns can take them.

PostgreSQL itself would take more: it rounds a number to fit a column of fewer decimals, and a
timestamp to fit a date. Nothing is written here that is then not what it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from psycopg import errors, sql
from pyspark.sql import DataFrame
from pyspark.sql import types as s

from rowbook.locations.identifiers import TableName, name_fault
from rowbook.sources.postgres.connection import Connection
from rowbook.sources.postgres.errors import quoted, quoted_label, unwritable
from rowbook.sources.postgres.server_tables import DatabaseTable, TableColumn

_SIMPLE: dict[type[s.DataType], str] = {
    **dict.fromkeys((s.StringType, s.NullType), "text"),
    **dict.fromkeys((s.ByteType, s.ShortType, s.IntegerType, s.LongType), "bigint"),
    **dict.fromkeys((s.FloatType, s.DoubleType), "double precision"),
    s.BooleanType: "boolean",
    s.DateType: "date",
    s.TimestampType: "timestamp with time zone",
}
_OURS = re.compile("|".join((*map(re.escape, _SIMPLE.values()), r"numeric\([0-9]+,[0-9]+\)")))
_INTEGERS = ("smallint", "integer", "bigint")
_MICROSECONDS = 6


@dataclass(frozen=True, slots=True)
class OutputColumn:
    """`type` is that of the column called `staged`."""

    name: str
    staged: str
    type: str


def output_columns(frame: DataFrame, label: str) -> tuple[OutputColumn, ...]:
    """OUTPUT_006 for what a database cannot hold or call so. Staged columns are numbered: Spark,
    which quotes names its own way, never sees a name of ours."""
    return tuple(
        OutputColumn(_sound(field.name, label), f"c{i}", _type(field, label))
        for i, field in enumerate(frame.schema.fields, start=1)
    )


def recorded_columns(recorded: Sequence[Sequence[str]]) -> tuple[OutputColumn, ...]:
    """As a record has them, which may say anything: ValueError where one is none of ours."""
    columns = tuple(OutputColumn(*each) for each in recorded)
    for column in columns:
        if name_fault(column.name) or not _OURS.fullmatch(column.type):
            raise ValueError(f"'{column.name}' of type {column.type} is no column of an output")
    return columns


def check_columns(columns: Sequence[OutputColumn], table: DatabaseTable, label: str) -> None:
    """OUTPUT_006 where an existing table lacks a column, or has it with a type that does not take
    every value, or only by changing it (a value that is too large is seen when it is written)."""
    for column in columns:
        there = table.column(column.name)
        if there is None:
            definition = f"{quoted_label(column.name)} {column.type}"
            said = f"it has no column '{column.name}'"
            hint = f"ALTER TABLE … ADD COLUMN {definition}, or leave the column out of the output"
            raise unwritable(label, said, hint=hint)
        if not _takes(there, column):
            said = (
                f"column '{column.name}' is {there.type} there, which cannot hold {column.type} as"
                " it is"
            )
            raise unwritable(label, said, hint="convert in the project, or alter the column")


def _sound(name: str, label: str) -> str:
    if fault := name_fault(name):
        raise unwritable(label, f"the name of column '{name}' {fault}")
    return name


def _type(field: s.StructField, label: str) -> str:
    kind = field.dataType
    if isinstance(kind, s.DecimalType):
        return f"numeric({kind.precision},{kind.scale})"
    if type(kind) not in _SIMPLE:
        raise unwritable(label, f"column '{field.name}' is {kind.simpleString()}")
    return _SIMPLE[type(kind)]


def _takes(there: TableColumn, column: OutputColumn) -> bool:
    if there.type == column.type:
        return True
    mine = TableColumn(column.name, column.type)
    check = _TAKES.get((mine.kind, there.kind))
    return check is not None and check(mine, there)


def _always(_: TableColumn, __: TableColumn) -> bool:
    return True


def _with_decimals(mine: TableColumn, there: TableColumn) -> bool:
    """Too many digits before them are an error as it is written."""
    _, wanted = mine.arguments or (0, 0)
    return not there.arguments or there.arguments[1] >= wanted


def _whole(mine: TableColumn, _: TableColumn) -> bool:
    return mine.arguments[1] == 0


def _finely(_: TableColumn, there: TableColumn) -> bool:
    return there.arguments in ((), (_MICROSECONDS,))


_INSTANT = "timestamp with time zone"
_TAKES: dict[tuple[str, str], Callable[[TableColumn, TableColumn], bool]] = {
    **{("text", text): _always for text in ("character varying", "character", "citext")},
    **{("bigint", integer): _always for integer in _INTEGERS},
    ("bigint", "numeric"): _with_decimals,
    ("numeric", "numeric"): _with_decimals,
    **{("numeric", integer): _whole for integer in _INTEGERS},
    (_INSTANT, _INSTANT): _finely,
    (_INSTANT, "timestamp without time zone"): _finely,
}
"""By the kinds of both; equal types are not listed."""


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
