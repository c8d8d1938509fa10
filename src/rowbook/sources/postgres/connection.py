"""Connections to a database: our own, and what Spark needs to make its.

Ours (psycopg) ask the catalog, make tables and publish; Spark's move the rows. Both are made from
the same parsed URL. The password goes to either as a value of its own, never as part of a text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

import psycopg
from psycopg.rows import TupleRow

from rowbook.errors import RowbookError
from rowbook.locations.jdbc_urls import JdbcUrl, JdbcUrlError, jdbc_url
from rowbook.sources.postgres.database import Database

Connection: TypeAlias = psycopg.Connection[TupleRow]

_DRIVER = "org.postgresql.Driver"


def url_of(database: Database) -> JdbcUrl:
    """Where the database is; DATASOURCE_002 where its URL is none of ours."""
    try:
        return jdbc_url(database.url)
    except JdbcUrlError as fault:
        raise RowbookError.of("DATASOURCE_002", str(fault), hint=fault.hint) from None


def connect(database: Database, settings: Mapping[str, str] | None = None) -> Connection:
    """A connection on which every statement is a transaction of its own, unless one is begun.
    `settings` are the server's; those it does not know are left out. psycopg's errors go out."""
    given: dict[str, Any] = {"user": database.user, "password": database.password()}
    where: dict[str, Any] = {**url_of(database).for_libpq()}
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
    """For the user who is connected here; `url` are more options of the driver."""
    password = database.password()
    return {
        "url": url_of(database).for_jdbc(**url),
        "driver": _DRIVER,
        "user": connection.info.user,
        **({} if password is None else {"password": password}),
    }
