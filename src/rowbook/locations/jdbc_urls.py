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

SQLITE = "jdbc:sqlite:"
"""Before the path of a file."""
_PORT = 5432
_LONGEST_HOST = 253
_PARTS = re.compile(r"(?P<server>[^/?#]*)/(?P<database>[^/?#]*)(?:\?(?P<query>[^?#]*))?")
_SERVER = re.compile(
    r"(?P<host>[A-Za-z0-9_][A-Za-z0-9_.-]*|\[[0-9A-Fa-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
)
_ESCAPED = re.compile(r"(?:[A-Za-z0-9_.~$-]|%[0-9A-Fa-f]{2})*")


class _Option(NamedTuple):
    """`client` is what our own client calls it, where that takes it as it is."""

    values: str
    default: str
    client: str = ""
    in_client: Mapping[str, str] = {}


class Product(NamedTuple):
    """A database that is supported. `kind` is the registry's row; `options` may stand in a url:
    each means the same to both clients, and none names a file, a class or another place."""

    kind: str
    name: str
    schemes: tuple[str, ...]
    port: int
    options: Mapping[str, _Option]
    elsewhere: Mapping[str, str]

    @property
    def form(self) -> str:
        return f"write {self.schemes[0]}host:{self.port}/database"


POSTGRESQL = Product(
    "jdbc",
    "PostgreSQL",
    ("jdbc:postgresql://",),
    _PORT,
    {
        "sslmode": _Option(
            r"disable|allow|prefer|require|verify-ca|verify-full", "prefer", "sslmode"
        ),
        "connectTimeout": _Option(r"[1-9][0-9]{0,2}", "10", "connect_timeout"),
        "tcpKeepAlive": _Option(
            r"true|false", "true", "keepalives", in_client={"true": "1", "false": "0"}
        ),
        "ApplicationName": _Option(r"[ -~]{1,63}", "rowbook", "application_name"),
    },
    {
        "user": "name the user with the option 'user'",
        "currentSchema": "name the schema with the option 'schema'",
        "defaultRowFetchSize": "set the option 'fetch_size'",
        "ssl": "write sslmode=verify-full",
    },
)
MYSQL = Product(
    "mysql",
    "MySQL or MariaDB",
    ("jdbc:mariadb://", "jdbc:mysql://"),
    3306,
    {
        "sslMode": _Option(r"disable|trust|verify-ca|verify-full", "disable"),
        "connectTimeout": _Option(r"[1-9][0-9]{2,5}", "10000"),
    },
    {
        "user": "name the user with the option 'user'",
        "useSSL": "write sslMode=verify-full",
        "defaultFetchSize": "set the option 'fetch_size'",
    },
)
PRODUCTS = (POSTGRESQL, MYSQL)
FORM = f"{POSTGRESQL.form}, or {MYSQL.schemes[0]}host:{MYSQL.port}/database"


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
    product: Product = POSTGRESQL

    @property
    def label(self) -> str:
        return f"{self.server}/{self.database}"

    def for_jdbc(self, **more: str) -> str:
        given = {**{name: self.option(name) for name in self.product.options}, **more}
        query = "&".join(f"{name}={quote(value, safe='')}" for name, value in given.items())
        return f"{self.product.schemes[0]}{self.server}/{quote(self.database, safe='')}?{query}"

    def for_libpq(self) -> dict[str, str]:
        options = {
            option.client: option.in_client.get(self.option(name), self.option(name))
            for name, option in self.product.options.items()
        }
        return {"host": self.host, "port": str(self.port), "dbname": self.database, **options}

    def option(self, name: str) -> str:
        return self.options.get(name, self.product.options[name].default)

    @property
    def server(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def product_of(text: str) -> Product | None:
    """Whose database a url names."""
    return next((each for each in PRODUCTS if text.startswith(each.schemes)), None)


def jdbc_url(text: str) -> JdbcUrl:
    """`jdbc:postgresql://host[:port]/database[?option=value&…]`, or the same of another product;
    JdbcUrlError for anything else."""
    product = product_of(text)
    if product is None:
        raise JdbcUrlError("the url is not that of a database that is supported")
    parts = _PARTS.fullmatch(text, text.index("://") + 3)
    if parts is None:
        message = "the url must name a host and a database, and nothing after them"
        raise JdbcUrlError(message, product.form)
    host, port = server_address(parts["server"], product)
    options = _options(parts["query"] or "", product)
    return JdbcUrl(host, port, _database(parts["database"], product), options, product)


def server_address(text: str, product: Product = POSTGRESQL) -> tuple[str, int]:
    """`host` or `host:port`, or JdbcUrlError."""
    found = _SERVER.fullmatch(text)
    if found is None or len(found["host"]) > _LONGEST_HOST:
        message = "the url must name one host, by its name or address, and maybe a port"
        raise JdbcUrlError(message, product.form)
    host, port = found["host"], int(found["port"] or product.port)
    if not 0 < port < 2**16:
        raise JdbcUrlError(f"{port} is not a port", product.form)
    if host.startswith("["):
        host = host[1:-1]
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            raise JdbcUrlError("the url's host is not an address", product.form) from None
    return host, port


def _database(text: str, product: Product) -> str:
    name = _unescaped(text)
    fault = "cannot be read" if name is None else name_fault(name)
    if name is None or fault:
        raise JdbcUrlError(f"the name of the database in the url {fault}", product.form)
    return name


def _options(query: str, product: Product) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in query.split("&") if query else ():
        name, _, escaped = part.partition("=")
        option = product.options.get(name)
        if option is None:
            label = name if re.fullmatch(r"[A-Za-z0-9_]{1,40}", name) else "…"
            hint = product.elsewhere.get(name) or suggestion(
                name, tuple(product.options), "options"
            )
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
