"""One moment of a database for all that a run reads of it.

A connection of ours opens a transaction and exports its snapshot; each of Spark's connections joins
that. Tables are locked as reading does it anyway: rows may come and go, but nobody changes or
truncates a table until the run is through with it.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable
from contextlib import ExitStack
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from psycopg import IsolationLevel, errors, sql

from rowbook.locations.identifiers import TableName
from rowbook.sources.databases.database import Database, no_table, unusable
from rowbook.sources.postgres.connection import Connection, connect
from rowbook.sources.postgres.errors import quoted
from rowbook.sources.postgres.server_tables import (
    DatabaseTable,
    is_rewritten,
    present_table,
)

SETTINGS = {
    "idle_in_transaction_session_timeout": "0",
    "transaction_timeout": "0",
    "lock_timeout": "60s",
}
"""The transaction is open, and mostly idle, as long as the run reads."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """`connection` sees it, and so does who executes `joining` as the first thing of a
    transaction."""

    database: Database
    connection: Connection
    name: str

    @property
    def joining(self) -> str:
        """The last one: how Spark quotes the values of filters is right under this setting
        alone."""
        return (
            "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;"
            f" SET TRANSACTION SNAPSHOT '{self.name}';"
            " SET LOCAL standard_conforming_strings = on"
        )

    def table(self, name: TableName, label: str) -> DatabaseTable:
        """A table, which from now on stays what it is; DATASOURCE_006 where there is none."""
        try:
            with self.connection.transaction():
                query = sql.SQL("SELECT * FROM {} LIMIT 0").format(quoted(name))
                self.connection.execute(query)
        except (errors.UndefinedTable, errors.InvalidSchemaName):
            raise no_table(label) from None
        found = present_table(self.connection, name, label)
        if is_rewritten(self.connection, found):
            said = "the table was rewritten after the run had begun to read the database"
            raise unusable(self.database, label, said, hint="run again")
        return found


_open: WeakKeyDictionary[ExitStack, dict[Hashable, Snapshot]] = WeakKeyDictionary()
_opening = threading.Lock()


def snapshot_of(database: Database, held: ExitStack) -> Snapshot:
    """It ends with `held`; all that is read under `held` sees the same."""
    key = (database.url, database.user, database.credential, database.boundary)
    with _opening:
        shared = _open.setdefault(held, {})
        if key not in shared:
            shared[key] = _exported(database, held)
            held.callback(shared.pop, key)
        return shared[key]


def _exported(database: Database, held: ExitStack) -> Snapshot:
    connection = connect(database, SETTINGS)
    held.callback(connection.close)
    connection.set_isolation_level(IsolationLevel.REPEATABLE_READ)
    connection.set_read_only(True)
    connection.set_autocommit(False)
    (name,) = connection.execute("SELECT pg_export_snapshot()").fetchone() or ("",)
    return Snapshot(database, connection, name)
