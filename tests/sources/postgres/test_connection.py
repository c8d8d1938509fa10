"""A password goes only to the server that the workspace names, and only in a way that it allows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from rowbook.definitions.models.workspace import AuthMethod, CredentialDefinition
from rowbook.locations.boundary import Boundary
from rowbook.sources.databases.database import Database
from rowbook.sources.postgres.connection import connect
from tests.support.password_thief import password_thief
from tests.support.postgres_server import PASSWORD, Server
from tests.support.refusal import refusal

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.sources.postgres_books import Books

SECRET = "summer-2026"
REFERENCE = "env://ERP_PASSWORD"


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERP_PASSWORD", SECRET)


def database(url: str, host: str | None, *auth: AuthMethod, user: str = "reader") -> Database:
    more = {"auth": auth} if auth else {}
    grants = (CredentialDefinition(ref=REFERENCE, host=host, **more),) if host else ()
    return Database(url, user, REFERENCE, Boundary(Path("/w"), credentials=grants))


def test_a_server_that_is_not_named_is_not_even_asked() -> None:
    with password_thief() as thief:
        found = refusal(lambda: connect(database(thief.url, "erp:5432")), "DATASOURCE_011")
        assert thief.visits == 0
    assert found.message == (
        f"the workspace does not let env://ERP_PASSWORD go to 127.0.0.1:{thief.port}"
    )


def test_a_server_that_asks_for_the_password_as_it_is_gets_nothing() -> None:
    with password_thief() as thief:
        with pytest.raises(psycopg.OperationalError, match="scram-sha-256"):
            connect(database(thief.url, f"127.0.0.1:{thief.port}"))
        assert thief.visits == 1
    assert thief.loot == []


def test_unless_the_workspace_says_that_it_may() -> None:
    with password_thief() as thief, pytest.raises(psycopg.OperationalError):
        connect(database(f"{thief.url}?connectTimeout=2", f"127.0.0.1:{thief.port}", "password"))
    assert SECRET.encode() in b"".join(thief.loot)


def test_a_password_that_the_environment_has_for_all_servers_goes_to_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PGPASSWORD", SECRET)
    with password_thief() as thief:
        with pytest.raises(psycopg.OperationalError, match="none"):
            connect(Database(thief.url, "reader", None, Boundary(Path("/w"))))
        assert thief.visits == 1
    assert thief.loot == []


def test_the_driver_of_spark_sends_nothing_either(spark: SparkSession) -> None:
    """Rowbook itself connects first; this is for a server that changes its mind."""
    with password_thief() as thief:
        url = database(thief.url, f"127.0.0.1:{thief.port}").address
        options = {
            "url": url.for_jdbc(requireAuth="scram-sha-256"),
            "driver": "org.postgresql.Driver",
            "dbtable": "gl",
            "user": "reader",
            "password": SECRET,
        }
        with pytest.raises(Exception, match="requireAuth"):
            spark.read.format("jdbc").options(**options).load()
        assert thief.visits >= 1
    assert SECRET.encode() not in b"".join(thief.loot)


def test_a_real_server_gets_it(books: Books) -> None:
    with connect(books.database) as connection:
        assert connection.info.user == books.server.user


def test_hosts_are_the_same_in_any_case_and_have_a_usual_port(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ERP_PASSWORD", PASSWORD)
    url = f"jdbc:postgresql://LocalHost:{server.port}/postgres"
    with connect(database(url, f"localhost:{server.port}", user=server.user)) as connection:
        assert connection.info.port == server.port
    usual = database("jdbc:postgresql://erp/ledger", "erp")
    assert usual.boundary.grant(REFERENCE, usual.address) is not None
