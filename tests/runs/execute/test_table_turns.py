"""The turns of runs that write to one table, without any rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.runs.execute.heartbeat import Heartbeat
from rowbook.runs.execute.table_turns import TableTurns
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.publishing.exchange import beside
from rowbook.sources.publishing.marks import mark
from rowbook.store import Holder, Lease, from_this_machine, this_process
from tests.sources.tables import names_in
from tests.store.samples import TTL, intents_of, new_run

ELSEWHERE = Holder("host8", "another boot", 17, "200", "ben")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[OpenWorkspace]:
    (tmp_path / "rowbook.yaml").write_text("workspace: {name: acme}\n", encoding="utf-8")
    (tmp_path / "lake").mkdir()
    with OpenWorkspace(tmp_path) as opened:
        yield opened


@pytest.fixture
def target(tmp_path: Path) -> FileTarget:
    return FileTarget("parquet", tmp_path / "lake" / "gl", label="lake/gl")


def begun(workspace: OpenWorkspace, run_id: str, holder: Holder, seconds: float = 0) -> Lease:
    """A run of a project of its own, whose last heartbeat is so long ago."""
    run = new_run(run_id, project_id=f"p-{run_id}", project_name=f"of {run_id}")
    at, sight = at_present() - timedelta(seconds=seconds), from_this_machine()
    lease = workspace.store.leases.begin(run, holder, at=at, ttl=TTL, sight=sight)
    with workspace.store.writing_as(lease, at=at) as writes:
        writes.start({"writes": []})
    return lease


def turns(workspace: OpenWorkspace, said: list[str]) -> TableTurns:
    lease = begun(workspace, "mine", this_process())
    return TableTurns(workspace, Heartbeat(workspace.store, lease), said.append)


def take(workspace: OpenWorkspace, lease: Lease, target: FileTarget) -> None:
    assert workspace.store.table_locks.take(lease, target.key, at=at_present()) is None


def test_a_table_is_held_for_the_time_of_a_turn(
    workspace: OpenWorkspace, target: FileTarget
) -> None:
    mine, other = turns(workspace, []), begun(workspace, "other", this_process())
    with mine.turn(target) as has_turn:
        assert has_turn
        writer = workspace.store.table_locks.take(other, target.key, at=at_present())
        assert str(writer) == mine.writer
        assert mine.writer == f"run mine of project 'of mine' for 2026-01 ({this_process()})"
    take(workspace, other, target)


def test_a_live_writer_is_named_once_and_given_up_in_the_end(
    workspace: OpenWorkspace, target: FileTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROWBOOK_WAIT_SECONDS", "1.4")
    said: list[str] = []
    mine = turns(workspace, said)
    take(workspace, begun(workspace, "other", ELSEWHERE), target)
    with pytest.raises(RowbookError, match="OUTPUT_006  lake/gl is being written by run other"):
        mine.turn(target).__enter__()
    who = "run other of project 'of other' for 2026-01 (ben on host8, process 17)"
    assert said == [f"waiting for {who}, which writes to lake/gl"]


def test_a_run_that_is_cancelled_waits_no_longer(
    workspace: OpenWorkspace, target: FileTarget
) -> None:
    mine = turns(workspace, [])
    take(workspace, begun(workspace, "other", ELSEWHERE), target)
    mine.beat.cancelled = True
    with pytest.raises(RowbookError, match="RUN_009"):
        mine.turn(target).__enter__()


GONE = replace(this_process(), started="1")
DEAD = "0199a000-0000-7000-8000-00000000dead"


@pytest.mark.parametrize(("holder", "seconds"), [(GONE, 0), (ELSEWHERE, 61)])
def test_of_a_dead_writer_what_it_staged_is_taken_away_before_the_next_one_writes(
    workspace: OpenWorkspace, target: FileTarget, holder: Holder, seconds: float
) -> None:
    """It may only sleep, elsewhere: when it wakes up it has nothing to publish."""
    dead = begun(workspace, DEAD, holder, seconds)
    take(workspace, dead, target)
    staged = beside(target.path, "staging", DEAD)
    staged.mkdir()
    mark(staged, DEAD, 30)
    with workspace.store.writing_as(dead, at=at_present()) as writes:
        details = {"target": target.as_json(), "output": {}}
        writes.intend(30, target.label, target.key, details)
    with turns(workspace, []).turn(target):
        assert names_in(target.path.parent) == []
    assert workspace.store.runs.get(DEAD).status == "failed"
    assert [each.state for each in intents_of(workspace.store, DEAD)] == ["undone"]
    with pytest.raises(RowbookError, match="RUN_004"):
        take(workspace, dead, target)
