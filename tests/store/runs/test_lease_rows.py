"""Leases within one transaction: taken, checked, prolonged, given up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import pytest
from sqlalchemy.engine import Connection

from rowbook.store import Holder, Lease, LeaseHeldError, LeaseLostError, Store
from rowbook.store.runs.lease_rows import (
    IsGone,
    check,
    is_live,
    key_of,
    lease_for,
    prolong,
    remove,
    take,
)
from rowbook.store.runs.run_rows import add_run, get_run
from tests.store.samples import ANN, AT, BEN, TTL, after, new_draft, new_run


def alive(_: Holder) -> bool:
    return False


def gone(_: Holder) -> bool:
    return True


@pytest.fixture
def connection(store: Store) -> Iterator[Connection]:
    """Where the runs r1 and r2 of one period wait, and a draft of it."""
    with store._database.writing("a test") as opened:
        for run in (new_run(), new_run("r2"), new_draft()):
            add_run(opened, run, AT, None)
        yield opened


def taken(connection: Connection, run_id: str = "r1", at: datetime = AT) -> Lease:
    holder = ANN if run_id == "r1" else BEN
    return take(connection, get_run(connection, run_id), holder, at, TTL, alive)


def test_a_lease_is_found_by_its_project_and_period(connection: Connection) -> None:
    lease = taken(connection)
    assert lease == Lease("p1", "2026-01", "", "r1", 1, ANN, AT, AT, after(60))
    assert lease_for(connection, "p1", "2026-01", "") == lease
    assert lease_for(connection, "p1", "2026-02", "") is None


def test_a_draft_has_a_lease_of_its_own(connection: Connection) -> None:
    assert key_of(get_run(connection, "d1")) == ("p1", "2026-01", "d1")
    taken(connection)
    assert taken(connection, "d1").draft == "d1"


@pytest.mark.parametrize(
    ("seconds", "is_gone", "live"),
    [(59, alive, True), (60, alive, False), (0, gone, False)],
)
def test_a_lease_counts_until_it_expires_or_its_process_is_gone(
    connection: Connection, seconds: float, is_gone: IsGone, live: bool
) -> None:
    assert is_live(taken(connection), after(seconds), is_gone) is live


def test_who_comes_second_is_refused_and_changes_nothing(connection: Connection) -> None:
    lease = taken(connection)
    with pytest.raises(LeaseHeldError) as refused:
        taken(connection, "r2", after(59))
    assert refused.value.lease == lease
    assert lease_for(connection, "p1", "2026-01", "") == lease


def test_an_expired_lease_is_taken_over_with_a_greater_token_and_its_run_has_failed(
    connection: Connection,
) -> None:
    first = taken(connection)
    second = taken(connection, "r2", after(60))
    assert (first.token, second.token) == (1, 2)
    assert lease_for(connection, "p1", "2026-01", "") == second
    failure = get_run(connection, "r1").failure
    assert failure == {
        "code": "RUN_007",
        "message": f"the run was interrupted: {ANN} ended or fell silent",
    }
    with pytest.raises(LeaseLostError, match=r"run r2 has taken over \(.*ben.*\)"):
        check(connection, first, after(60))


def test_a_lease_holds_until_the_moment_it_expires(connection: Connection) -> None:
    lease = taken(connection)
    check(connection, lease, after(59))
    with pytest.raises(LeaseLostError, match="it expired at 10:01:00 UTC"):
        check(connection, lease, after(60))
    prolong(connection, lease, after(59), after(119))
    check(connection, lease, after(118))
    found = lease_for(connection, "p1", "2026-01", "")
    assert found == replace(lease, heartbeat_at=after(59), expires_at=after(119))


def test_a_lease_is_given_up_once(connection: Connection) -> None:
    lease = taken(connection)
    assert remove(connection, lease)
    assert not remove(connection, lease)
    with pytest.raises(LeaseLostError, match="it was released"):
        check(connection, lease, AT)
