"""The commands with a store in PostgreSQL, whose password is named and never shown."""

from __future__ import annotations

import json

import pytest

from tests.support.ledger import FILES
from tests.support.postgres_server import PASSWORD, Server
from tests.support.shell import Shell

pytestmark = pytest.mark.postgres


@pytest.fixture
def books(shell: Shell, server: Server, monkeypatch: pytest.MonkeyPatch) -> Shell:
    store = f'{{url: "{server.url("commands")}", credential_ref: env://STORE_PASSWORD}}'
    workspace = f"workspace: {{name: acme, default_resolver_id: lake, store: {store}}}\n"
    shell.write({**FILES, "rowbook.yaml": workspace})
    monkeypatch.setenv("STORE_PASSWORD", PASSWORD)
    return shell


def test_versions_projects_and_periods_are_kept_there(books: Shell) -> None:
    applied = books.run("apply", "--yes")
    assert (applied.code, applied.err) == (0, "")
    active = books.run("activate", "close", "--format", "json")
    assert json.loads(active.out) == {"project": "close", "version": 1, "status": "active"}
    closed = books.run("periods", "close", "2026-01", "--reason", "done")
    assert closed.code == 0
    again = books.run("periods", "close", "2026-01")
    assert (again.code, "PERIOD_006" in again.err) == (4, True)
    assert "gl" in books.run("datasets", "list").out
    assert json.loads(books.run("runs", "list", "--format", "json").out) == {"runs": []}
    assert not (books.folder / ".rowbook" / "store.db").exists()


def test_a_password_that_is_not_there_or_wrong_is_said_without_showing_any(
    books: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STORE_PASSWORD", "wrong-password")
    wrong = books.run("datasets", "list")
    assert (wrong.code, "STORE_001" in wrong.err) == (2, True)
    monkeypatch.delenv("STORE_PASSWORD")
    missing = books.run("datasets", "list")
    assert (missing.code, "DATASOURCE_009" in missing.err) == (2, True)
    assert "STORE_PASSWORD" in missing.err
    for ended in (wrong, missing):
        assert PASSWORD not in ended.out + ended.err
        assert "wrong-password" not in ended.out + ended.err
