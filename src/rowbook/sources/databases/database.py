"""A database as a data source names it: where it is, as whom, and where the secret is; and a table
of it, as it is read and as it is written."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.locations.identifiers import TableName, table_name
from rowbook.locations.jdbc_urls import MYSQL, JdbcUrl, JdbcUrlError, jdbc_url, product_of
from rowbook.planning.datasources import option_text
from rowbook.sources.contents import Content
from rowbook.sources.credentials import Secret, granted_secret


@dataclass(frozen=True, slots=True)
class Database:
    """`credential` names the password (env://…, file://…), which `boundary` must let go there; the
    password itself is in no field."""

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

    def staging_schema(self, name: TableName) -> str:
        """Where rows are staged for a table, and outputs are marked."""
        return self.options.get("staging_schema") or name.schema

    def as_json(self) -> dict[str, Any]:
        return {
            "url": self.url,
            "user": self.user,
            "credential": self.credential,
            "schema": self.schema,
            "options": dict(self.options),
        }


@dataclass(frozen=True, slots=True)
class ServerTable:
    """`table` may name its schema. One that is pinned has its `content`."""

    database: Database
    table: str
    label: str
    period: str | None = None
    only: Mapping[str, Collection[str]] = field(default_factory=dict)
    content: Content | None = None
    kind: ClassVar[str]
    version: ClassVar[int | None] = None

    @property
    def name(self) -> TableName:
        """DATASOURCE_006 where it cannot be one."""
        return named_table(self.table, self.database, "DATASOURCE_006", self.label)


@dataclass(frozen=True, slots=True)
class ServerTarget:
    database: Database
    table: str
    label: str
    kind: ClassVar[str]

    @property
    def key(self) -> str:
        return f"{self.database.url} {self.database.schema} {self.table}"

    @property
    def name(self) -> TableName:
        """OUTPUT_006 where it cannot be one."""
        return named_table(self.table, self.database, "OUTPUT_006", self.label)

    @property
    def staging_schema(self) -> str:
        return self.database.staging_schema(self.name)

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "database": self.database.as_json(),
            "table": self.table,
            "shown": self.label,
        }


def database_of(source: DatasourceDefinition, boundary: Boundary) -> Database:
    options = {name: option_text(value) for name, value in source.options.items()}
    url = options.pop("url", "")
    user = options.pop("user", "") or None
    schema = options.pop("schema", "")
    found = Database(url, user, source.credential_ref, boundary, schema or "public", options)
    if schema or product_of(url) is not MYSQL:
        return found
    # What others call a schema is a database there.
    return replace(found, schema=found.address.database)


def named_table(text: str, database: Database, code: str, label: str) -> TableName:
    """The table that a definition names; an error of the given code where it cannot be a name."""
    try:
        return table_name(text, database.schema)
    except ValueError as fault:
        message = f"{label}: the name of the table {fault}"
        raise RowbookError.of(code, message, hint="write name, or schema.name") from None


def no_table(label: str) -> RowbookError:
    return RowbookError.of("DATASOURCE_006", f"there is no table {label}")


def unusable(database: Database, label: str, said: str, *, hint: str | None = None) -> RowbookError:
    message = f"{label}: the database {database.address.label} cannot be used: {said}"
    return RowbookError.of("DATASOURCE_010", message, hint=hint)


def unwritable(label: str, said: str, *, hint: str | None = None) -> RowbookError:
    return RowbookError.of("OUTPUT_006", f"{label} cannot be written: {said}", hint=hint)
