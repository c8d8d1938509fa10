"""URLs of databases: read by our own rules, and written anew for every driver.

Drivers take far more in a URL than where a database is: classes to load, files to write, other
servers to ask. Whatever is not in the table here is refused, and no driver ever sees the text that
a definition holds.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple
from urllib.parse import quote, unquote

from rowbook.errors import suggestion
from rowbook.locations.identifiers import name_fault
from rowbook.value_class import dataclass

SCHEME = "jdbc:postgresql://"
SQLITE = "jdbc:sqlite:"
"""Before the path of a file."""
FORM = "write jdbc:postgresql://host:5432/database"
_PORT = 5432
_LONGEST_HOST = 253
_PARTS = re.compile(r"(?P<server>[^/?#]*)/(?P<database>[^/?#]*)(?:\?(?P<query>[^?#]*))?")
_SERVER = re.compile(
    r"(?P<host>[A-Za-z0-9_][A-Za-z0-9_.-]*|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
)
_ESCAPED = re.compile(r"(?:[A-Za-z0-9_.~$-]|%[0-9A-Fa-f]{2})*")


class _Option(NamedTuple):
    libpq: str
    values: str
    default: str
    in_libpq: Mapping[str, str] = {}


_OPTIONS: Mapping[str, _Option] = {
    "sslmode": _Option(
        "sslmode", r"disable|allow|prefer|require|verify-ca|verify-full", default="prefer"
    ),
    "connectTimeout": _Option("connect_timeout", r"[1-9][0-9]{0,2}", default="10"),
    "tcpKeepAlive": _Option(
        "keepalives", r"true|false", default="true", in_libpq={"true": "1", "false": "0"}
    ),
    "ApplicationName": _Option("application_name", r"[ -~]{1,63}", default="rowbook"),
}
"""Each means the same to both clients; none names a file, a class or another place."""

_ELSEWHERE = {
    "user": "name the user with the option 'user'",
    "currentSchema": "name the schema with the option 'schema'",
    "defaultRowFetchSize": "set the option 'fetch_size'",
    "ssl": "write sslmode=verify-full",
}


class JdbcUrlError(ValueError):
    """The URL itself is not repeated: it may hold what nobody shall read."""

    def __init__(self, message: str, hint: str | None = FORM) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class JdbcUrl:
    host: str
    port: int
    database: str
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return f"{self.server}/{self.database}"

    def for_jdbc(self, **more: str) -> str:
        given = {**{name: self._value(name) for name in _OPTIONS}, **more}
        query = "&".join(f"{name}={quote(value, safe='')}" for name, value in given.items())
        return f"{SCHEME}{self.server}/{quote(self.database, safe='')}?{query}"

    def for_libpq(self) -> dict[str, str]:
        options = {
            option.libpq: option.in_libpq.get(self._value(name), self._value(name))
            for name, option in _OPTIONS.items()
        }
        return {"host": self.host, "port": str(self.port), "dbname": self.database, **options}

    @property
    def server(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def _value(self, name: str) -> str:
        return self.options.get(name, _OPTIONS[name].default)


def jdbc_url(text: str) -> JdbcUrl:
    """`jdbc:postgresql://host[:port]/database[?option=value&…]`; JdbcUrlError for anything else."""
    if not text.startswith(SCHEME):
        raise JdbcUrlError("the url is not that of a PostgreSQL database")
    parts = _PARTS.fullmatch(text, len(SCHEME))
    if parts is None:
        raise JdbcUrlError("the url must name a host and a database, and nothing after them")
    host, port = server_address(parts["server"])
    return JdbcUrl(host, port, _database(parts["database"]), _options(parts["query"] or ""))


def server_address(text: str) -> tuple[str, int]:
    """`host` or `host:port`, or JdbcUrlError."""
    found = _SERVER.fullmatch(text)
    if found is None or len(found["host"]) > _LONGEST_HOST:
        raise JdbcUrlError("the url must name one host, by its name or address, and maybe a port")
    host, port = found["host"], int(found["port"] or _PORT)
    if not 0 < port < 2**16:
        raise JdbcUrlError(f"{port} is not a port")
    if host.startswith("["):
        host = host[1:-1]
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            raise JdbcUrlError("the url's host is not an address") from None
    return host, port


def _database(text: str) -> str:
    name = _unescaped(text)
    fault = "cannot be read" if name is None else name_fault(name)
    if name is None or fault:
        raise JdbcUrlError(f"the name of the database in the url {fault}")
    return name


def _options(query: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in query.split("&") if query else ():
        name, _, escaped = part.partition("=")
        option = _OPTIONS.get(name)
        if option is None:
            label = name if re.fullmatch(r"[A-Za-z0-9_]{1,40}", name) else "…"
            hint = _ELSEWHERE.get(name) or suggestion(name, tuple(_OPTIONS), "options")
            raise JdbcUrlError(f"'{label}' is not an option that the url may have", hint)
        if name in found:
            raise JdbcUrlError(f"'{name}' stands twice in the url", "keep one of the two")
        value = _unescaped(escaped)
        if value is None or not re.fullmatch(option.values, value):
            raise JdbcUrlError(f"the value of '{name}' in the url cannot be used", None)
        found[name] = value
    return found


def _unescaped(text: str) -> str | None:
    """What a part of the URL means; None where that is unclear."""
    if not _ESCAPED.fullmatch(text):
        return None
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return None
