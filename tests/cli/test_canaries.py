"""Secrets that are planted in the environment, in a file and in a database turn up nowhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.cli.test_postgres_tables import SCHEMA, TABLES, Ledger
from tests.starter.shared_session import shared_session
from tests.support.ledger import CLOSE
from tests.support.postgres_server import Server
from tests.support.shell import Ended, Shell, spawn

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.postgres, pytest.mark.spark, pytest.mark.slow]

IN_ENVIRONMENT = "kanarie/env '7\"&"
IN_FILE = "kanarie\\file %41+8"
WRONG = "kanarie-wrong-pässword"
RUN = ("run", "close", "--period", "2026-01")
CANARIES = (IN_ENVIRONMENT, IN_FILE, WRONG)

SOURCE = """\
datasource:
  name: {name}
  type: jdbc
  options: {{url: "{url}", user: {user}, schema: {schema}}}
  credential_ref: {reference}
"""


@pytest.fixture
def planted(
    shell: Shell, server: Server, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Ledger]:
    """Two roles, whose passwords are the secrets."""
    monkeypatch.setenv("LEDGER_PASSWORD", IN_ENVIRONMENT)
    made = Ledger(shell, server)
    made.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
    made.execute(TABLES)
    for role, password in (("env_clerk", IN_ENVIRONMENT), ("file_clerk", IN_FILE)):
        escaped = password.replace("'", "''")
        made.execute(f"DROP ROLE IF EXISTS {role}")
        made.execute(f"CREATE ROLE {role} LOGIN SUPERUSER PASSWORD '{escaped}'")
    url = f"jdbc:postgresql://127.0.0.1:{server.port}/postgres"
    sources = [
        SOURCE.format(name=name, url=url, user=user, schema=SCHEMA, reference=reference)
        for name, user, reference in (
            ("lake", "env_clerk", "env://LEDGER_PASSWORD"),
            ("vault", "file_clerk", "file://secrets/password"),
        )
    ]
    shell.write(
        {
            "datasources/lake.yaml": "---\n".join(sources),
            "projects/close.yaml": CLOSE.replace("datasource_id: lake", "datasource_id: vault"),
            "secrets/password": IN_FILE + "\n",
        }
    )
    with shared_session(spark):
        yield made


def forms(secret: str) -> set[bytes]:
    texts = {secret, quote(secret, safe=""), repr(secret)[1:-1]}
    return {text.encode() for text in texts} | {secret.encode("utf-16-le")}


def test_no_secret_is_ever_told(planted: Ledger) -> None:
    said: list[bytes] = []

    def do(*arguments: str, code: int = 0) -> None:
        note(planted.run(*arguments), code)

    def do_in_a_process(*arguments: str, password: str = IN_ENVIRONMENT, code: int) -> None:
        """Its traceback is told too, and its JVM may say something."""
        given = {"LEDGER_PASSWORD": password}
        note(spawn(*arguments, folder=planted.folder, seconds=280, environment=given), code)

    def note(ended: Ended, code: int) -> None:
        assert ended.code == code, ended.err
        said.append((ended.out + ended.err).encode())

    do("validate")
    do("apply", "--yes")
    do("activate", "close")
    do("plan", "close", "--period", "2026-01", "--connect", "--format", "json")
    do_in_a_process(*RUN, "--format", "json", "--debug", code=0)
    do_in_a_process(*RUN, "--debug", password=WRONG, code=1)
    planted.execute(f"UPDATE {SCHEMA}.rates SET rate = 'NaN'")
    do(*RUN, "--format", "json", code=3)
    do_in_a_process(*RUN, "--debug", code=1)
    planted.execute(f"ALTER TABLE {SCHEMA}.closed DROP COLUMN usd")
    planted.execute(f"UPDATE {SCHEMA}.rates SET rate = 1")
    do_in_a_process(*RUN, code=3)
    do("runs", "list", "--format", "json")
    do("runs", "show", _last_run(said[-1]), "--definitions")
    do("datasets", "list", "--format", "json")
    files = [path for path in planted.folder.rglob("*") if path.is_file()]
    kept = [path.read_bytes() for path in files if path != _secret_file(planted)]
    assert len(kept) > 5
    tables = str(planted.execute(f"SELECT * FROM {SCHEMA}._rowbook_outputs")).encode()
    for secret in CANARIES:
        for form in forms(secret):
            assert not [text for text in (*said, *kept, tables) if form in text], form


def _last_run(listed: bytes) -> str:
    return str(json.loads(listed.partition(b"\n\n")[0])["runs"][0]["run_id"])


def _secret_file(planted: Ledger) -> Path:
    return planted.folder / "secrets" / "password"
