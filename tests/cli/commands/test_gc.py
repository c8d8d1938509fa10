"""`rowbook gc`: what runs left goes, once it is old; nothing of a live run does."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.store.samples import after, completed, failed, started
from tests.support.ledger import in_json, opened
from tests.support.shell import Shell

ID = "01a2b3c4-0000-7000-8000-000000000001"
SANDBOX = f".rowbook/sandbox/{ID}"
DRAFT: dict[str, Any] = {"draft": True, "project_version": None}
WORKSPACE = {"rowbook.yaml": "workspace: {name: acme}\n"}


def put(shell: Shell, place: str, size: int = 10) -> Path:
    """A folder with a file of so many bytes."""
    shell.write({f"{place}/part.parquet": "x" * size})
    return shell.folder / place


def test_without_a_store_there_is_nothing_to_remove(shell: Shell) -> None:
    shell.write(WORKSPACE)
    ended = shell.run("gc")
    assert (ended.code, ended.out, ended.err) == (0, "0 places removed, 0 bytes\n", "")
    assert not (shell.folder / ".rowbook").exists()


def test_the_sandbox_of_an_old_draft_is_removed(shell: Shell) -> None:
    shell.write(WORKSPACE)
    with opened(shell) as store:
        completed(store, ID, **DRAFT)
    sandbox = put(shell, SANDBOX, size=1234)
    ended = shell.run("gc")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        f"removed sandbox of run {ID}: {SANDBOX}  1,234 bytes\n1 place removed, 1,234 bytes\n"
    )
    assert not sandbox.exists()
    assert shell.run("gc").out == "0 places removed, 0 bytes\n"


def test_a_sandbox_that_is_young_stays(shell: Shell) -> None:
    shell.write(WORKSPACE)
    with opened(shell) as store:
        completed(store, ID, **DRAFT)
    sandbox = put(shell, SANDBOX)
    assert in_json(shell, "gc", "--older-than", "36500") == {"removed": [], "bytes": 0, "kept": []}
    assert sandbox.exists()


def test_what_no_recorded_draft_left_stays(shell: Shell) -> None:
    shell.write(WORKSPACE)
    with opened(shell) as store:
        completed(store, "r1")
    places = [put(shell, f".rowbook/sandbox/{name}") for name in ("r1", "unknown")]
    assert in_json(shell, "gc", "--older-than", "0")["removed"] == []
    assert all(place.exists() for place in places)


def test_the_sandbox_of_a_live_draft_is_never_touched(shell: Shell) -> None:
    shell.write(WORKSPACE)
    with opened(shell) as store:
        started(store, ID, **DRAFT)
    sandbox = put(shell, SANDBOX)
    assert in_json(shell, "gc", "--older-than", "0")["removed"] == []
    assert sandbox.exists()


def test_an_old_failure_is_given_up_and_a_young_one_is_not(shell: Shell) -> None:
    shell.write(WORKSPACE)
    with opened(shell) as store:
        failed(store, "r1")
    nothing = {"removed": [], "bytes": 0, "kept": []}
    assert in_json(shell, "gc", "--older-than", "36500") == nothing
    with opened(shell) as store:
        assert store.runs.get("r1").staging == "kept"
    assert in_json(shell, "gc") == nothing
    with opened(shell) as store:
        assert store.runs.get("r1").staging == "removed"


def test_a_failure_that_a_newer_run_made_obsolete_is_given_up_at_once(shell: Shell) -> None:
    shell.write(WORKSPACE)
    with opened(shell) as store:
        failed(store, "r1")
        completed(store, "r2", at=after(600))
    shell.run("gc", "--older-than", "36500")
    with opened(shell) as store:
        assert store.runs.get("r1").staging == "removed"


def test_a_run_at_work_is_not_given_up(shell: Shell) -> None:
    shell.write(WORKSPACE)
    with opened(shell) as store:
        started(store, "r1")
    shell.run("gc", "--older-than", "0")
    with opened(shell) as store:
        assert store.runs.get("r1").staging == "kept"


@pytest.mark.parametrize(
    ("linked", "why"),
    [
        (".rowbook/sandbox", "a link or a file is in the place of a folder"),
        (SANDBOX, "it is a link"),
    ],
)
def test_a_link_that_leads_outside_is_not_followed(linked: str, why: str, shell: Shell) -> None:
    shell.write(WORKSPACE)
    folder = put(shell, f"data/{ID}")
    with opened(shell) as store:
        completed(store, ID, **DRAFT)
    link = shell.folder / linked
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(folder if link.name == ID else folder.parent)
    ended = shell.run("gc")
    assert (ended.code, ended.out) == (1, "0 places removed, 0 bytes\n")
    assert ended.err == f"not removed: sandbox of run {ID}: {SANDBOX}: {why}\n"
    assert folder.exists()


def test_a_negative_age_is_wrong_usage(shell: Shell) -> None:
    shell.write(WORKSPACE)
    assert shell.run("gc", "--older-than", "-1").code == 2


def test_evidence_goes_that_only_old_drafts_read(shell: Shell) -> None:
    read: Any = {
        "writes": [],
        "datasets": [{"locations": [{"contents": [{"digest": "sha256:" + "a" * 64}]}]}],
    }
    shell.write(WORKSPACE)
    with opened(shell) as store:
        lease = started(store, ID)
        with store.writing_as(lease, at=after(1)) as writes:
            writes.record_snapshot(read)
            writes.complete({})
    for name in ("a" * 64, "b" * 64):
        file = shell.folder / ".rowbook" / "evidence" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("content")
        os.utime(file, (0, 0))
    (shell.folder / ".rowbook" / "evidence" / "notes.txt").write_text("mine")
    os.utime(shell.folder / ".rowbook" / "evidence" / "notes.txt", (0, 0))
    found = in_json(shell, "gc", code=1)
    assert found["removed"] == [
        {"run_id": None, "what": "evidence", "place": f".rowbook/evidence/{'b' * 64}", "bytes": 7}
    ]
    assert [each["place"] for each in found["kept"]] == [".rowbook/evidence/notes.txt"]
