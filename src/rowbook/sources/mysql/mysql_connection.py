"""Connections to a database: our own, and what Spark needs to make its.

Ours (PyMySQL) ask the catalog, make tables and publish; Spark's move the rows. A server chooses how
it asks for a password, and may ask for it as it is: it is answered only in ways that do not show
the password, or show it to a server whose certificate was checked, unless the workspace says that
the server may have it as it is.
"""

from __future__ import annotations

import getpass
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pymysql
from pymysql.constants import CR

from rowbook.locations.jdbc_urls import JdbcUrl
from rowbook.sources.databases.database import Database

if TYPE_CHECKING:
    from pymysql.connections import Connection as _PyMySQL

    _Base = _PyMySQL[Any]
else:
    _Base = pymysql.connections.Connection

_DRIVER = "org.mariadb.jdbc.Driver"
_HIDDEN = ("mysql_native_password",)
"""What is sent is worth nothing to who has not the password."""
_SHOWN_IN_TLS = ("caching_sha2_password", "sha256_password")
_SHOWN = ("mysql_clear_password", "dialog")
_CHECKED = ("verify-ca", "verify-full")
_AS_IT_IS = "password"

SQL_MODE = "STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_BACKSLASH_ESCAPES"
"""Whatever the server is set to: values that do not fit are errors. The last one: how Spark quotes
texts is right under it alone."""
SETTINGS: Mapping[str, str] = {
    "time_zone": "'+00:00'",
    "sql_mode": f"'{SQL_MODE}'",
    "lock_wait_timeout": "60",
    "innodb_lock_wait_timeout": "60",
    "wait_timeout": "604800",
    "net_write_timeout": "3600",
}
"""A timestamp is UTC. Whoever hangs holds others up for a while only; Spark may be slow to take
rows, and a moment is held for as long as a run lasts."""


class Connection(_Base):
    """One that every statement is a transaction of its own on, unless one is begun."""

    _auth_plugin_name: str

    def __init__(self, *, methods: Sequence[str], **options: Any) -> None:
        self._methods = methods
        super().__init__(**options)

    def _get_server_information(self) -> None:
        """A server may name its way to ask in its greeting: the answer would hold the password."""
        super()._get_server_information()  # type: ignore[misc]
        if self._auth_plugin_name not in self._methods:
            self._auth_plugin_name = _HIDDEN[0]

    def _process_auth(self, plugin_name: bytes, *packet: Any) -> Any:
        method = plugin_name.decode("ascii", "replace")
        if method not in self._methods:
            said = f"the server asks for the password by {method}, which is not allowed"
            raise pymysql.OperationalError(CR.CR_AUTH_PLUGIN_CANNOT_LOAD, said)
        return super()._process_auth(plugin_name, *packet)  # type: ignore[misc]

    def rows(self, query: str, values: Sequence[object] | None = None) -> list[tuple[Any, ...]]:
        """What a statement gives."""
        with self.cursor() as cursor:
            cursor.execute(query, values)
            return list(cursor.fetchall())

    def one(self, query: str, values: Sequence[object] | None = None) -> tuple[Any, ...] | None:
        found = self.rows(query, values)
        return found[0] if found else None

    def execute(self, query: str, values: Sequence[object] | None = None) -> int:
        """How many rows it changed."""
        with self.cursor() as cursor:
            return int(cursor.execute(query, values))


def connect(database: Database, settings: Mapping[str, str] = SETTINGS) -> Connection:
    """Each statement sees what is committed. PyMySQL's errors go out."""
    secret, url = database.secret(), database.address
    connection = Connection(
        methods=_methods(url, secret.auth if secret else ""),
        host=url.host,
        port=url.port,
        user=_user(database),
        password=secret.text.encode() if secret else b"",
        connect_timeout=max(1, int(url.option("connectTimeout")) // 1000),
        charset="utf8mb4",
        autocommit=True,
        program_name="rowbook",
        **_tls(url),
    )
    try:
        connection.execute(f"SET SESSION {_assigned(settings)}")
        connection.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def connected(database: Database, settings: Mapping[str, str] = SETTINGS) -> Iterator[Connection]:
    """The same for a while. Nothing is committed at its end: that is said where it is meant."""
    connection = connect(database, settings)
    try:
        yield connection
    finally:
        connection.close()


def spark_options(database: Database) -> dict[str, str]:
    """What Spark hands to the driver, each as a value of its own. Spark speaks the language of the
    server only to a url of MySQL's; tables are named with their databases."""
    secret, url = database.secret(), database.address
    return {
        "url": f"jdbc:mysql://{url.server}/?permitMysqlScheme=true",
        "driver": _DRIVER,
        "user": _user(database),
        **({} if secret is None else {"password": secret.text}),
        "restrictedAuth": ",".join(_methods(url, secret.auth if secret else "")),
        "sslMode": url.option("sslMode"),
        "connectTimeout": url.option("connectTimeout"),
        "allowLocalInfile": "false",
        "sessionVariables": _assigned(SETTINGS),
    }


def _user(database: Database) -> str:
    return database.user or getpass.getuser()


def _methods(url: JdbcUrl, auth: str) -> tuple[str, ...]:
    """How the server may ask for the password."""
    if _AS_IT_IS in auth.split(","):
        return (*_HIDDEN, *_SHOWN_IN_TLS, *_SHOWN)
    return (*_HIDDEN, *_SHOWN_IN_TLS) if url.option("sslMode") in _CHECKED else _HIDDEN


def _tls(url: JdbcUrl) -> dict[str, Any]:
    mode = url.option("sslMode")
    if mode == "disable":
        return {"ssl_disabled": True}
    context = ssl.create_default_context()
    context.check_hostname = mode == "verify-full"
    if mode not in _CHECKED:
        context.verify_mode = ssl.CERT_NONE
    return {"ssl": context}


def _assigned(settings: Mapping[str, str]) -> str:
    return ",".join(f"{name}={value}" for name, value in settings.items())
