"""Runs that read from and write to a PostgreSQL database."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from tests.runs.processes import Running
from tests.starter.shared_session import shared_session
from tests.support.ledger import CLOSE, FILES
from tests.support.postgres_server import PASSWORD, Server
from tests.support.shell import Ended, Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.postgres, pytest.mark.spark, pytest.mark.slow]

SCHEMA = "ledger"
TABLES = f"""
CREATE SCHEMA {SCHEMA};
SET search_path = {SCHEMA};
CREATE TABLE gl (account text NOT NULL, amount numeric(18,2), note text, _period text);
CREATE TABLE rates (account varchar(20) NOT NULL, rate numeric);
INSERT INTO gl SELECT a, n, NULL, p FROM unnest(ARRAY['1000', '2000']) a,
    unnest(ARRAY[10.50, 0]) n, unnest(ARRAY['2026-01', '2026-02']) p;
INSERT INTO rates VALUES ('1000', 2), ('2000', 0.5);
"""


class Ledger:
    """A workspace whose only data source is a database, and that database."""

    def __init__(self, shell: Shell, server: Server) -> None:
        self.folder, self._shell, self._server = shell.folder, shell, server
        url = f"jdbc:postgresql://127.0.0.1:{server.port}/postgres"
        options = f'{{url: "{url}", user: {server.user}, schema: {SCHEMA}}}'
        source = f"datasource: {{name: lake, type: jdbc, options: {options}, "
        shell.write(
            {
                **FILES,
                "rowbook.yaml": "workspace:\n  name: acme\n  default_resolver_id: lake\n"
                "  credentials:\n"
                f'    - {{ref: env://LEDGER_PASSWORD, host: "127.0.0.1:{server.port}"}}\n'
                f'    - {{ref: "file://secrets/password", host: "127.0.0.1:{server.port}"}}\n',
                "datasources/lake.yaml": source + "credential_ref: env://LEDGER_PASSWORD}\n",
                "projects/close.yaml": CLOSE.replace(
                    "table: closed}", "table: closed}, register_as_dataset: closed_gl"
                ),
            }
        )

    def run(self, *arguments: str) -> Ended:
        """A command in this process."""
        return _without_password(self._shell.run(*arguments))

    def spawn(self, *arguments: str, **environment: str) -> Ended:
        """A command as a process of its own, which can be killed. Its lease lasts, so that no
        heartbeat is among its write points."""
        said = self.folder.with_name(f"{self.folder.name}-said")
        given = {"ROWBOOK_LEASE_SECONDS": "600", **environment}
        with Running((*arguments, "-C", str(self.folder)), said, given) as running:
            ended = running.end(280)
        return _without_password(Ended(ended.code, ended.out, ended.err))

    def json(self, *arguments: str) -> Any:
        """What a command in this process prints for programs."""
        ended = self.run(*arguments, "--format", "json")
        assert ended.code == 0, ended.err
        return json.loads(ended.out)

    def execute(self, text: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(
            host="127.0.0.1",
            port=self._server.port,
            dbname="postgres",
            user=self._server.user,
            password=PASSWORD,
            autocommit=True,
        ) as connection:
            cursor = connection.execute(text.encode())
            while cursor.nextset():
                pass
            return cursor.fetchall() if cursor.description else []

    def closed(self) -> list[tuple[Any, ...]]:
        """What was published: account, converted amount, period."""
        return self.execute(
            f"SELECT account, usd::numeric(18,2), _period FROM {SCHEMA}.closed ORDER BY 3, 1"
        )

    def stages(self) -> list[tuple[Any, ...]]:
        return self.execute(
            "SELECT tablename FROM pg_tables WHERE starts_with(tablename, '_rowbook_stage_')"
        )


def _without_password(ended: Ended) -> Ended:
    assert PASSWORD not in ended.out + ended.err
    return ended


@pytest.fixture
def ledger(
    shell: Shell, server: Server, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Ledger]:
    """Its commands in this process work on the session that all tests share."""
    monkeypatch.setenv("LEDGER_PASSWORD", PASSWORD)
    made = Ledger(shell, server)
    made.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
    made.execute(TABLES)
    assert made.run("apply", "--yes").code == 0
    assert made.run("activate", "close").code == 0
    with shared_session(spark):
        yield made


def january() -> list[tuple[Any, ...]]:
    return [("1000", Decimal("21.00"), "2026-01"), ("2000", Decimal("5.25"), "2026-01")]


def february() -> list[tuple[Any, ...]]:
    return [("1000", Decimal("21.00"), "2026-02"), ("2000", Decimal("5.25"), "2026-02")]


def test_a_period_is_closed_twice_and_registered(ledger: Ledger) -> None:
    for version in (1, 1):
        result = ledger.json("run", "close", "--period", "2026-01")
        (output,) = result["outputs"]
        assert (output["rows"], output["files"], output["dataset_version"]) == (2, 0, version)
        assert output["destination"] == "lake:closed"
        assert ledger.closed() == january()
    assert ledger.stages() == []


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("point", "there"),
    [
        ("all outputs are staged", january()),
        ("before a table is published", january()),
        ("a table was published", january() + february()),
    ],
)
def test_a_run_that_is_killed_is_resumed_or_goes_on_by_itself(
    ledger: Ledger, connect_url: str, tmp_path: Path, point: str, there: list[tuple[Any, ...]]
) -> None:
    count = tmp_path / "points"
    close = ("run", "close", "--engine", connect_url, "--period")
    first = ledger.spawn(*close, "2026-01", ROWBOOK_COUNT_WRITES=str(count))
    assert first.code == 0, first.err
    points = [name for name in count.read_text().splitlines() if "table of outputs" not in name]
    number = str(points.index(point) + 1)
    killed = ledger.spawn(*close, "2026-02", ROWBOOK_KILL_AT_WRITE=number)
    assert killed.code == -9, killed.err
    assert f"killed at write point {number}: {point}" in killed.err
    assert ledger.closed() == there
    run = ledger.json("runs", "list")["runs"][0]
    if point == "all outputs are staged":
        assert run["status"] == "failed"
        resumed = ledger.run("runs", "resume", run["run_id"])
        assert resumed.code == 0, resumed.err
    else:
        assert run["status"] == "completed"
    assert ledger.closed() == january() + february()
    assert ledger.stages() == []
