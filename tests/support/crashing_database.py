"""A PostgreSQL server that crashes when it is told to, and comes back as it was committed."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import psycopg

from tests.support.postgres_server import (
    PASSWORD,
    NoServerError,
    Server,
    new_server,
    start_server,
    stop_server,
)

CRASHES = ("stopped at once", "killed", "one session killed")
"""Where one session is killed, the server ends all of them, and recovers by itself."""
_ATTEMPTS = 100


@dataclass(slots=True)
class CrashingDatabase:
    server: Server
    _process: subprocess.Popen[bytes]

    def crash(self, how: str) -> None:
        if how == "one session killed":
            self._kill_session()
        else:
            self._process.send_signal(
                signal.SIGQUIT if how == "stopped at once" else signal.SIGKILL
            )
            self._process.wait()

    def start(self) -> None:
        """Unless it is up. What the last one left holds its memory for a moment."""
        for _ in range(_ATTEMPTS):
            if self._process.poll() is None and self._answers():
                return
            with suppress(NoServerError):
                if self._process.poll() is not None:
                    self._process = start_server(self.server)
            time.sleep(0.1)
        raise AssertionError("the server does not come back")

    def stop(self) -> None:
        stop_server(self._process)

    def execute(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """In a transaction of its own."""
        with self._connected() as connection:
            cursor = connection.execute(query.encode(), values or None)
            return cursor.fetchall() if cursor.description else []

    def _connected(self) -> psycopg.Connection[tuple[Any, ...]]:
        server = self.server
        return psycopg.connect(
            host=str(server.folder),
            port=server.port,
            dbname="postgres",
            user=server.user,
            password=PASSWORD,
        )

    def _answers(self) -> bool:
        try:
            self.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def _kill_session(self) -> None:
        """Another one's, where there is any."""
        others = """
            SELECT pid FROM pg_stat_activity
            WHERE backend_type = 'client backend' ORDER BY pid = pg_backend_pid(), backend_start
        """
        with suppress(psycopg.OperationalError), self._connected() as connection:
            for (process,) in connection.execute(others.encode()).fetchmany(1):
                os.kill(process, signal.SIGKILL)
            connection.execute("SELECT pg_sleep(10)")


@contextmanager
def running_database() -> Iterator[CrashingDatabase]:
    with new_server() as server:
        database = CrashingDatabase(server, start_server(server))
        try:
            yield database
        finally:
            database.stop()
