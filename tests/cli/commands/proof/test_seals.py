"""`rowbook seals`: 0 where all is as it was sealed, 1 where something is found."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.ledger import applied, in_json
from tests.support.shell import Shell

FILES = {"rowbook.yaml": "workspace: {name: acme}\n"}
SIGNED = "workspace:\n  name: acme\n  seals: {key: env://ACME_SEAL_KEY}\n"


def tamper(shell: Shell, statement: str) -> None:
    with closing(sqlite3.connect(shell.folder / ".rowbook" / "store.db")) as file, file:
        assert file.execute(statement).rowcount == 1


@pytest.fixture
def closed(shell: Shell) -> Shell:
    shell.write(FILES)
    for month in ("2026-01", "2026-02"):
        assert shell.run("periods", "close", month).code == 0
    return shell


@pytest.fixture
def key(shell: Shell, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("keys") / "seal.key"
    assert shell.run("seals", "key", "-o", str(path)).code == 0
    return path


def test_a_workspace_without_store_is_whole_and_gets_none(shell: Shell) -> None:
    shell.write(FILES)
    ended = shell.run("seals", "verify")
    assert (ended.code, ended.out) == (0, "whole: 0 seals\n")
    assert not (shell.folder / ".rowbook").exists()
    assert shell.run("seals", "verify", "--head", "1:0123456789abcdef").code == 1


def test_a_whole_chain_says_its_head_and_that_it_is_not_signed(closed: Shell) -> None:
    found = in_json(closed, "seals", "verify")
    assert found["verdict"] == "whole"
    assert (found["seals"], found["unsigned"], found["findings"]) == (2, 2, [])
    ended = closed.run("seals", "verify", "--head", found["head"])
    assert ended.code == 0
    assert ended.out == f"whole: 2 seals, head {found['head']}\nnot signed: 2 seals\n"


def test_an_edited_record_is_named(closed: Shell) -> None:
    tamper(closed, "UPDATE period_change SET changed_by = 'nobody' WHERE period = '2026-01'")
    ended = closed.run("seals", "verify")
    assert ended.code == 1
    first, second, _ = ended.out.splitlines()
    name = "period 2026-01 closed in calendar 'gregorian'"
    assert first == (
        f"record changed: {name}, sealed as 'period closed' by seal 1:"
        " the store says something else now"
    )
    assert second.startswith("not whole: 2 seals, head 2:")
    ended = closed.run("seals", "verify", "--format", "json")
    assert ended.code == 1
    (finding,) = json.loads(ended.out)["findings"]
    assert (finding["finding"], finding["seal"], finding["kind"]) == (
        *("record changed", 1),
        "period closed",
    )
    assert finding["name"] == name
    assert finding["subject"].startswith("period ")
    assert finding["subject"].endswith(" 2026-01 closed")


def test_a_cut_tail_needs_the_head(closed: Shell) -> None:
    head = in_json(closed, "seals", "verify")["head"]
    tamper(closed, "DELETE FROM seal WHERE number = 2")
    tamper(closed, "DELETE FROM period_change WHERE period = '2026-02'")
    assert closed.run("seals", "verify").code == 0
    ended = closed.run("seals", "verify", "--head", head)
    assert ended.code == 1
    assert ended.out.splitlines()[0] == (
        f"tail cut: the chain had a seal {head}, and now ends with 1"
    )


@pytest.mark.parametrize("head", ["12", "1:0123", "x:0123456789abcdef"])
def test_a_head_that_is_none_is_refused(closed: Shell, head: str) -> None:
    ended = closed.run("seals", "verify", "--head", head)
    assert (ended.code, ended.err.splitlines()[0]) == (
        2,
        f"USAGE_001  '{head}' is no head of a chain",
    )


def test_a_key_is_for_its_owner_alone_and_never_printed(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "seal.key"
    ended = shell.run("seals", "key", "-o", str(path))
    assert ended.code == 0
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_text().startswith("-----BEGIN PRIVATE KEY-----")
    assert "PRIVATE KEY" not in ended.out + ended.err
    assert f"    key: file://{path.resolve()}" in ended.out.splitlines()
    public = path.with_name("seal.key.pub")
    assert public.read_text().startswith("-----BEGIN PUBLIC KEY-----")
    again = shell.run("seals", "key", "-o", str(path))
    assert again.code == 2
    assert "is there already, and a key is never overwritten" in again.err


def test_no_key_is_made_inside_a_workspace(shell: Shell) -> None:
    shell.write(FILES)
    ended = shell.run("seals", "key", "-o", "seal.key")
    assert ended.code == 2
    assert ended.err.startswith("SEAL_002  seal.key is inside the workspace")
    assert not (shell.folder / "seal.key").exists()


def test_seals_are_signed_with_the_key_that_the_workspace_names(
    shell: Shell, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write({"rowbook.yaml": SIGNED})
    monkeypatch.setenv("ACME_SEAL_KEY", key.read_text())
    assert shell.run("periods", "close", "2026-01", "--trust").code == 0
    public = str(key.with_name("seal.key.pub"))
    found = in_json(shell, "seals", "verify", "--trust", "--public-key", public)
    assert (found["verdict"], found["unsigned"], found["keys"][0]["seals"]) == ("whole", 0, 1)
    monkeypatch.delenv("ACME_SEAL_KEY")
    assert shell.run("seals", "verify", "--trust").out.splitlines()[1] == (
        f"signed with key {found['keys'][0]['id'][:16]}: 1 seal (1)"
    )
    assert shell.run("runs", "list", "--trust").code == 0
    ended = shell.run("periods", "close", "2026-02", "--trust")
    assert ended.code == 2
    assert ended.err.splitlines()[0] == (
        "rowbook.yaml:3:16  SEAL_001  the key that signs seals cannot be used: a credential is not"
        " there: the environment variable ACME_SEAL_KEY is not set"
    )


def test_seals_of_another_key_are_one_finding(
    shell: Shell, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.write({"rowbook.yaml": SIGNED})
    monkeypatch.setenv("ACME_SEAL_KEY", key.read_text())
    for month in ("2026-01", "2026-02", "2026-03"):
        shell.run("periods", "close", month, "--trust")
    other = key.with_name("other.key")
    shell.run("seals", "key", "-o", str(other))
    ended = shell.run("seals", "verify", "--trust", "--public-key", f"{other}.pub")
    assert ended.code == 1
    assert ended.out.splitlines()[0].startswith("signature bad at 1 to 3: it is of key ")


def test_a_run_whose_key_is_none_is_refused_before_it_begins(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    applied(shell)
    shell.write({"rowbook.yaml": f"{SIGNED}  default_resolver_id: lake\n"})
    monkeypatch.setenv("ACME_SEAL_KEY", "hunter2hunter2")
    ended = shell.run("run", "close", "--period", "2026-01", "--draft", "--trust")
    assert "SEAL_001  the key that signs seals cannot be used" in ended.err
    assert "hunter2" not in ended.err + ended.out
    assert "rowbook seals key -o FILE" in ended.err
    assert in_json(shell, "runs", "list", "--trust")["runs"] == []


def test_an_export_is_lines_of_json(closed: Shell) -> None:
    ended = closed.run("seals", "export")
    numbers = [json.loads(line)["number"] for line in ended.out.splitlines()]
    assert (ended.code, numbers) == (0, [1, 2])
    ended = closed.run("seals", "export", "--records", "-o", "seals.jsonl")
    assert (ended.code, ended.out) == (0, "wrote seals.jsonl: 2 seals\n")
    lines = (closed.folder / "seals.jsonl").read_text().splitlines()
    assert json.loads(json.loads(lines[1])["record"])["change"][0]["period"] == "2026-02"
