"""Whether a run would do again what the last one did: runs are recorded here, none is executed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rowbook import Workspace
from rowbook.runs.chains.last_run import LastRun, compare_with_last_run
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present, lease_time
from rowbook.runs.prepare.new_run import new_run
from rowbook.runs.prepare.project_version import choose_version
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import resolve_run
from rowbook.runs.prepare.run_snapshot import take_snapshot
from rowbook.store import from_this_machine, this_process
from tests.runs.chains.ledgers import FILES, make_active_ledgers, project
from tests.support.write_files import write_files

INBOX = "data/inbox/gl/2026-01.csv"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[OpenWorkspace]:
    with OpenWorkspace(make_active_ledgers(tmp_path, "convert")) as found:
        yield found


def request(workspace: OpenWorkspace, now: str | None = None, *, draft: bool = False) -> Request:
    return choose_version(workspace, "convert", "2026-01", None, now, draft=draft)


def record(workspace: OpenWorkspace, asked: Request) -> str:
    """A run that completed, with the digests of what it read."""
    store = workspace.store
    lease = store.leases.begin(
        new_run(asked), this_process(), at=at_present(), ttl=lease_time(), sight=from_this_machine()
    )
    with store.writing_as(lease, at=at_present()) as writes:
        writes.start(take_snapshot(resolve_run(asked).with_fingerprints()))
        writes.complete({})
    return asked.context.run_id


def test_a_project_without_a_completed_run_never_ran(workspace: OpenWorkspace) -> None:
    record(workspace, request(workspace, draft=True))
    found = compare_with_last_run(workspace, request(workspace))
    assert found == LastRun(None, "it never ran for 2026-01")


def test_nothing_changed(workspace: OpenWorkspace) -> None:
    run_id = record(workspace, request(workspace))
    assert compare_with_last_run(workspace, request(workspace)) == LastRun(run_id, None)


def test_a_file_with_other_rows_is_a_change(workspace: OpenWorkspace) -> None:
    run_id = record(workspace, request(workspace))
    write_files(workspace.root, {INBOX: "account,amount\n4000,11.50\n"})
    found = compare_with_last_run(workspace, request(workspace))
    assert found == LastRun(run_id, f"gl/2026-01.csv of dataset 'gl': {INBOX} changed")


def test_a_file_that_was_written_again_with_the_same_rows_is_none(workspace: OpenWorkspace) -> None:
    run_id = record(workspace, request(workspace))
    (workspace.root / INBOX).unlink()
    write_files(workspace.root, {INBOX: FILES[INBOX]})
    assert compare_with_last_run(workspace, request(workspace)) == LastRun(run_id, None)


def test_another_version_of_the_project_is_a_change(workspace: OpenWorkspace) -> None:
    run_id = record(workspace, request(workspace))
    changed = project("convert", "gl", "amount * 3", "converted", "texts")
    write_files(workspace.root, {"projects/convert.yaml": changed})
    Workspace.open(workspace.root).activate("convert")
    found = compare_with_last_run(workspace, request(workspace))
    assert found == LastRun(run_id, "version 2 of it did not run yet")


def test_another_resolver_is_a_change(workspace: OpenWorkspace) -> None:
    run_id = record(workspace, request(workspace))
    resolver = FILES["resolvers/inbox.yaml"].replace("one file a month", "a file a month")
    write_files(workspace.root, {"resolvers/inbox.yaml": resolver})
    Workspace.open(workspace.root).apply()
    found = compare_with_last_run(workspace, request(workspace))
    assert found == LastRun(run_id, "what it uses was changed")


def test_the_clock_counts_where_it_was_asked_for(workspace: OpenWorkspace) -> None:
    run_id = record(workspace, request(workspace, "2026-02-01T08:00:00Z"))
    later = request(workspace, "2026-02-01T09:00:00Z")
    assert compare_with_last_run(workspace, later) == LastRun(run_id, None)
    found = compare_with_last_run(workspace, later, with_clock=True)
    assert found == LastRun(run_id, "its clock is another")


def test_data_that_is_gone_is_for_the_run_to_say(workspace: OpenWorkspace) -> None:
    run_id = record(workspace, request(workspace))
    (workspace.root / INBOX).unlink()
    found = compare_with_last_run(workspace, request(workspace))
    assert found.run_id == run_id
    assert found.why is not None
    assert found.why.startswith("gl/2026-01.csv of dataset 'gl':")
