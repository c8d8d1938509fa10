"""Which outputs were published, in a table beside the data: it is written in the transaction that
publishes, so that after a crash there is no doubt, and what was not published never will be.

A table cannot be created in a transaction. One that was not there is created empty before, and says
in its comment for which output: as long as that is not published, the table counts as none.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

import pymysql

from rowbook.errors import RowbookError
from rowbook.locations.identifiers import OWN, TableName
from rowbook.sources.mysql.errors import is_gone, quoted, reason
from rowbook.sources.mysql.mysql_connection import Connection, connected
from rowbook.sources.mysql.mysql_server_tables import MysqlRelation, find_table
from rowbook.sources.mysql.mysql_stage import drop_stages, find_stage, has_witness, stage_size
from rowbook.sources.mysql.mysql_tables import MysqlTarget
from rowbook.sources.source import Settlement, StagedOutput, WriteRequest
from rowbook.sources.source_errors import UnreachableError
from rowbook.write_points import write_point

_NAME = f"{OWN}outputs"
_MAKE = """
CREATE TABLE IF NOT EXISTS {} (
    run_id varchar(64) NOT NULL,
    seq integer NOT NULL,
    table_schema varchar(64) NOT NULL,
    table_name varchar(64) NOT NULL,
    periods longtext,
    stage varchar(64) NOT NULL,
    published_at datetime(6) NOT NULL,
    PRIMARY KEY (run_id, seq)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
"""
_MARK = """
REPLACE INTO {} (run_id, seq, table_schema, table_name, periods, stage, published_at)
VALUES (%s, %s, %s, %s, %s, %s, UTC_TIMESTAMP(6))
"""
_LAST = """
SELECT run_id, seq, periods FROM {} WHERE table_schema = %s AND table_name = %s
ORDER BY published_at DESC
"""


def marks_in(schema: str) -> TableName:
    return TableName(schema, _NAME)


def _marks(schema: str) -> str:
    """In a statement that has values."""
    return quoted(marks_in(schema)).replace("%", "%%")


def make_marks(connection: Connection, schema: str) -> None:
    if find_table(connection, marks_in(schema)) is not None:
        return
    write_point("before the table of outputs is made")
    connection.execute(_MAKE.format(quoted(marks_in(schema))))
    write_point("the table of outputs was made")


def mark(
    connection: Connection, stage: TableName, name: TableName, order: WriteRequest | StagedOutput
) -> None:
    periods = None if order.periods is None else "\n".join(order.periods)
    values = (order.run_id, order.seq, name.schema, name.name, periods, stage.name)
    connection.execute(_MARK.format(_marks(stage.schema)), values)


def is_marked(
    connection: Connection, schema: str, run_id: str, seq: int, stage: str | None = None
) -> bool:
    """`stage`: that these very rows were published, not those of an attempt before."""
    query = f"SELECT stage FROM {_marks(schema)} WHERE run_id = %s AND seq = %s"
    try:
        found = connection.one(query, (run_id, seq))
    except pymysql.Error as error:
        if is_gone(error):
            return False
        raise
    return found is not None and stage in (None, found[0])


def last_mark(
    connection: Connection, schema: str, name: TableName, periods: Collection[str] | None
) -> str | None:
    """The last output that may have changed rows of these periods."""
    try:
        marks = connection.rows(_LAST.format(_marks(schema)), (name.schema, name.name))
    except pymysql.Error as error:
        if is_gone(error):
            return None
        raise
    for run_id, seq, written in marks:
        if periods is None or written is None or {*periods} & {*written.split("\n")}:
            return f"{run_id}.{seq}"
    return None


def origin(order: WriteRequest | StagedOutput) -> str:
    """What the comment of a table says that was created for an output."""
    return f"made by rowbook for output {order.seq} of run {order.run_id}"


def settle_table(target: MysqlTarget, run_id: str, seq: int) -> Settlement:
    """First what was staged is taken away, which waits for who publishes it at this moment; then
    the mark says whether anybody did."""
    try:
        schema = target.staging_schema
        with connected(target.database) as connection:
            drop_stages(connection, schema, run_id, seq)
            published = is_marked(connection, schema, run_id, seq)
            if not published:
                order = WriteRequest("replace", None, run_id, seq)
                drop_unpublished(connection, target.name, origin(order))
            return Settlement(published)
    except pymysql.Error as error:
        raise UnreachableError(f"{target.label}: {reason(error)}") from error
    except RowbookError as error:
        raise UnreachableError(f"{target.label}: {error.diagnostics[0].message}") from error


def is_unpublished(
    connection: Connection, table: MysqlRelation | None, name: TableName, said: str
) -> bool:
    """Whether a table was created for an output, and holds nothing."""
    if table is None or table.comment != said:
        return False
    return connection.one(f"SELECT 1 FROM {quoted(name)} LIMIT 1") is None


def drop_unpublished(connection: Connection, name: TableName, said: str) -> None:
    """A table that was created for an output, if it is empty: nobody can put rows into it in
    between."""
    if not is_unpublished(connection, find_table(connection, name), name, said):
        return
    write_point("before a table that was not published is dropped")
    connection.execute(f"LOCK TABLES {quoted(name)} WRITE")
    try:
        if connection.one(f"SELECT 1 FROM {quoted(name)} LIMIT 1") is None:
            connection.execute(f"DROP TABLE {quoted(name)}")
    finally:
        connection.execute("UNLOCK TABLES")
    write_point("a table that was not published was dropped")


def damage_of(staged: StagedOutput) -> str | None:
    """A server that crashed may have lost the last rows, depending on its settings."""
    target = cast("MysqlTarget", staged.target)
    try:
        with connected(target.database) as connection:
            stage = find_stage(connection, target.staging_schema, staged.run_id, staged.seq)
            if stage is None or not has_witness(connection, stage):
                return "its staged rows are gone"
            rows, _ = stage_size(connection, stage)
    except pymysql.Error as error:
        raise UnreachableError(f"{target.label}: {reason(error)}") from error
    except RowbookError as error:
        raise UnreachableError(f"{target.label}: {error.diagnostics[0].message}") from error
    wanted = staged.written.rows
    return None if rows == wanted else f"of {wanted:,} staged rows, {rows:,} are there"
