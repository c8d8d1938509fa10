"""Runs that publish to Iceberg tables in a bucket, known to a database or to a server."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.runs.books import FILES
from tests.starter.shared_session import shared_session
from tests.support.iceberg_rest_server import TOKEN, running_catalog
from tests.support.object_store_server import KEYS, SECRET, StoreServer
from tests.support.shell import Ended, Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.engine.session.session import EngineSettings

pytestmark = [pytest.mark.spark, pytest.mark.slow]

JDBC = 'catalog: jdbc, url: "jdbc:sqlite:data/catalog.db"'
SOURCES = """\
datasource: {{name: inbox, type: csv, options: {{root: data/inbox}}}}
---
datasource:
  name: lake
  type: iceberg
  options: {{{catalog}, warehouse: "s3://{bucket}/lake", namespace: books, endpoint: "{endpoint}",
    path_style: true, warehouse_keys: "env://LAKE_KEYS"}}
  credential_ref: env://CATALOG_TOKEN
"""
WORKSPACE = """\
workspace:
  name: acme
  default_resolver_id: inbox
  allowed_locations: ["s3://{bucket}"]
  credentials:
    - {{ref: "env://LAKE_KEYS", host: "{store}"}}
    - {{ref: "env://CATALOG_TOKEN", host: "{catalog}"}}
"""
_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class LakeBooks:
    shell: Shell
    sessions: list[EngineSettings]

    def do(self, *arguments: str) -> Ended:
        """No secret is ever printed."""
        ended = self.shell.run(*arguments)
        assert ended.code == 0, ended.out + ended.err
        for secret in (SECRET, TOKEN):
            assert secret not in ended.out + ended.err
        return ended

    def closed(self, period: str) -> str:
        """What the next project would read."""
        return self.do("datasets", "read", "closed", "--period", period).out


@pytest.fixture(params=["jdbc", pytest.param("rest", marks=pytest.mark.campaign)])
def books(
    request: pytest.FixtureRequest,
    shell: Shell,
    object_store: StoreServer,
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[LakeBooks]:
    monkeypatch.setenv("LAKE_KEYS", KEYS)
    monkeypatch.setenv("CATALOG_TOKEN", TOKEN)
    monkeypatch.setenv("LOGNAME", "ann")
    bucket, catalog, host = f"lakes-{next(_numbers)}", JDBC, "nowhere:443"
    object_store.bucket(bucket)
    with ExitStack() as held:
        if request.param == "rest":

            def put(url: str, data: bytes) -> None:
                object_store.put(bucket, {url.removeprefix(f"s3://{bucket}/"): data})

            server = held.enter_context(running_catalog(f"s3://{bucket}/lake", put))
            server.token = TOKEN
            catalog, host = f'catalog: rest, uri: "{server.uri}"', server.host
        known = {"bucket": bucket, "endpoint": object_store.endpoint}
        workspace = WORKSPACE.format(bucket=bucket, store=object_store.host, catalog=host)
        files = {
            "rowbook.yaml": workspace,
            "datasources/files.yaml": SOURCES.format(catalog=catalog, **known),
        }
        shell.write({**FILES, **files})
        sessions = held.enter_context(shared_session(spark))
        made = LakeBooks(shell, sessions)
        made.do("apply", "--yes")
        made.do("activate", "close")
        yield made


def test_a_close_is_published_again_and_again_and_proved(books: LakeBooks) -> None:
    for period in ("2026-01", "2026-02", "2026-01"):
        ended = books.do("run", "close", "--period", period, "--quiet")
        assert "wrote lake:closed: " in ended.out
        assert "wrote lake:log: 2 rows" in ended.out
    assert books.sessions[0].extras == {"iceberg", "s3"}
    assert "25.50" in books.closed("2026-01")
    assert "28.00" in books.closed("2026-02")
    proof = books.do("verify", "latest").out
    assert "output     30 lake:closed: equal, as written" in proof
    assert "output     40 lake:log: equal, as written" in proof
    state = Path(books.shell.folder, ".rowbook")
    for file in (path for path in state.rglob("*") if path.is_file()):
        content = file.read_bytes()
        assert SECRET.encode() not in content
        assert TOKEN.encode() not in content


def test_what_waits_for_approval_is_published_as_it_was_staged(
    books: LakeBooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That takes no Spark, and what is rejected leaves nothing."""
    project = FILES["projects/close.yaml"].replace(
        "name: close\n", "name: close\n  approval: before_publish\n", 1
    )
    books.shell.write({"projects/close.yaml": project})
    books.do("apply", "--yes")
    books.do("activate", "close")
    for decision in ("reject", "approve"):
        monkeypatch.setenv("LOGNAME", "ann")
        books.do("run", "close", "--period", "2026-01", "--quiet")
        assert books.shell.run("datasets", "read", "closed", "--period", "2026-01").code != 0
        monkeypatch.setenv("LOGNAME", "ben")
        before = len(books.sessions)
        books.do("runs", decision, "latest", "--comment", "looked at")
        assert len(books.sessions) == before
    assert "25.50" in books.closed("2026-01")
