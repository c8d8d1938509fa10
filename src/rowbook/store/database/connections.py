"""Connections and transactions, the same on SQLite and PostgreSQL: many readers, each of which sees
one moment, and one writer at a time, who waits for its turn.

Metadata is small and changes take milliseconds, so that one writer is enough, and every operation
may read, decide and write as if it were alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.pool import ConnectionPoolEntry

from rowbook import write_points
from rowbook.errors import Diagnostic, RowbookError
from rowbook.store.database.address import PostgresAddress, SqliteAddress, StoreAddress

WAIT_SECONDS = 30
"""How long a writer waits for its turn."""
_STUCK_SECONDS = 120
"""PostgreSQL ends a session that keeps a transaction open for so long: its process hangs, and
everybody else waits."""


StoreClock: TypeAlias = Callable[[Connection, datetime], datetime]
"""The time within a transaction that decides about leases, given that of this machine."""


def store_clock(connection: Connection, at: datetime) -> datetime:
    """A server has one clock for all machines. A file has none: it is used by one machine, or by
    several that agree about the time."""
    if connection.dialect.name != "postgresql":
        return at
    moment: datetime = connection.execute(sa.select(sa.func.clock_timestamp())).scalar_one()
    return moment.astimezone(UTC)


class StoreError(RowbookError):
    """The database could not do what it was asked for: gone, full, busy, not allowed."""

    def __init__(self, label: str, text: str, sqlite_error: str | None) -> None:
        super().__init__(Diagnostic("STORE_004", f"the store {label} failed: {text}"))
        self.text = text
        self.sqlite_error = sqlite_error


class StoreDatabase:
    """A store's database, opened; transactions are all there is to it."""

    def __init__(
        self, address: StoreAddress, password: str | None, clock: StoreClock = store_clock
    ) -> None:
        self.address = address
        self.clock = clock
        self._password = password
        self._engine = _engine(address, password)
        self._reader, self._writer = self._engine, self._engine
        if isinstance(address, PostgresAddress):
            self._reader = self._engine.execution_options(isolation_level="REPEATABLE READ")
            self._lock = _lock_key(address.schema)
        else:
            self._writer = self._engine.execution_options(begin="BEGIN IMMEDIATE")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees the store as it is at one moment."""
        with self._translated(), self._reader.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def writing(self, what: str) -> Iterator[Connection]:
        """The transaction of the one writer. It is committed at the end, and rolled back when
        anything is raised; `what` names it for the tests that kill here."""
        with self._translated(), self._writer.connect() as connection:
            transaction = connection.begin()
            try:
                if isinstance(self.address, PostgresAddress):
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(self._lock)))
                yield connection
                write_points.write_point(f"before {what}")
                transaction.commit()
            except BaseException:
                transaction.rollback()
                raise
            write_points.write_point(f"after {what}")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Broken constraints are faults of this program and stay what they are."""
        try:
            yield
        except (exc.IntegrityError, exc.DataError):
            raise
        except exc.DBAPIError as error:
            text = str(error.orig).strip().partition("\n")[0]
            if self._password:
                text = text.replace(self._password, "***")
            name = getattr(error.orig, "sqlite_errorname", None)
            raise StoreError(self.address.label, text, name) from None

    def close(self) -> None:
        self._engine.dispose()


def _engine(address: StoreAddress, password: str | None) -> Engine:
    if isinstance(address, SqliteAddress):
        url = URL.create("sqlite", database=str(address.path))
        engine = sa.create_engine(url, connect_args={"timeout": WAIT_SECONDS})
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
        return engine
    # A server that was restarted since the last use costs a new connection, not a failed run.
    return sa.create_engine(
        address.url, connect_args=_postgres_arguments(address, password), pool_pre_ping=True
    )


def _prepare_sqlite(connection: Any, _: ConnectionPoolEntry) -> None:
    """Transactions begin and end where we say: Python's own handling begins them late and deferred,
    and a deferred one cannot wait when it starts to write."""
    connection.isolation_level = None
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))


def _postgres_arguments(address: PostgresAddress, password: str | None) -> dict[str, Any]:
    settings = {
        "search_path": address.schema,
        "lock_timeout": f"{WAIT_SECONDS}s",
        "idle_in_transaction_session_timeout": f"{_STUCK_SECONDS}s",
    }
    query = address.url.query
    ours = " ".join(f"-c{name}={value}" for name, value in settings.items())
    auth = "!password" if password is None else "scram-sha-256"
    defaults = {"connect_timeout": "10", "application_name": "rowbook", "require_auth": auth}
    return {
        **{name: value for name, value in defaults.items() if name not in query},
        "options": f"{query.get('options', '')} {ours}".strip(),
        **({"password": password} if password is not None else {}),
    }


def _lock_key(schema: str) -> int:
    """Advisory locks are numbers, and belong to the whole database: ours is the schema's."""
    digest = hashlib.sha256(f"rowbook store {schema}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
