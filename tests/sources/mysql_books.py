"""A database of a real MariaDB server for each test, and tables in it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowbook.sources.databases.database import Database
from rowbook.sources.databases.output_columns import OutputColumn
from rowbook.sources.databases.staging_names import new_stage
from rowbook.sources.mysql.errors import quoted
from rowbook.sources.mysql.mysql_connection import connected
from rowbook.sources.mysql.mysql_marks import make_marks
from rowbook.sources.mysql.mysql_stage import make_stage
from rowbook.sources.mysql.mysql_tables import MysqlTable, MysqlTarget
from rowbook.sources.mysql.source import MysqlSource
from rowbook.sources.source import Mode, Publishing, StagedOutput, WriteRequest, WriteResult
from tests.sources.postgres_books import granting
from tests.sources.tables import RUN
from tests.support.mariadb_server import MariadbServer
from tests.support.postgres_server import PASSWORD

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from rowbook.sources.raw import Raw

SECRET = "MARIADB_PASSWORD"
"""The variable that the password is in."""


@dataclass(frozen=True, slots=True)
class MysqlBooks:
    """A database, who works in it, and how: `database` is what a data source would name."""

    server: MariadbServer
    schema: str
    database: Database
    held: ExitStack = field(default_factory=ExitStack)

    def execute(self, *statements: str) -> None:
        with self.server.connect(database=self.schema) as connection, connection.cursor() as cursor:
            cursor.execute("SET sql_mode = ''")
            for statement in statements:
                cursor.execute(statement)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with self.server.connect(database=self.schema) as connection, connection.cursor() as cursor:
            cursor.execute(query)
            return list(cursor.fetchall())

    def tables(self) -> list[str]:
        return [name for (name,) in self.rows("SHOW TABLES")]

    def with_options(self, **options: str) -> MysqlBooks:
        return replace(self, database=replace(self.database, options=options))

    def as_clerk(self, *grants: str) -> MysqlBooks:
        """The same as another user, who has nothing but these."""
        clerk = f"{self.schema}_clerk"
        password = PASSWORD.replace("'", "''")
        self.execute(
            f"CREATE USER {clerk}@'127.0.0.1' IDENTIFIED BY '{password}'",
            *(f"GRANT {grant} TO {clerk}@'127.0.0.1'" for grant in grants),
        )
        return replace(self, database=replace(self.database, user=clerk))

    def place(self, table: str, **only: Sequence[str]) -> MysqlTable:
        return MysqlTable(self.database, table, f"erp:{table}", None, only)

    def target(self, table: str) -> MysqlTarget:
        return MysqlTarget(self.database, table, f"erp:{table}")

    def read(self, spark: SparkSession, table: str, **only: Sequence[str]) -> Raw:
        (raw,) = MysqlSource().read(spark, [self.place(table, **only)], self.held)
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
        request = WriteRequest(mode, periods, run_id, seq)
        return MysqlSource().write(frame, self.target(table), request)

    def staged(
        self,
        table: str,
        columns: dict[str, str],
        *rows: str,
        mode: Mode = "replace",
        periods: tuple[str, ...] | None = None,
        run_id: str = RUN,
        seq: int = 1,
    ) -> StagedOutput:
        """Rows that Spark would have staged, as SQL has them."""
        target = self.target(table)
        stage = new_stage(target.staging_schema, run_id, seq)
        listed = [[name, f"c{i}", kind] for i, (name, kind) in enumerate(columns.items(), 1)]
        with connected(self.database) as connection:
            make_marks(connection, stage.schema)
            make_stage(connection, stage, [OutputColumn(*each) for each in listed])
            for number, row in enumerate(rows):
                connection.execute(f"INSERT INTO {quoted(stage)} VALUES ({number}, {row})")
        order = WriteRequest(mode, periods, run_id, seq)
        written = WriteResult(len(rows), 0, 1, 1)
        return StagedOutput.of(target, order, written, stage=stage.name, columns=listed)

    def publish(self, *staged: StagedOutput) -> tuple[WriteResult, ...]:
        return MysqlSource().publish(staged, Publishing())


def mysql_books_in(server: MariadbServer, schema: str, folder: Path) -> MysqlBooks:
    """An empty database; the password is named as `SECRET`."""
    url = f"jdbc:mariadb://127.0.0.1:{server.port}/{schema}"
    secret = f"env://{SECRET}"
    database = Database(url, server.user, secret, granting(folder, secret, url), schema)
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {schema}")
    return MysqlBooks(server, schema, database)
