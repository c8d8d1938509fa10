"""An output's rows on their way: a table of their own, loaded by Spark, that nobody else reads.

A witness, a row that is there before all others, is what publishing takes away: in the transaction
that publishes, so that rows are published once, whoever tries.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import pymysql

from rowbook.errors import RowbookError
from rowbook.locations.identifiers import TableName
from rowbook.sources.databases.database import Database
from rowbook.sources.databases.output_columns import OutputColumn
from rowbook.sources.databases.staging_names import ROW, WITNESS, stage_prefix
from rowbook.sources.mysql.errors import quoted, quoted_label
from rowbook.sources.mysql.mysql_connection import SETTINGS, Connection, connected
from rowbook.sources.mysql.mysql_server_tables import tables_like
from rowbook.sources.mysql.mysql_types import definition
from rowbook.write_points import write_point

_IMPATIENT = {**SETTINGS, "lock_wait_timeout": "5"}
_ROW = quoted_label(ROW)


def make_stage(connection: Connection, stage: TableName, columns: Sequence[OutputColumn]) -> None:
    """The key keeps a task that Spark repeats (lost after its work was done, or a second one for a
    slow one) from bringing its rows twice."""
    fields = [f"{_ROW} bigint PRIMARY KEY", *(definition(each, each.staged) for each in columns)]
    write_point("before a staging table is made")
    connection.execute(f"CREATE TABLE {quoted(stage)} ({', '.join(fields)}) ENGINE = InnoDB")
    connection.execute(f"INSERT INTO {quoted(stage)} ({_ROW}) VALUES ({WITNESS})")
    write_point("a staging table was made")


def remove_witness(connection: Connection, stage: TableName) -> bool:
    """False where it is not there: the rows were published, or lost. Waits for who is about to
    publish them."""
    return connection.execute(f"DELETE FROM {quoted(stage)} WHERE {_ROW} = {WITNESS}") == 1


def has_witness(connection: Connection, stage: TableName) -> bool:
    query = f"SELECT 1 FROM {quoted(stage)} WHERE {_ROW} = {WITNESS}"
    return connection.one(query) is not None


def stage_size(connection: Connection, stage: TableName) -> tuple[int, int]:
    """Rows, without the witness, and bytes, as the server guesses."""
    rows = connection.one(f"SELECT COUNT(*) FROM {quoted(stage)} WHERE {_ROW} <> {WITNESS}")
    size = connection.one(
        "SELECT COALESCE(DATA_LENGTH, 0) FROM information_schema.TABLES"
        " WHERE TABLE_SCHEMA = %s AND TABLE_NAME = %s",
        (stage.schema, stage.name),
    )
    return int((rows or (0,))[0]), int((size or (0,))[0])


def find_stage(connection: Connection, schema: str, run_id: str, seq: int) -> TableName | None:
    """Of an output, found by its name, whatever a record says."""
    names = tables_like(connection, schema, stage_prefix(run_id, seq))
    return TableName(schema, names[0]) if names else None


def clean_stage(database: Database, stage: TableName) -> None:
    """What cannot be removed now is removed when the run is settled."""
    with suppress(pymysql.Error, RowbookError), connected(database, _IMPATIENT) as connection:
        drop_stage(connection, stage)


def drop_stages(connection: Connection, schema: str, run_id: str, seq: int) -> None:
    """None of an output's attempts can be published after that. Waits for one that is right now."""
    for name in tables_like(connection, schema, stage_prefix(run_id, seq)):
        drop_stage(connection, TableName(schema, name))


def drop_stage(connection: Connection, stage: TableName) -> None:
    write_point("before a staging table is dropped")
    connection.execute(f"DROP TABLE IF EXISTS {quoted(stage)}")
    write_point("a staging table was dropped")
