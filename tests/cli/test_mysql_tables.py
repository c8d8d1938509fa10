"""Runs that read from and write to a MariaDB database."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from tests.starter.shared_session import shared_session
from tests.support.ledger import CLOSE, FILES, GL
from tests.support.postgres_server import PASSWORD
from tests.support.shell import Ended, Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.support.mariadb_server import MariadbServer

pytestmark = [pytest.mark.mariadb, pytest.mark.spark]

TABLES = (
    "DROP DATABASE IF EXISTS ledger",
    "CREATE DATABASE ledger",
    "CREATE TABLE ledger.gl (account varchar(20) NOT NULL, amount decimal(18,2), note text,"
    " _period varchar(7), day date)",
    "CREATE TABLE ledger.rates (account varchar(20) NOT NULL, rate decimal(18,6))",
    "INSERT INTO ledger.gl VALUES ('1000', 10.50, NULL, '2026-01', NULL), ('2000', 10.50, NULL,"
    " '2026-01', NULL), ('1000', 7, NULL, '2026-02', '2026-02-01')",
    "INSERT INTO ledger.rates VALUES ('1000', 2), ('2000', 0.5)",
)


class MysqlLedger:
    """A workspace whose only data source is a database, and that database."""

    def __init__(self, shell: Shell, server: MariadbServer) -> None:
        self._shell, self._server = shell, server
        url = f"jdbc:mariadb://127.0.0.1:{server.port}/ledger"
        source = f'datasource: {{name: lake, type: jdbc, options: {{url: "{url}", user: keeper}}, '
        shell.write(
            {
                **FILES,
                "datasets/gl.yaml": GL + "      - {name: day, type: date}\n",
                "rowbook.yaml": "workspace:\n  name: acme\n  default_resolver_id: lake\n"
                "  credentials:\n"
                f'    - {{ref: env://LEDGER_PASSWORD, host: "127.0.0.1:{server.port}"}}\n',
                "datasources/lake.yaml": source + "credential_ref: env://LEDGER_PASSWORD}\n",
                "projects/close.yaml": CLOSE.replace(
                    "table: closed}", "table: closed}, register_as_dataset: closed_gl"
                ),
            }
        )

    def run(self, *arguments: str) -> Ended:
        ended = self._shell.run(*arguments)
        assert PASSWORD not in ended.out + ended.err
        return ended

    def execute(self, *statements: str) -> list[tuple[Any, ...]]:
        with self._server.connect() as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            return list(cursor.fetchall())

    def closed(self) -> list[tuple[Any, ...]]:
        return self.execute(
            "SELECT account, CAST(usd AS DECIMAL(18,2)), _period FROM ledger.closed ORDER BY 3, 1"
        )


@pytest.fixture
def ledger(
    shell: Shell, mariadb: MariadbServer, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MysqlLedger]:
    """Its commands work on the session that all tests share."""
    monkeypatch.setenv("LEDGER_PASSWORD", PASSWORD)
    made = MysqlLedger(shell, mariadb)
    made.execute(*TABLES)
    assert made.run("apply", "--yes").code == 0
    assert made.run("activate", "close").code == 0
    with shared_session(spark):
        yield made


def test_a_close_is_read_from_and_written_to_a_database(ledger: MysqlLedger) -> None:
    january = [
        ("1000", Decimal("21.00"), "2026-01"),
        ("2000", Decimal("5.25"), "2026-01"),
    ]
    for period in ("2026-01", "2026-02", "2026-01"):
        ended = ledger.run("run", "close", "--period", period)
        assert ended.code == 0, ended.err
    assert ledger.closed() == [*january, ("1000", Decimal("14.00"), "2026-02")]
    assert [name for (name,) in ledger.execute("SHOW TABLES FROM ledger")] == [
        "_rowbook_outputs",
        "closed",
        "gl",
        "rates",
    ]
    ended = ledger.run("diff", "close", "--period", "2026-01")
    assert ended.code == 0, ended.err


def test_rows_that_change_while_a_run_reads_them_end_it(
    ledger: MysqlLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rowbook.sources.databases.load_stage import load_stage as load

    def meanwhile(*given: Any) -> None:
        load(*given)
        ledger.execute("UPDATE ledger.gl SET amount = amount + 1 WHERE _period = '2026-01'")

    with monkeypatch.context() as patch:
        patch.setattr("rowbook.sources.mysql.write.load_stage", meanwhile)
        ended = ledger.run("run", "close", "--period", "2026-01")
    assert ended.code != 0
    assert "RUN_011  the input changed during the run: lake:gl" in ended.err
    tables = [name for (name,) in ledger.execute("SHOW TABLES FROM ledger")]
    assert "closed" not in tables


def test_a_day_that_is_none_is_named(ledger: MysqlLedger) -> None:
    ledger.execute("SET sql_mode = ''", "UPDATE ledger.gl SET day = '0000-00-00'")
    ended = ledger.run("run", "close", "--period", "2026-01")
    assert ended.code != 0
    assert (
        "DATASOURCE_007  lake:gl cannot be read: column 'day' holds 0000-00-00, which is no day"
        in ended.err
    )
