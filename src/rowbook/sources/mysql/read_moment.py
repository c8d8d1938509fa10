"""One moment of a database for the contents of all that a run reads of it.

A connection of ours holds a consistent snapshot, in which contents are told and kept as evidence.
No other connection can join it, so Spark's read what is there; that it was what the contents say is
looked at afterwards (`MysqlSource.check`). Tables are locked as reading does it anyway: rows may
come and go, but nobody changes a table's columns until the run is through with it.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from rowbook.sources.databases.database import Database
from rowbook.sources.mysql.mysql_connection import Connection, connect


@dataclass(frozen=True, slots=True)
class ReadMoment:
    """Its connection is for one at a time."""

    connection: Connection
    _turn: threading.RLock = field(default_factory=threading.RLock, compare=False)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        with self._turn:
            yield self.connection


_open: WeakKeyDictionary[ExitStack, dict[Hashable, ReadMoment]] = WeakKeyDictionary()
_opening = threading.Lock()


def moment_of(database: Database, held: ExitStack) -> ReadMoment:
    """It ends with `held`; all that is pinned under `held` is of the same."""
    key = (database.url, database.user, database.credential, database.boundary)
    with _opening:
        shared = _open.setdefault(held, {})
        if key not in shared:
            connection = connect(database)
            held.callback(connection.close)
            connection.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            connection.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY")
            shared[key] = ReadMoment(connection)
            held.callback(shared.pop, key)
        return shared[key]
