"""Which outputs were published, in a table beside the data: it is written in the transaction that
publishes, so that after a crash there is no doubt, and what was not published never will be."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import cast

import psycopg
from psycopg import errors, sql

from rowbook.errors import RowbookError
from rowbook.locations.identifiers import OWN, TableName
from rowbook.sources.postgres.connection import Connection, connected
from rowbook.sources.postgres.errors import quoted, reason
from rowbook.sources.postgres.postgres_tables import PostgresTarget
from rowbook.sources.postgres.stage_table import (
    drop_stages,
    find_stage,
    has_witness,
    stage_size,
)
from rowbook.sources.source import Settlement, StagedOutput, WriteRequest
from rowbook.sources.source_errors import UnreachableError
from rowbook.write_points import write_point

_NAME = f"{OWN}outputs"
_PATIENT = {"lock_timeout": "60s"}
_MAKE = """
CREATE TABLE IF NOT EXISTS {} (
    run_id text NOT NULL,
    seq integer NOT NULL,
    table_schema text NOT NULL,
    table_name text NOT NULL,
    periods text[],
    published_at timestamptz NOT NULL,
    PRIMARY KEY (run_id, seq)
)
"""
_MARK = """
INSERT INTO {} AS m (run_id, seq, table_schema, table_name, periods, published_at)
VALUES (%s, %s, %s, %s, %s, clock_timestamp())
ON CONFLICT (run_id, seq) DO UPDATE SET table_schema = excluded.table_schema,
    table_name = excluded.table_name, periods = excluded.periods,
    published_at = excluded.published_at
"""
_LAST = """
SELECT run_id, seq FROM {} WHERE table_schema = %s AND table_name = %s
    AND (periods IS NULL OR %s::text[] IS NULL OR periods && %s::text[])
ORDER BY published_at DESC LIMIT 1
"""
# What CREATE TABLE says where another made the table at the same moment: the row of its name, its
# name, the name of its row type, depending on how far the other was.
_MADE_BY_ANOTHER = (errors.UniqueViolation, errors.DuplicateTable, errors.DuplicateObject)


def marks_in(schema: str) -> TableName:
    return TableName(schema, _NAME)


def make_marks(connection: Connection, schema: str) -> None:
    if _is_there(connection, schema):
        return
    write_point("before the table of outputs is made")
    with suppress(*_MADE_BY_ANOTHER):
        connection.execute(sql.SQL(_MAKE).format(quoted(marks_in(schema))))
    write_point("the table of outputs was made")


def mark(
    connection: Connection, schema: str, name: TableName, order: WriteRequest | StagedOutput
) -> None:
    periods = None if order.periods is None else list(order.periods)
    values = (order.run_id, order.seq, name.schema, name.name, periods)
    connection.execute(sql.SQL(_MARK).format(quoted(marks_in(schema))), values)


def is_marked(connection: Connection, schema: str, run_id: str, seq: int) -> bool:
    if not _is_there(connection, schema):
        return False
    query = sql.SQL("SELECT FROM {} WHERE run_id = %s AND seq = %s")
    found = connection.execute(query.format(quoted(marks_in(schema))), (run_id, seq))
    return found.fetchone() is not None


def last_mark(
    connection: Connection, schema: str, name: TableName, periods: Collection[str] | None
) -> str | None:
    """The last output that may have changed rows of these periods, as far as whoever asks may
    know."""
    if not _is_there(connection, schema, readable=True):
        return None
    wanted = None if periods is None else list(periods)
    query = sql.SQL(_LAST).format(quoted(marks_in(schema)))
    found = connection.execute(query, (name.schema, name.name, wanted, wanted)).fetchone()
    return None if found is None else f"{found[0]}.{found[1]}"


def settle_table(target: PostgresTarget, run_id: str, seq: int) -> Settlement:
    """First what was staged is taken away, which waits for who publishes it at this moment; then
    the mark says whether anybody did."""
    try:
        schema = target.staging_schema
        with connected(target.database, _PATIENT) as connection:
            drop_stages(connection, schema, run_id, seq)
            return Settlement(is_marked(connection, schema, run_id, seq))
    except psycopg.Error as error:
        raise UnreachableError(f"{target.label}: {reason(error)}") from error
    except RowbookError as error:
        raise UnreachableError(f"{target.label}: {error.diagnostics[0].message}") from error


def damage_of(staged: StagedOutput) -> str | None:
    """A server that crashed lost the rows, and the witness with them."""
    target = cast("PostgresTarget", staged.target)
    try:
        schema = target.staging_schema
        with connected(target.database, _PATIENT) as connection:
            stage = find_stage(connection, schema, staged.run_id, staged.seq)
            if stage is None or not has_witness(connection, stage):
                return "its staged rows are gone"
            rows, _ = stage_size(connection, stage)
    except psycopg.Error as error:
        raise UnreachableError(f"{target.label}: {reason(error)}") from error
    except RowbookError as error:
        raise UnreachableError(f"{target.label}: {error.diagnostics[0].message}") from error
    wanted = staged.written.rows
    return None if rows == wanted else f"of {wanted:,} staged rows, {rows:,} are there"


def _is_there(connection: Connection, schema: str, *, readable: bool = False) -> bool:
    query = """
        SELECT has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = %s AND c.relname = %s AND c.relkind = 'r'
    """
    found = connection.execute(query, (schema, _NAME)).fetchone()
    return found is not None and (not readable or bool(found[0]))
