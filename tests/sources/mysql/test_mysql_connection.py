"""A password goes only to the server that the workspace names, and is shown to none whose
certificate was not checked."""

from __future__ import annotations

import ssl
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pymysql
import pytest

from rowbook.definitions.models.workspace import AuthMethod, CredentialDefinition
from rowbook.locations.boundary import Boundary
from rowbook.sources.databases.database import Database
from rowbook.sources.mysql.mysql_connection import connect, connected, spark_options
from tests.support.mysql_thief import mysql_thief
from tests.support.programs import needs
from tests.support.refusal import refusal

if TYPE_CHECKING:
    from tests.sources.mysql_books import MysqlBooks

SECRET = "summer-2026-é"
REFERENCE = "env://ERP_PASSWORD"
WAYS = ("mysql_clear_password", "dialog", "sha256_password", "caching_sha2_password")


@pytest.fixture(autouse=True)
def _secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ERP_PASSWORD", SECRET)


def database(url: str, host: str | None, *auth: AuthMethod) -> Database:
    more = {"auth": auth} if auth else {}
    grants = (CredentialDefinition(ref=REFERENCE, host=host, **more),) if host else ()
    return Database(url, "reader", REFERENCE, Boundary(Path("/w"), credentials=grants))


def test_a_server_that_is_not_named_is_not_even_asked() -> None:
    with mysql_thief("mysql_clear_password") as thief:
        found = refusal(lambda: connect(database(thief.url, "erp:3306")), "DATASOURCE_011")
        assert thief.loot == []
    assert found.hint == (
        "if it may, add to rowbook.yaml, under credentials:"
        f' - {{ref: "env://ERP_PASSWORD", host: "127.0.0.1:{thief.port}"}}'
    )


@pytest.mark.parametrize("way", WAYS)
def test_a_server_that_asks_for_the_password_as_it_is_gets_nothing(way: str) -> None:
    said = f"by {way}, which is not allowed"
    with mysql_thief(way) as thief, pytest.raises(pymysql.OperationalError, match=said):
        connect(database(thief.url, f"127.0.0.1:{thief.port}"))
    assert SECRET.encode() not in b"".join(thief.loot)
    assert len([got for got in thief.loot if got]) == 1


def test_nor_one_that_begins_with_it() -> None:
    said, way = "by mysql_clear_password, which is not allowed", "mysql_clear_password"
    with (
        mysql_thief(way, greeting="sha256_password") as thief,
        pytest.raises(pymysql.OperationalError, match=said),
    ):
        connect(database(thief.url, f"127.0.0.1:{thief.port}"))
    assert SECRET.encode() not in b"".join(thief.loot)


def test_unless_the_workspace_says_that_it_may() -> None:
    with mysql_thief("mysql_clear_password") as thief, pytest.raises(pymysql.OperationalError):
        connect(database(thief.url, f"127.0.0.1:{thief.port}", "password"))
    assert SECRET.encode() in b"".join(thief.loot)


def test_the_driver_of_spark_is_told_the_same(mysql_books: MysqlBooks) -> None:
    options = spark_options(mysql_books.database)
    assert options["restrictedAuth"] == "mysql_native_password"
    assert options["allowLocalInfile"] == "false"
    assert mysql_books.schema not in options["url"]


def test_sessions_are_strict_and_in_utc_whatever_the_server_is_set_to(
    mysql_books: MysqlBooks,
) -> None:
    with connected(mysql_books.database) as connection:
        found = connection.one("SELECT @@sql_mode, @@time_zone")
    assert found is not None
    assert found[1] == "+00:00"
    assert "STRICT_ALL_TABLES" in found[0]


def test_who_has_not_installed_the_client_is_told_how(monkeypatch: pytest.MonkeyPatch) -> None:
    from rowbook.sources import registry

    for name in [name for name in sys.modules if name.startswith("rowbook.sources.mysql")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    recorded = {"kind": "mysql", "database": {}, "table": "gl", "shown": "erp:gl"}
    found = refusal(
        lambda: registry.target_from_json(recorded, Boundary(Path("/w"))), "DATASOURCE_008"
    )
    assert found.message == (
        "MySQL and MariaDB need the Python package PyMySQL, which is not installed"
    )
    assert found.hint == "pip install 'rowbook[mysql]'"


@needs("openssl")
def test_a_certificate_that_nobody_vouches_for_is_refused_unless_it_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.sources.mysql_books import SECRET as VARIABLE
    from tests.sources.mysql_books import mysql_books_in
    from tests.support.mariadb_server import new_mariadb, start_mariadb, stop_mariadb
    from tests.support.postgres_server import PASSWORD, NoServerError

    monkeypatch.setenv(VARIABLE, PASSWORD)
    try:
        with new_mariadb() as server:
            key, certificate = server.folder / "key.pem", server.folder / "cert.pem"
            _certificate(key, certificate)
            process = start_mariadb(server, f"--ssl-key={key}", f"--ssl-cert={certificate}")
            try:
                books = mysql_books_in(server, "books", tmp_path)
                plain = books.database
                for mode in ("verify-full", "verify-ca"):
                    with pytest.raises(pymysql.OperationalError, match="certificate verify failed"):
                        connect(_with_mode(plain, mode))
                with connected(_with_mode(plain, "trust")) as connection:
                    found = connection.one("SHOW STATUS LIKE 'Ssl_cipher'")
                assert found is not None
                assert found[1]
                monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
                with connected(_with_mode(plain, "verify-full")) as connection:
                    assert connection.one("SELECT 1") == (1,)
            finally:
                stop_mariadb(process)
    except NoServerError as error:
        pytest.skip(str(error))


def _with_mode(plain: Database, mode: str) -> Database:
    from dataclasses import replace

    return replace(plain, url=f"{plain.url}?sslMode={mode}")


def _certificate(key: Path, certificate: Path) -> None:
    assert ssl.HAS_TLSv1_3
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt"),
            *("ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"),
            *("-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    key.chmod(0o644)
