"""`rowbook projects history`: active, inactive, in conflict, with who, when and why."""

from __future__ import annotations

import re

import pytest

from tests.support.ledger import FILES, WITHOUT_AMOUNT, active, in_json
from tests.support.shell import Shell


def test_the_history_of_a_project_says_who_when_and_why(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "ann")
    active(shell)
    monkeypatch.setenv("LOGNAME", "ben")
    shell.run("deactivate", "close", "--reason", "a new one comes")
    shell.run("activate", "close")
    found = in_json(shell, "projects", "history", "close")
    assert found["project"] == "close"
    assert all(each.pop("changed_at") for each in found["changes"])
    changes = [tuple(each.values()) for each in found["changes"]]
    assert changes == [
        (1, "active", "ann", None, None),
        (1, "inactive", "ben", "a new one comes", None),
        (1, "active", "ben", None, None),
    ]
    lines = shell.run("projects", "history", "close").out.splitlines()
    cells = [re.split(r"\s{2,}", line.strip()) for line in lines]
    assert cells[0] == ["version", "status", "when (UTC)", "by", "reason"]
    assert cells[3][:2] + cells[3][3:] == ["1", "inactive", "ben", "a new one comes"]


def test_a_conflict_stands_in_the_history_with_what_broke(shell: Shell) -> None:
    active(shell)
    shell.write(WITHOUT_AMOUNT)
    shell.run("apply", "--yes")
    *_, conflict = in_json(shell, "projects", "history", "close")["changes"]
    assert conflict["status"] == "conflict"
    assert conflict["reason"] == "dataset 'gl' version 2: column 'amount' removed"
    assert conflict["report"]


@pytest.mark.parametrize("files", [FILES, {"rowbook.yaml": "workspace: {name: acme}\n"}])
def test_a_project_that_was_never_activated_has_none(files: dict[str, str], shell: Shell) -> None:
    shell.write(files)
    ended = shell.run("projects", "history", "close")
    assert ended.out == ""
    assert ended.err.startswith("PROJECT_008  project 'close' was never activated")
    assert not (shell.folder / ".rowbook").exists()
