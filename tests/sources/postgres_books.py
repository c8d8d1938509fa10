"""A schema of a real PostgreSQL server for each test, and tables in it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from pyspark.sql import DataFrame, SparkSession

from rowbook.definitions.models.workspace import CredentialDefinition
from rowbook.locations.boundary import Boundary
from rowbook.locations.jdbc_urls import jdbc_url
from rowbook.sources.databases.database import Database
from rowbook.sources.postgres.postgres_tables import PostgresTable, PostgresTarget
from rowbook.sources.postgres.source import PostgresSource
from rowbook.sources.raw import Raw
from rowbook.sources.source import Mode, WriteRequest, WriteResult
from tests.sources.tables import RUN
from tests.support.postgres_server import PASSWORD, Server

SECRET = "LEDGER_PASSWORD"
"""The variable that the password is in."""


@dataclass(frozen=True, slots=True)
class Books:
    """A schema, who works in it, and how: `database` is what a data source would name."""

    server: Server
    schema: str
    database: Database
    held: ExitStack = field(default_factory=ExitStack)

    def connect(self, *, autocommit: bool = True) -> psycopg.Connection[Any]:
        """As the owner of everything, with the schema as the one that is meant."""
        return psycopg.connect(
            host="127.0.0.1",
            port=self.server.port,
            dbname="postgres",
            user=self.server.user,
            password=PASSWORD,
            options=f"-csearch_path={self.schema},public",
            autocommit=autocommit,
        )

    def execute(self, *statements: str) -> None:
        with self.connect() as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with self.connect() as connection:
            return connection.execute(query.encode()).fetchall()

    def tables(self) -> list[str]:
        query = f"SELECT tablename FROM pg_tables WHERE schemaname = '{self.schema}' ORDER BY 1"
        return [name for (name,) in self.rows(query)]

    def with_options(self, **options: str) -> Books:
        return replace(self, database=replace(self.database, options=options))

    def at(self, url: str) -> Books:
        """The same by another url, to whose server the secret may go."""
        boundary = granting(self.database.boundary.root, self.database.credential, url)
        return replace(self, database=replace(self.database, url=url, boundary=boundary))

    def as_role(self, *grants: str) -> Books:
        """The same as another role, who has nothing but these."""
        role = f"{self.schema}_clerk"
        password = sql.Literal(PASSWORD).as_string(None)
        self.execute(
            f"CREATE ROLE {role} LOGIN PASSWORD {password}",
            *(grant.format(schema=self.schema, role=role) for grant in grants),
        )
        return replace(self, database=replace(self.database, user=role))

    def place(self, table: str, **only: Sequence[str]) -> PostgresTable:
        return PostgresTable(self.database, table, f"erp:{table}", None, only)

    def target(self, table: str) -> PostgresTarget:
        return PostgresTarget(self.database, table, f"erp:{table}")

    def read(self, spark: SparkSession, table: str, **only: Sequence[str]) -> Raw:
        """Under the same `held` as everything else of the test."""
        (raw,) = PostgresSource().read(spark, [self.place(table, **only)], self.held)
        return raw

    def put(
        self,
        frame: DataFrame,
        table: str,
        mode: Mode = "replace",
        periods: tuple[str, ...] | None = None,
        run_id: str = RUN,
        seq: int = 1,
    ) -> WriteResult:
        return PostgresSource().write(
            frame, self.target(table), WriteRequest(mode, periods, run_id, seq)
        )


def granting(folder: Path, reference: str | None, url: str) -> Boundary:
    """What lets a secret go to the server of a url."""
    if reference is None:
        return Boundary(folder)
    grant = CredentialDefinition(ref=reference, host=jdbc_url(url).server)
    return Boundary(folder, credentials=(grant,))


def books_in(server: Server, schema: str, folder: Path) -> Books:
    """An empty schema; the password is named as `SECRET`."""
    url = f"jdbc:postgresql://127.0.0.1:{server.port}/postgres"
    secret = f"env://{SECRET}"
    database = Database(url, server.user, secret, granting(folder, secret, url), schema)
    made = Books(server, schema, database)
    made.execute(f"CREATE SCHEMA {schema}")
    return made
