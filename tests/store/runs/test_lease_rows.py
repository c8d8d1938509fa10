"""Leases within one transaction: taken, checked, prolonged, given up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import pytest
from sqlalchemy.engine import Connection

from rowbook.store import Lease, LeaseHeldError, LeaseLostError, Sight, Store
from rowbook.store.runs.holders import BLIND
from rowbook.store.runs.lease_rows import (
    check,
    is_live,
    key_of,
    lease_for,
    prolong,
    remove,
    take,
)
from rowbook.store.runs.run_rows import add_run, get_run
from rowbook.store.seals.sealer import Sealer
from tests.store.samples import ANN, AT, BEN, TTL, after, new_draft, new_run

ALIVE, GONE = Sight(lambda _: True), Sight(lambda _: False)
HOUR = 3600


@pytest.fixture
def connection(store: Store) -> Iterator[Connection]:
    """Where the runs r1 and r2 of one period wait, and a draft of it."""
    with store._database.writing("a test") as opened:
        for run in (new_run(), new_run("r2"), new_draft()):
            add_run(opened, run, AT, None)
        yield opened


def taken(
    connection: Connection, run_id: str = "r1", at: datetime = AT, sight: Sight = BLIND
) -> Lease:
    holder = ANN if run_id == "r1" else BEN
    return take(connection, Sealer(), get_run(connection, run_id), holder, at, TTL, sight)


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
    ("seconds", "live"),
    [(59, True), (60, False), (HOUR, False), (-59, True), (-60, False), (-HOUR, False)],
)
def test_of_a_process_elsewhere_a_heartbeat_of_about_now_tells(
    connection: Connection, seconds: float, live: bool
) -> None:
    """A clock that was set back does not keep a dead run alive for an hour."""
    assert is_live(taken(connection), after(seconds), BLIND) is live


@pytest.mark.parametrize("seconds", [0, 60, HOUR, -HOUR])
def test_a_process_that_is_seen_is_alive_or_gone_whatever_the_clock_says(
    connection: Connection, seconds: float
) -> None:
    assert is_live(taken(connection), after(seconds), ALIVE)
    assert not is_live(lease_of_r1(connection), after(seconds), GONE)


@pytest.mark.parametrize("jump", [0, HOUR, -HOUR])
def test_two_processes_of_one_boot_ask_a_clock_that_nobody_sets(
    connection: Connection, jump: float
) -> None:
    """In two containers, say, which do not see each other's processes."""
    lease = taken(connection, sight=Sight(boot="boot", uptime=1000.0))
    assert (lease.uptime, lease.holder.boot) == (1000.0, "boot")
    assert is_live(lease, after(jump), Sight(boot="boot", uptime=1059.0))
    assert not is_live(lease, after(jump), Sight(boot="boot", uptime=1060.0))
    assert is_live(lease, after(jump), Sight(boot="other", uptime=1.0)) is (jump == 0)


def lease_of_r1(connection: Connection) -> Lease:
    found = lease_for(connection, "p1", "2026-01", "")
    assert found is not None
    return found


def test_a_process_that_lives_and_is_silent_is_not_taken_for_dead(connection: Connection) -> None:
    taken(connection)
    with pytest.raises(LeaseHeldError) as refused:
        taken(connection, "r2", after(60), ALIVE)
    (finding,) = refused.value.diagnostics
    assert finding.message.endswith("; it lives, but was last heard of at 10:00:00 UTC")
    assert finding.hint == (
        "see whether process 4242 is stopped or hangs; once it has ended, the project can be run"
        " again at once"
    )


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
        check(connection, first)


def test_a_lease_is_its_holders_until_another_takes_it(connection: Connection) -> None:
    lease = taken(connection)
    later = replace(lease, heartbeat_at=after(HOUR), expires_at=after(HOUR + 60), uptime=7.5)
    prolong(connection, later)
    assert lease_of_r1(connection) == later
    check(connection, lease)


def test_a_lease_is_given_up_once(connection: Connection) -> None:
    lease = taken(connection)
    assert remove(connection, lease)
    assert not remove(connection, lease)
    with pytest.raises(LeaseLostError, match="it was released"):
        check(connection, lease)
