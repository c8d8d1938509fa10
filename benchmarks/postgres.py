"""A PostgreSQL server of a benchmark's own, on this machine only, and what is asked of its tables.

It is the tests' server: it does not wait for the disk (fsync off), for no contestant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow
from tests.support.postgres_server import Server, running_server


@dataclass(frozen=True, slots=True)
class Postgres:
    """Where the server is, and as whom it is used; the password is in a file."""

    port: int
    user: str
    secret: Path
    database: str = "postgres"

    @classmethod
    def of(cls, server: Server) -> Postgres:
        """A server that runs."""
        return cls(server.port, server.user, server.folder / "password")

    @property
    def url(self) -> str:
        """For JDBC, without a secret."""
        return f"jdbc:postgresql://127.0.0.1:{self.port}/{self.database}"

    @property
    def password(self) -> str:
        """As the file has it."""
        return self.secret.read_text(encoding="utf-8")

    def connect(self) -> psycopg.Connection[TupleRow]:
        """A connection on which every statement is a transaction of its own, unless one is begun;
        as a context it is closed at the end."""
        return psycopg.connect(
            host="127.0.0.1",
            port=self.port,
            dbname=self.database,
            user=self.user,
            password=self.password,
            autocommit=True,
        )

    def cancel_all(self) -> None:
        """Ends the statements of everybody else in the database."""
        with self.connect() as connection:
            connection.execute(
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """A server for as long as the context lasts; NoServerError where none can be started."""
    with running_server() as server:
        yield Postgres.of(server)


def make_table(server: Postgres, name: str, columns: Mapping[str, str]) -> None:
    """An empty table of columns with their types."""
    fields = [
        sql.SQL("{} {}").format(sql.Identifier(column), sql.SQL(kind))
        for column, kind in columns.items()
    ]
    query = sql.SQL("CREATE TABLE {} ({})").format(sql.Identifier(name), sql.SQL(", ").join(fields))
    with server.connect() as connection:
        connection.execute(query)


def tidy(server: Postgres, name: str) -> None:
    """Gives the room of deleted rows back, so that the next one does not pay for those before."""
    with server.connect() as connection:
        connection.execute(sql.SQL("VACUUM (ANALYZE) {}").format(sql.Identifier(name)))


def size_of_rows(server: Postgres, name: str, where: str, value: str) -> int:
    """Bytes of the rows that have a value in a column, as the server stores them."""
    query = sql.SQL("SELECT coalesce(sum(pg_column_size(t)), 0) FROM {} t WHERE {} = %s")
    with server.connect() as connection:
        found = connection.execute(
            query.format(sql.Identifier(name), sql.Identifier(where)), (value,)
        ).fetchone()
    return int(found[0]) if found else 0
