"""Where a store is: from the workspace's `store.url` to something that can be opened."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from rowbook.errors import RowbookError

DEFAULT_URL = "sqlite:///.rowbook/store.db"
_DEFAULT_SCHEMA = "rowbook"
_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_SECRETS = ("password", "sslpassword")


@dataclass(frozen=True, slots=True)
class SqliteAddress:
    """A file; its folder is made when the store is."""

    path: Path

    @property
    def label(self) -> str:
        return str(self.path)


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """A schema of a PostgreSQL database. Holds no password: that is handed in when opening."""

    url: URL
    schema: str = _DEFAULT_SCHEMA

    @property
    def label(self) -> str:
        host = self.url.host or self.url.query.get("host") or "localhost"
        port = f":{self.url.port}" if self.url.port else ""
        return f"postgresql://{host}{port}/{self.url.database or ''} (schema {self.schema})"


StoreAddress = SqliteAddress | PostgresAddress


def store_address(url: str, root: Path) -> StoreAddress:
    """`sqlite:///relative/path` is below the workspace's folder `root`, `sqlite:////path` absolute.
    `postgresql://user@host/database?schema=name` keeps the store in a schema of its own (left out:
    `rowbook`), so that workspaces and other programs can share a database. No refusal repeats the
    url: it may hold what nobody shall read."""
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        raise _invalid("the store's url cannot be read") from None
    if parsed.password is not None or any(name in parsed.query for name in _SECRETS):
        raise RowbookError.of(
            "DATASOURCE_003",
            "the store's url holds a password",
            hint="leave it out, and say where it is with credential_ref: env://NAME or file://path",
        )
    match parsed.drivername:
        case "sqlite":
            return _sqlite(parsed, root)
        case "postgresql":
            return _postgres(parsed)
        case other:
            raise _invalid(f"'{other}' is not a store that is supported")


def _sqlite(url: URL, root: Path) -> SqliteAddress:
    if url.query or url.host or url.username or not url.database or url.database == ":memory:":
        raise _invalid("the store's url must name a file, and nothing else")
    return SqliteAddress(root / url.database)


def _postgres(url: URL) -> PostgresAddress:
    schema = url.query.get("schema", _DEFAULT_SCHEMA)
    if not isinstance(schema, str) or not _SCHEMA.fullmatch(schema):
        raise _invalid("the schema in the store's url must be one name of a-z, 0-9 and '_'")
    driver = url.set(drivername="postgresql+psycopg").difference_update_query(["schema"])
    return PostgresAddress(driver, schema)


def _invalid(message: str) -> RowbookError:
    hint = "write sqlite:///.rowbook/store.db or postgresql://user@host/database"
    return RowbookError.of("WORKSPACE_005", message, hint=hint)
