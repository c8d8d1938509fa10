"""A database as a data source names it: where it is, as whom, and where the secret is; and a table
of it, as it is read and as it is written."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.locations.jdbc_urls import JdbcUrl, JdbcUrlError, jdbc_url
from rowbook.planning.datasources import option_text
from rowbook.sources.contents import Content
from rowbook.sources.credentials import Secret, granted_secret

if TYPE_CHECKING:
    from rowbook.sources.postgres.read_snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Database:
    """A PostgreSQL database. `credential` names the password (env://…, file://…), which `boundary`
    must let go there; the password itself is in no field."""

    url: str
    user: str | None
    credential: str | None
    boundary: Boundary
    schema: str = "public"
    options: Mapping[str, str] = field(default_factory=dict)
    """The others: fetch_size, batch_size, partition_column, staging_schema."""

    @property
    def address(self) -> JdbcUrl:
        """DATASOURCE_002 where the URL is none of ours."""
        try:
            return jdbc_url(self.url)
        except JdbcUrlError as fault:
            raise RowbookError.of("DATASOURCE_002", str(fault), hint=fault.hint) from None

    def secret(self) -> Secret | None:
        """Read now; DATASOURCE_011 where it may not go there, DATASOURCE_009 where there is
        none."""
        if self.credential is None:
            return None
        return granted_secret(self.credential, self.address, self.boundary)

    def as_json(self) -> dict[str, Any]:
        return {
            "url": self.url,
            "user": self.user,
            "credential": self.credential,
            "schema": self.schema,
            "options": dict(self.options),
        }


@dataclass(frozen=True, slots=True)
class PostgresTable:
    """`table` may name its schema. One that is pinned has its `content`, and is read in `snapshot`,
    a moment of the database that is held for it."""

    database: Database
    table: str
    label: str
    period: str | None = None
    only: Mapping[str, Collection[str]] = field(default_factory=dict)
    content: Content | None = None
    snapshot: Snapshot | None = None
    kind: ClassVar[str] = "jdbc"
    version: ClassVar[int | None] = None


@dataclass(frozen=True, slots=True)
class PostgresTarget:
    database: Database
    table: str
    label: str
    kind: ClassVar[str] = "jdbc"

    @property
    def key(self) -> str:
        return f"{self.database.url} {self.database.schema} {self.table}"

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "database": self.database.as_json(),
            "table": self.table,
            "shown": self.label,
        }


def database_of(source: DatasourceDefinition, boundary: Boundary) -> Database:
    options = {name: option_text(value) for name, value in source.options.items()}
    return Database(
        options.pop("url", ""),
        options.pop("user", "") or None,
        source.credential_ref,
        boundary,
        options.pop("schema", "") or "public",
        options,
    )
