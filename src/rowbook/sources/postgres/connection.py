"""Connections to a database: our own, and what Spark needs to make its.

Ours (psycopg) ask the catalog, make tables and publish; Spark's move the rows. Both are made from
the same parsed URL. The password goes to either as a value of its own, never as part of a text, and
leaves it only in the way that the workspace allows; where it names none, none is sent: not even one
that the environment has for all servers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

import psycopg
from psycopg.rows import TupleRow

from rowbook.sources.databases.database import Database

Connection: TypeAlias = psycopg.Connection[TupleRow]

_DRIVER = "org.postgresql.Driver"
_NO_SECRET = "none"
"""A server that asks for a password is refused."""


def connect(database: Database, settings: Mapping[str, str] | None = None) -> Connection:
    """A connection on which every statement is a transaction of its own, unless one is begun.
    `settings` are the server's; those it does not know are left out. psycopg's errors go out."""
    secret = database.secret()
    given: dict[str, Any] = {"user": database.user, "require_auth": _NO_SECRET}
    if secret is not None:
        given |= {"password": secret.text, "require_auth": secret.auth}
    where: dict[str, Any] = {**database.address.for_libpq()}
    connection = psycopg.connect(autocommit=True, prepare_threshold=None, **where, **given)
    try:
        for name, value in (settings or {}).items():
            connection.execute(
                "SELECT set_config(name, %s, false) FROM pg_catalog.pg_settings WHERE name = %s",
                (value, name),
            )
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def connected(
    database: Database, settings: Mapping[str, str] | None = None
) -> Iterator[Connection]:
    """The same for a while. Nothing is committed at its end: that is said where it is meant."""
    connection = connect(database, settings)
    try:
        yield connection
    finally:
        connection.close()


def spark_options(database: Database, connection: Connection, **url: str) -> dict[str, str]:
    """For the user who is connected here, and so to a server that has asked for the password in a
    way that is allowed; `url` are more options of the driver."""
    secret = database.secret()
    auth = _NO_SECRET if secret is None else secret.auth
    return {
        "url": database.address.for_jdbc(requireAuth=auth, **url),
        "driver": _DRIVER,
        "user": connection.info.user,
        **({} if secret is None else {"password": secret.text}),
    }
