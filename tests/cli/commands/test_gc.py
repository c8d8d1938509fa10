"""`rowbook gc`: what runs left goes, once it is old; nothing of a live run does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rowbook.store import Store
from tests.store.samples import AT, FAILURE, TIMINGS, after, completed, started
from tests.support.ledger import in_json, opened
from tests.support.shell import Shell

DRAFT: dict[str, Any] = {"draft": True, "project_version": None}
WORKSPACE = {"rowbook.yaml": "workspace: {name: acme}\n"}


def put(shell: Shell, place: str, size: int = 10) -> Path:
    """A folder with a file of so many bytes."""
    shell.write({f"{place}/part.parquet": "x" * size})
    return shell.folder / place


def staged(store: Store, run_id: str, place: str) -> None:
    """A run that failed after it staged data."""
    lease = started(store, run_id)
    with store.writing_as(lease, at=AT) as writes:
        writes.add_point(10, place, {}, {})
        writes.fail(FAILURE, TIMINGS)


def test_without_a_store_there_is_nothing_to_remove(shell: Shell) -> None:
    shell.write(WORKSPACE)
    ended = shell.run("gc")
    assert (ended.code, ended.out, ended.err) == (0, "0 folders removed, 0 bytes\n", "")
    assert not (shell.folder / ".rowbook").exists()


def test_the_sandbox_of_an_old_draft_is_removed(shell: Shell) -> None:
    shell.write(WORKSPACE)
    with opened(shell) as store:
        completed(store, "d1", **DRAFT)
    sandbox = put(shell, ".rowbook/sandbox/d1", size=1234)
    ended = shell.run("gc")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "removed sandbox of run d1: .rowbook/sandbox/d1  1,234 bytes\n"
        "1 folder removed, 1,234 bytes\n"
    )
    assert not sandbox.exists()
    assert shell.run("gc").out == "0 folders removed, 0 bytes\n"


def test_a_sandbox_that_is_young_stays(shell: Shell) -> None:
    shell.write(WORKSPACE)
    with opened(shell) as store:
        completed(store, "d1", **DRAFT)
    sandbox = put(shell, ".rowbook/sandbox/d1")
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
        started(store, "d1", **DRAFT)
    sandbox = put(shell, ".rowbook/sandbox/d1")
    assert in_json(shell, "gc", "--older-than", "0")["removed"] == []
    assert sandbox.exists()


def test_staged_data_of_an_old_failure_is_removed_and_forgotten(shell: Shell) -> None:
    shell.write(WORKSPACE)
    place = ".rowbook/staging/r1/10"
    with opened(shell) as store:
        staged(store, "r1", place)
    folder = put(shell, place, size=77)
    assert in_json(shell, "gc") == {
        "removed": [{"run_id": "r1", "what": "staging", "place": place, "bytes": 77}],
        "bytes": 77,
        "kept": [],
    }
    assert not folder.exists()
    with opened(shell) as store:
        assert (store.runs.points("r1"), store.runs.get("r1").staging) == ((), "removed")


def test_staged_data_that_a_newer_run_made_obsolete_goes_at_once(shell: Shell) -> None:
    shell.write(WORKSPACE)
    with opened(shell) as store:
        staged(store, "r1", ".rowbook/staging/r1/10")
        completed(store, "r2", at=after(600))
    folder = put(shell, ".rowbook/staging/r1/10")
    assert [r["run_id"] for r in in_json(shell, "gc", "--older-than", "36500")["removed"]] == ["r1"]
    assert not folder.exists()


def test_staged_data_of_a_run_at_work_stays(shell: Shell) -> None:
    shell.write(WORKSPACE)
    with opened(shell) as store:
        lease = started(store, "r1")
        with store.writing_as(lease, at=AT) as writes:
            writes.add_point(10, ".rowbook/staging/r1/10", {}, {})
    folder = put(shell, ".rowbook/staging/r1/10")
    assert in_json(shell, "gc", "--older-than", "0")["removed"] == []
    assert folder.exists()


@pytest.mark.parametrize("place", ["data/lake", "../outside", ".rowbook/../data/lake", ".rowbook"])
def test_nothing_outside_the_state_folder_is_removed(place: str, shell: Shell) -> None:
    shell.write(WORKSPACE)
    folder = put(shell, "data/lake")
    with opened(shell) as store:
        staged(store, "r1", place)
    ended = shell.run("gc")
    assert ended.code == 1
    assert ended.out == "0 folders removed, 0 bytes\n"
    assert ended.err == (f"not removed: staging of run r1: {place}: it is not below .rowbook/\n")
    assert folder.exists()
    assert (shell.folder / ".rowbook" / "store.db").exists()
    with opened(shell) as store:
        assert len(store.runs.points("r1")) == 1


def test_a_link_that_leads_outside_is_not_followed(shell: Shell) -> None:
    shell.write(WORKSPACE)
    folder = put(shell, "data/lake")
    with opened(shell) as store:
        staged(store, "r1", ".rowbook/link/lake")
    (shell.folder / ".rowbook" / "link").symlink_to(shell.folder / "data")
    assert shell.run("gc").code == 1
    assert folder.exists()


def test_a_negative_age_is_wrong_usage(shell: Shell) -> None:
    shell.write(WORKSPACE)
    assert shell.run("gc", "--older-than", "-1").code == 2
