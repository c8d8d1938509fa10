"""One run at a time, and who lost its lease writes nothing."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from rowbook.errors import RowbookError
from rowbook.store import (
    Lease,
    LeaseHeldError,
    LeaseLostError,
    Sight,
    Store,
    from_this_machine,
    open_store,
    this_process,
)
from rowbook.store.runs.holders import _started
from tests.store.forking import Forks
from tests.store.places import Place
from tests.store.samples import (
    ANN,
    AT,
    BEN,
    FAILURE,
    TIMINGS,
    TTL,
    after,
    begun,
    intents_of,
    lease_of,
    new_draft,
    new_run,
    started,
)


def writes_nothing(store: Store, lease: Lease, seconds: float) -> str:
    """Tries each kind of write; gives why it is refused."""
    before = store.runs.record(lease.run_id)
    whys = set()
    for verb, arguments in (
        ("start", ({},)),
        ("record_step", (1, {})),
        ("record_output", (1, {})),
        ("warn", ({},)),
        ("intend", (1, "out", "staging", {})),
        ("complete", ({},)),
        ("fail", ({}, {})),
        ("cancel", ({},)),
    ):
        with (
            pytest.raises(LeaseLostError) as lost,
            store.writing_as(lease, at=after(seconds)) as writes,
        ):
            getattr(writes, verb)(*arguments)
        whys.add(lost.value.diagnostics[0].message)
    assert store.runs.record(lease.run_id) == before
    assert intents_of(store, lease.run_id) == ()
    (why,) = whys
    return why


def test_a_second_run_is_refused_with_who_holds_the_lease(store: Store) -> None:
    begun(store)
    with pytest.raises(LeaseHeldError) as refused:
        begun(store, "r2", at=after(59))
    assert refused.value.lease.holder == ANN
    (finding,) = refused.value.diagnostics
    assert (finding.code, finding.message) == (
        "RUN_003",
        "project 'close' is being run for 2026-01 by ann on host7, process 4242"
        " (run r1, since 2026-02-03 10:00:00 UTC)",
    )
    assert [run.id for run in store.runs.newest()] == ["r1"]


def test_other_projects_other_periods_and_drafts_are_not_in_the_way(store: Store) -> None:
    begun(store)
    begun(store, "r2", period="2026-02")
    begun(store, "r3", project_id="p2", project_name="budget")
    for run_id in ("d1", "d2"):
        store.leases.begin(new_draft(run_id), ANN, at=AT, ttl=TTL)
    assert len(store.runs.newest()) == 5


def test_tokens_grow_with_every_lease(store: Store) -> None:
    tokens = [begun(store, f"r{n}", period=f"2026-{n:02}").token for n in (1, 2, 3)]
    released = begun(store, "r4", period="2026-04")
    store.leases.release(released, at=AT)
    tokens += [released.token, begun(store, "r5", period="2026-04").token]
    assert tokens == sorted(set(tokens))


def test_a_heartbeat_prolongs_a_lease(store: Store) -> None:
    lease = begun(store)
    beat = store.leases.heartbeat(lease, at=after(50), ttl=TTL)
    assert beat.lease == replace(lease, heartbeat_at=after(50), expires_at=after(110))
    assert lease_of(store, "r1") == beat.lease
    with store.writing_as(lease, at=after(100)) as writes:
        writes.start({})


@pytest.mark.parametrize("jump", [3600, -3600])
def test_a_clock_that_is_set_fails_no_run(store: Store, jump: float) -> None:
    """It finds its lease expired, or from the future; nobody took it, so it goes on."""
    lease = started(store)
    with store.writing_as(lease, at=after(jump)) as writes:
        writes.warn({})
    beat = store.leases.heartbeat(lease, at=after(jump), ttl=TTL)
    assert beat.lease.expires_at == after(jump + 60)
    with pytest.raises(LeaseHeldError):
        begun(store, "r2", at=after(jump + 59))
    with store.writing_as(lease, at=after(jump + 61)) as writes:
        writes.complete(TIMINGS)


@pytest.mark.parametrize("pid", [os.getpid(), os.getppid()], ids=["this one", "its parent"])
@pytest.mark.parametrize("jump", [0, 60, 3600, -3600])
def test_a_process_that_lives_on_this_machine_is_alive_whatever_the_clock_says(
    store: Store, jump: float, pid: int
) -> None:
    holder, sight = replace(this_process(), pid=pid, started=_started(pid)), from_this_machine()
    lease = store.leases.begin(new_run(), holder, at=AT, ttl=TTL, sight=sight)
    assert store.leases.dead_runs(at=after(jump), sight=sight) == ()
    with pytest.raises(LeaseHeldError) as refused:
        store.leases.begin(new_run("r2"), BEN, at=after(jump), ttl=TTL, sight=sight)
    assert "last heard of" not in refused.value.diagnostics[0].message
    assert lease_of(store, "r1") == lease


@pytest.mark.parametrize("jump", [0, 3600, -3600])
def test_a_process_that_ended_on_this_machine_is_dead_whatever_the_clock_says(
    store: Store, jump: float
) -> None:
    gone = replace(this_process(), started="1")
    store.leases.begin(new_run(), gone, at=AT, ttl=TTL, sight=from_this_machine())
    dead = store.leases.dead_runs(at=after(jump), sight=from_this_machine())
    assert [run.id for run in dead] == ["r1"]


@pytest.mark.postgres
def test_between_machines_the_clock_of_the_server_decides(postgres: Place) -> None:
    """Whatever the two that ask think what time it is."""
    with open_store(postgres.address, postgres.password) as store:
        lease = store.leases.begin(new_run(), ANN, at=after(-3600), ttl=TTL)
        assert abs(lease.heartbeat_at - datetime.now(UTC)) < timedelta(seconds=50)
        beat = store.leases.heartbeat(lease, at=after(-3600), ttl=TTL)
        assert beat.lease.heartbeat_at > lease.heartbeat_at
        assert store.leases.dead_runs(at=after(10**8)) == ()
        with pytest.raises(LeaseHeldError):
            store.leases.begin(new_run("r2"), BEN, at=after(10**8), ttl=TTL)
        assert store.runs.get("r1").created_at == after(-3600)


def test_a_dead_runs_lease_is_taken_over_and_the_run_marked_as_failed(store: Store) -> None:
    old = started(store)
    new = store.leases.begin(new_run("r2"), BEN, at=after(60), ttl=TTL)
    assert new.token > old.token
    run = store.runs.get("r1")
    assert (run.status, run.finished_at, run.staging) == ("failed", after(60), "kept")
    assert run.failure == {
        "code": "RUN_007",
        "message": "the run was interrupted: ann on host7, process 4242 ended or fell silent",
    }
    why = writes_nothing(store, old, 1)
    assert why == (
        "run r1 lost its lease for 2026-01: run r2 has taken over (ben on host8, process 17)"
    )
    with pytest.raises(LeaseLostError):
        store.leases.heartbeat(old, at=after(1), ttl=TTL)
    assert store.leases.release(old, at=after(61)) is False
    assert lease_of(store, "r2") == new


def test_a_process_that_is_known_to_be_gone_is_not_waited_for(store: Store) -> None:
    started(store)
    with pytest.raises(LeaseHeldError):
        store.leases.begin(
            new_run("r2"), BEN, at=after(1), ttl=TTL, sight=Sight(lambda h: h == ANN)
        )
    store.leases.begin(new_run("r2"), BEN, at=after(1), ttl=TTL, sight=Sight(lambda h: h != ANN))
    assert store.runs.get("r1").status == "failed"


def test_a_lease_ends_with_its_run(store: Store) -> None:
    for n, (verb, arguments) in enumerate(
        [("complete", (TIMINGS,)), ("fail", (FAILURE, TIMINGS)), ("cancel", (TIMINGS,))]
    ):
        lease = started(store, f"r{n}")
        with store.writing_as(lease, at=AT) as writes:
            getattr(writes, verb)(*arguments)
        assert lease_of(store, f"r{n}") is None
        assert writes_nothing(store, lease, 1).endswith("it was released")


def test_a_run_that_is_given_up_has_failed(store: Store) -> None:
    lease = started(store)
    assert store.leases.release(lease, at=after(5)) is True
    assert store.leases.release(lease, at=after(6)) is False
    run = store.runs.get("r1")
    assert (run.status, run.finished_at) == ("failed", after(5))
    assert run.failure is not None
    assert run.failure["message"] == "the run was given up by ann on host7, process 4242"


def test_of_eight_processes_that_begin_at_once_exactly_one_does(place: Place, forks: Forks) -> None:
    ended = forks.at_once("begin", place, [{"me": n} for n in range(8)])
    assert sorted(e.error or "" for e in ended) == ["", *["LeaseHeldError"] * 7]
    (winner,) = (n for n, e in enumerate(ended) if e.error is None)
    assert all(f"(run r{winner}, since" in e.text for e in ended if e.error)
    with place.open() as store:
        assert [run.id for run in store.runs.newest()] == [f"r{winner}"]


def test_of_eight_processes_that_take_over_at_once_exactly_one_does(
    place: Place, forks: Forks
) -> None:
    with place.open() as store:
        dead = started(store, "dead")
        ended = forks.at_once("take_over", place, [{"me": n} for n in range(8)])
        assert sorted(e.error or "" for e in ended) == ["", *["LeaseHeldError"] * 7]
        (token,) = (e.result for e in ended if e.error is None)
        assert token > dead.token
        assert store.runs.get("dead").status == "failed"


def test_eight_projects_run_side_by_side(place: Place, forks: Forks) -> None:
    ended = forks.at_once("begin_other", place, [{"me": n} for n in range(8)])
    assert [e.text for e in ended] == [""] * 8
    assert sorted(e.result for e in ended) == list(range(1, 9))
    with place.open() as store:
        for n in range(8):
            warnings = store.runs.record(f"r{n}").warnings
            assert [w.warning for w in warnings] == [{"n": i} for i in range(5)]


def test_a_heartbeat_from_a_thread_and_the_run_share_a_store(store: Store) -> None:
    lease = started(store)
    failures: list[BaseException] = []

    def beat() -> None:
        try:
            for _ in range(20):
                store.leases.heartbeat(lease, at=after(1), ttl=TTL)
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=beat)
    thread.start()
    for n in range(20):
        with store.writing_as(lease, at=after(1)) as writes:
            writes.warn({"n": n})
    thread.join()
    assert failures == []
    assert len(store.runs.record("r1").warnings) == 20


def test_a_lease_that_nobody_has_is_refused(store: Store) -> None:
    lease = begun(store)
    forged = replace(lease, token=lease.token + 1)
    with pytest.raises(RowbookError, match="RUN_004"), store.writing_as(forged, at=AT):
        pass
