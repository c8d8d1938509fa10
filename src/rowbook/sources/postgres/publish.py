"""Staged rows into their table, in one transaction: readers see the table before it, or after.

Rows that are replaced are deleted, not truncated away: whoever reads the table at that moment keeps
the rows it began to read, and nobody waits for anybody. Writers wait for each other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import cast

import psycopg
from psycopg import IsolationLevel, errors, sql

from rowbook.locations.identifiers import TableName
from rowbook.planning.columns import PERIOD
from rowbook.reference.outputs import other_period_error
from rowbook.sources.databases.database import unwritable
from rowbook.sources.databases.database_publication import Publication
from rowbook.sources.databases.staging_names import ROW
from rowbook.sources.postgres.column_types import TYPES, too_small
from rowbook.sources.postgres.connection import Connection, connected
from rowbook.sources.postgres.errors import quoted, quoted_label, reason, writing
from rowbook.sources.postgres.output_marks import is_marked, mark, marks_in, settle_table
from rowbook.sources.postgres.postgres_tables import PostgresTarget
from rowbook.sources.postgres.server_tables import TABLES, DatabaseTable, column_list, find_table
from rowbook.sources.postgres.stage_table import (
    find_stage,
    has_witness,
    remove_witness,
    stage_size,
)
from rowbook.sources.source import Publishing, StagedOutput
from rowbook.sources.source_errors import UnreachableError
from rowbook.write_points import write_point

SETTINGS = {
    "TimeZone": "UTC",
    "lock_timeout": "60s",
    "idle_in_transaction_session_timeout": "120s",
    "row_security": "off",
}
"""A timestamp is UTC also in a column without time zone. Whoever hangs holds others up for a while
only. And where a policy hides rows, replacing the visible ones alone would be wrong: the server
then refuses."""
_FLUSHES_COUNTERS = 150_000
"""The version of PostgreSQL that can be told to count a transaction's changes at once."""


def check_target(connection: Connection, publication: Publication) -> DatabaseTable | None:
    """None where there is no table yet; OUTPUT_006 where it cannot take what is to be written."""
    table = find_table(connection, publication.name)
    if table is not None:
        publication.check(table.by_name, TYPES, is_table=table.kind in TABLES)
    return table


def check_periods(connection: Connection, publication: Publication) -> None:
    """OUTPUT_006 where rows of other periods are staged than are replaced."""
    column, periods = publication.period, publication.order.periods
    if column is None or periods is None or not publication.replaces:
        return
    query = sql.SQL(
        "SELECT {c} FROM {t} WHERE ({c} <> ALL(%s) OR {c} IS NULL) AND {row} >= 0 LIMIT 1"
    ).format(c=sql.Identifier(column.staged), t=quoted(publication.stage), row=sql.Identifier(ROW))
    if found := connection.execute(query, (list(periods),)).fetchone():
        raise other_period_error(publication.label, found[0])


def publish_tables(staged: Sequence[StagedOutput], publishing: Publishing) -> None:
    """All tables of one database in one transaction; those of it that were published stay so."""
    first = cast("PostgresTarget", staged[0].target)
    with writing(first.label), connected(first.database, SETTINGS) as connection:
        targets = [cast("PostgresTarget", each.target) for each in staged]
        both = zip(staged, targets, strict=True)
        found = [_found_stage(connection, Publication.of(*each, TYPES)) for each in both]
        stages = [each for each in found if each is not None]
        connection.set_isolation_level(IsolationLevel.READ_COMMITTED)
        connection.set_autocommit(False)
        for name in sorted({each.name for each in stages}, key=lambda n: (n.schema, n.name)):
            _wait_for_turn(connection, name)
        for each in stages:
            _change(connection, each)
        if stages:
            connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
            if connection.info.server_version >= _FLUSHES_COUNTERS:
                connection.execute("SELECT pg_stat_force_next_flush()")
            publishing.announce(staged[-1].written)
            write_point("before a table is published")
            _commit(connection, staged[-1])
    write_point("a table was published")


def _found_stage(connection: Connection, publication: Publication) -> Publication | None:
    """None where it was published, and its stage went with that."""
    order, schema = publication.order, publication.stage.schema
    found = find_stage(connection, schema, order.run_id, order.seq)
    if found is not None:
        return replace(publication, stage=found)
    if not is_marked(connection, schema, order.run_id, order.seq):
        raise publication.taken_away()
    return None


def staged_size(connection: Connection, publication: Publication) -> tuple[int, int]:
    """Rows and bytes that are staged; OUTPUT_006 where they are not there any more."""
    try:
        if not has_witness(connection, publication.stage):
            raise publication.lost()
        return stage_size(connection, publication.stage)
    except errors.UndefinedTable as cause:
        raise publication.taken_away() from cause


def _commit(connection: Connection, staged: StagedOutput) -> None:
    """A connection that is lost now leaves open what the server did: then it is asked."""
    try:
        connection.commit()
    except psycopg.OperationalError:
        target = cast("PostgresTarget", staged.target)
        with suppress(UnreachableError):
            if settle_table(target, staged.run_id, staged.seq).published:
                return
        raise


def _change(connection: Connection, publication: Publication) -> None:
    """In a transaction that who calls this has begun, and ends."""
    role, name, stage = connection.info.user, publication.name, publication.stage
    with writing(publication.label):
        _take(connection, publication)
    with writing(publication.label, _to_change(role, publication)):
        _hold(connection, publication)
        table = check_target(connection, publication)
    with writing(publication.label, _to_create(role, name)):
        if table is None:
            _create(connection, publication)
    with writing(publication.label, _to_change(role, publication)):
        if table is not None and publication.replaces:
            _delete(connection, publication)
        rows = _insert(connection, publication, table)
        publication.check_count(rows)
    with writing(publication.label, _to_mark(role, stage.schema)):
        mark(connection, stage.schema, name, publication.order)
    with writing(publication.label):
        connection.execute(sql.SQL("DROP TABLE {}").format(quoted(stage)))


def _wait_for_turn(connection: Connection, name: TableName) -> None:
    """One writer of Rowbook at a time, also for a table that is not there yet."""
    digest = hashlib.sha256(f"rowbook {name.schema}.{name.name}".encode()).digest()
    key = int.from_bytes(digest[:8], "big", signed=True)
    connection.execute("SELECT pg_advisory_xact_lock(%s)", (key,))


def _take(connection: Connection, publication: Publication) -> None:
    """The staged rows are this transaction's from here on, unless they were lost before."""
    try:
        _lock(connection, publication.stage, "ACCESS EXCLUSIVE")
    except errors.UndefinedTable as cause:
        raise publication.taken_away() from cause
    if not remove_witness(connection, publication.stage):
        raise publication.lost()


def _hold(connection: Connection, publication: Publication) -> None:
    """Nobody else changes the table's columns, or its rows if some are replaced. Readers do not
    wait."""
    table = find_table(connection, publication.name)
    if table is not None and table.kind in TABLES:
        mode = "SHARE ROW EXCLUSIVE" if publication.replaces else "ROW EXCLUSIVE"
        _lock(connection, publication.name, mode)


def _lock(connection: Connection, name: TableName, mode: str) -> None:
    query = sql.SQL("LOCK TABLE {} IN {} MODE")
    connection.execute(query.format(quoted(name), sql.SQL(mode)))


def _create(connection: Connection, publication: Publication) -> None:
    fields = [
        sql.SQL("{} {}").format(sql.Identifier(column.name), sql.SQL(column.type))
        for column in publication.columns
    ]
    query = sql.SQL("CREATE TABLE {} ({})")
    connection.execute(query.format(quoted(publication.name), sql.SQL(", ").join(fields)))


def _delete(connection: Connection, publication: Publication) -> None:
    query = sql.SQL("DELETE FROM {}").format(quoted(publication.name))
    if publication.order.periods is None:
        connection.execute(query)
        return
    where = sql.SQL(" WHERE {} = ANY(%s)").format(sql.Identifier(PERIOD.name))
    connection.execute(query + where, (list(publication.order.periods),))


def _insert(connection: Connection, publication: Publication, table: DatabaseTable | None) -> int:
    query = sql.SQL("INSERT INTO {} ({}) SELECT {} FROM {}").format(
        quoted(publication.name),
        column_list([column.name for column in publication.columns]),
        column_list([column.staged for column in publication.columns]),
        quoted(publication.stage),
    )
    try:
        with connection.transaction():
            return connection.execute(query).rowcount
    except errors.DataError as error:
        there = too_small(connection, publication.stage, publication.columns, table)
        if there is None:
            raise
        said = f"a value does not fit column '{there.name}', which is {there.type}: {reason(error)}"
        raise unwritable(publication.label, said) from error


def _to_create(role: str, name: TableName) -> str:
    granted = f"GRANT USAGE, CREATE ON SCHEMA {quoted_label(name.schema)} TO {quoted_label(role)}"
    return f"{granted}, or create the table yourself"


def _to_change(role: str, publication: Publication) -> str:
    rights = "SELECT, INSERT, DELETE" if publication.replaces else "INSERT"
    table = quoted_label(publication.name.schema, publication.name.name)
    return f"GRANT {rights} ON {table} TO {quoted_label(role)}"


def _to_mark(role: str, schema: str) -> str:
    marks = marks_in(schema)
    table = quoted_label(marks.schema, marks.name)
    return f"GRANT SELECT, INSERT, UPDATE ON {table} TO {quoted_label(role)}"
