"""Secrets that are planted in the environment, in a file and in a database turn up nowhere."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.cli import one_session
from tests.cli.test_postgres_tables import SCHEMA, TABLES, Ledger
from tests.starter.shared_session import shared_session
from tests.support.ledger import CLOSE
from tests.support.paths import ROOT
from tests.support.postgres_server import Server
from tests.support.shell import Ended, Shell

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


class Apart:
    """Commands in a process of its own: its traceback is told too, and its JVM may say something.
    One session serves them all."""

    def __init__(self, folder: Path, said: Path) -> None:
        self.said = said
        with said.open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", one_session.__name__, str(folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=ROOT,
                text=True,
            )

    def run(self, *arguments: str, **environment: str) -> Ended:
        """A command with these variables; `err` is what it and its JVM said."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        before = self.said.stat().st_size
        asked = {"arguments": arguments, "environment": environment}
        print(json.dumps(asked), file=self._process.stdin, flush=True)
        lines: list[str] = []
        for line in self._process.stdout:
            if line.startswith(one_session.ENDED):
                code = int(line.removeprefix(one_session.ENDED))
                err = self.said.read_bytes()[before:].decode()
                return Ended(code, "".join(lines), err)
            lines.append(line)
        raise AssertionError(self.said.read_text(encoding="utf-8"))

    def __enter__(self) -> Apart:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()


def forms(secret: str) -> set[bytes]:
    texts = {secret, quote(secret, safe=""), repr(secret)[1:-1]}
    return {text.encode() for text in texts} | {secret.encode("utf-16-le")}


def test_no_secret_is_ever_told(planted: Ledger, tmp_path_factory: pytest.TempPathFactory) -> None:
    said: list[bytes] = []
    errors = tmp_path_factory.mktemp("apart") / "said"

    def do(*arguments: str, code: int = 0) -> None:
        note(planted.run(*arguments), code)

    def note(ended: Ended, code: int) -> None:
        assert ended.code == code, ended.err
        said.append((ended.out + ended.err).encode())

    do("validate")
    do("apply", "--yes")
    do("activate", "close")
    do("plan", "close", "--period", "2026-01", "--connect", "--format", "json")
    with Apart(planted.folder, errors) as apart:
        note(apart.run(*RUN, "--format", "json", "--debug"), 0)
        note(apart.run(*RUN, "--debug", LEDGER_PASSWORD=WRONG), 1)
        planted.execute(f"UPDATE {SCHEMA}.rates SET rate = 'NaN'")
        do(*RUN, "--format", "json", code=3)
        note(apart.run(*RUN, "--debug", LEDGER_PASSWORD=IN_ENVIRONMENT), 1)
        planted.execute(f"ALTER TABLE {SCHEMA}.closed DROP COLUMN usd")
        planted.execute(f"UPDATE {SCHEMA}.rates SET rate = 1")
        note(apart.run(*RUN), 3)
    said.append(errors.read_bytes())
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
