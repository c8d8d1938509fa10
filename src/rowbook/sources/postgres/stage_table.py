"""An output's rows on their way: a table of their own, loaded by Spark, that nobody else reads.

The server keeps no log of it, which makes it fast; a server that crashes comes back with the table
empty. A witness, a row that is there before all others, tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from rowbook.errors import RowbookError
from rowbook.locations.identifiers import TableName
from rowbook.sources.databases.database import Database
from rowbook.sources.databases.staging_names import ROW, WITNESS, stage_prefix
from rowbook.sources.postgres.connection import Connection, connected
from rowbook.sources.postgres.errors import quoted, quoted_label
from rowbook.sources.postgres.server_tables import tables_like
from rowbook.write_points import write_point

if TYPE_CHECKING:
    from rowbook.sources.databases.output_columns import OutputColumn

_IMPATIENT = {"lock_timeout": "5s"}


def make_stage(connection: Connection, stage: TableName, columns: Sequence[OutputColumn]) -> None:
    """The key keeps a task that Spark repeats (lost after its work was done, or a second one for a
    slow one) from bringing its rows twice."""
    fields = [sql.SQL("{} bigint PRIMARY KEY").format(sql.Identifier(ROW))]
    fields += [
        sql.SQL("{} {}").format(sql.Identifier(column.staged), sql.SQL(column.type))
        for column in columns
    ]
    query = sql.SQL("CREATE UNLOGGED TABLE {} ({})")
    witness = sql.SQL("INSERT INTO {} ({}) VALUES (%s)")
    write_point("before a staging table is made")
    connection.execute(query.format(quoted(stage), sql.SQL(", ").join(fields)))
    connection.execute(witness.format(quoted(stage), sql.Identifier(ROW)), (WITNESS,))
    write_point("a staging table was made")


def remove_witness(connection: Connection, stage: TableName) -> bool:
    """False where it is not there: of the rows, nobody knows how many are."""
    query = sql.SQL("DELETE FROM {} WHERE {} = %s").format(quoted(stage), sql.Identifier(ROW))
    return connection.execute(query, (WITNESS,)).rowcount == 1


def stage_size(connection: Connection, stage: TableName) -> tuple[int, int]:
    """Rows, without the witness, and bytes."""
    query = sql.SQL("SELECT count(*), pg_total_relation_size({}::regclass) FROM {} WHERE {} <> %s")
    place = sql.Literal(quoted_label(stage.schema, stage.name))
    wanted = query.format(place, quoted(stage), sql.Identifier(ROW))
    rows, size = connection.execute(wanted, (WITNESS,)).fetchone() or (0, 0)
    return int(rows), int(size)


def find_stage(connection: Connection, schema: str, run_id: str, seq: int) -> TableName | None:
    """Of an output, found by its name, whatever a record says."""
    names = tables_like(connection, schema, stage_prefix(run_id, seq))
    return TableName(schema, names[0]) if names else None


def has_witness(connection: Connection, stage: TableName) -> bool:
    query = sql.SQL("SELECT FROM {} WHERE {} = %s").format(quoted(stage), sql.Identifier(ROW))
    return connection.execute(query, (WITNESS,)).fetchone() is not None


def clean_stage(database: Database, stage: TableName) -> None:
    """What cannot be removed now is removed when the run is settled."""
    with suppress(psycopg.Error, RowbookError), connected(database, _IMPATIENT) as connection:
        drop_stage(connection, stage)


def drop_stages(connection: Connection, schema: str, run_id: str, seq: int) -> None:
    """None of an output's attempts can be published after that. Waits for one that is right now."""
    for name in tables_like(connection, schema, stage_prefix(run_id, seq)):
        drop_stage(connection, TableName(schema, name))


def drop_stage(connection: Connection, stage: TableName) -> None:
    write_point("before a staging table is dropped")
    connection.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(quoted(stage)))
    write_point("a staging table was dropped")
