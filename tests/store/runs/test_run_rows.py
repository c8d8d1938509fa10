"""Rows of runs: which status may follow which, and what a row says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy.engine import Connection

from rowbook.errors import RowbookError
from rowbook.store import Store
from rowbook.store.runs.run_records import CancelRequest, RunStatus
from rowbook.store.runs.run_rows import add_run, get_run, interrupt, move_run, update_run
from rowbook.store.seals.sealer import Sealer
from tests.store.samples import AT, after, new_run

ALL: tuple[RunStatus, ...] = ("queued", "running", "completed", "failed", "cancelled", "waiting")
LEGAL = {
    ("queued", "running"),
    ("queued", "failed"),
    ("queued", "cancelled"),
    ("running", "completed"),
    ("running", "failed"),
    ("running", "cancelled"),
    ("running", "waiting"),
    ("waiting", "running"),
    ("waiting", "cancelled"),
    ("failed", "running"),
    ("failed", "completed"),
}


@pytest.fixture
def connection(store: Store) -> Iterator[Connection]:
    """Where the run r1 waits."""
    with store._database.writing("a test") as opened:
        add_run(opened, new_run(), AT, None)
        yield opened


def test_a_run_that_waits_writes_into_its_own_period_unless_more_are_named(
    connection: Connection,
) -> None:
    add_run(connection, new_run("r2", writes_into=("2026-01", "2026-Q1")), AT, "late invoice")
    first, second = get_run(connection, "r1"), get_run(connection, "r2")
    assert (first.status, first.writes_into, first.reopened) == ("queued", ("2026-01",), None)
    assert (second.writes_into, second.reopened) == (("2026-01", "2026-Q1"), "late invoice")
    assert (first.staging, first.created_at, first.started_at) == ("kept", AT, None)


@pytest.mark.parametrize("now", ALL)
def test_only_some_status_may_follow_another(connection: Connection, now: RunStatus) -> None:
    for status in ALL:
        update_run(connection, "r1", status=now)
        before = get_run(connection, "r1")
        if (now, status) in LEGAL:
            move_run(connection, before, status)
            assert get_run(connection, "r1").status == status
        else:
            with pytest.raises(RowbookError) as refused:
                move_run(connection, before, status)
            assert str(refused.value) == f"RUN_005  run r1 is {now} and cannot become {status}"


@pytest.mark.parametrize(
    ("now", "then"),
    [("queued", "failed"), ("running", "failed"), ("completed", "completed")],
)
def test_a_run_whose_process_ended_has_failed_unless_it_had_ended(
    connection: Connection, now: RunStatus, then: RunStatus
) -> None:
    update_run(connection, "r1", status=now)
    now_run, why = get_run(connection, "r1"), "its process is gone"
    interrupt(connection, Sealer(), now_run, after(5), why, by="ann")
    found = get_run(connection, "r1")
    assert found.status == then
    if then == "failed":
        assert found.failure == {"code": "RUN_007", "message": "its process is gone"}
        assert found.finished_at == after(5)


def test_a_request_to_cancel_is_one_value(connection: Connection) -> None:
    assert get_run(connection, "r1").cancel_requested is None
    update_run(connection, "r1", cancel_requested_at=after(3), cancel_requested_by="ben")
    assert get_run(connection, "r1").cancel_requested == CancelRequest(after(3), "ben")


def test_a_run_that_is_not_there_is_refused(connection: Connection) -> None:
    with pytest.raises(RowbookError, match="RUN_006  there is no run r9"):
        get_run(connection, "r9")
