"""PostgreSQL's own COPY: the least that rows cost on their way into a table and out of it. What is
sent are lines of text that are there already, and what comes is thrown away: no rows are made of
it."""

from __future__ import annotations

import os
from pathlib import Path

from psycopg import sql

from benchmarks.sources_task import NAMES, PERIOD_COLUMN, Relation

_CHUNK = 1 << 20
_COLUMNS = sql.SQL(", ").join(map(sql.Identifier, NAMES))


def replace_period(table: Relation, period: str, lines: Path) -> None:
    """Lines of a period in place of the rows that the table has, in one transaction."""
    name, column = sql.Identifier(table.name), sql.Identifier(PERIOD_COLUMN)
    delete = sql.SQL("DELETE FROM {} WHERE {} = %s").format(name, column)
    insert = sql.SQL("COPY {} ({}) FROM STDIN").format(name, _COLUMNS)
    with (
        table.server.connect() as connection,
        connection.transaction(),
        connection.cursor() as cursor,
        lines.open("rb") as file,
    ):
        cursor.execute(delete, (period,))
        with cursor.copy(insert) as copy:
            while chunk := file.read(_CHUNK):
                copy.write(chunk)


def read_period(table: Relation, period: str, into: Path | None = None) -> None:
    """The lines of a period, thrown away or kept in a file."""
    query = sql.SQL("COPY (SELECT {} FROM {} WHERE {} = {}) TO STDOUT").format(
        _COLUMNS, sql.Identifier(table.name), sql.Identifier(PERIOD_COLUMN), sql.Literal(period)
    )
    with (
        table.server.connect() as connection,
        connection.cursor() as cursor,
        (into or Path(os.devnull)).open("wb") as file,
        cursor.copy(query) as copy,
    ):
        for chunk in copy:
            file.write(chunk)
