"""One writer of a table at a time: a lock lives and dies with the lease of its run."""

from __future__ import annotations

import pytest

from rowbook.store import Lease, LeaseLostError, Sight, Store, TableWriter
from tests.store.forking import Forks
from tests.store.places import Place
from tests.store.samples import ANN, AT, BEN, TIMINGS, TTL, after, begun, new_run, started

GL = "/lake/gl"


def other(store: Store, run_id: str = "r2") -> Lease:
    """A run of another project, which may write to the same tables."""
    run = new_run(run_id, project_id="p2", project_name="budget")
    return store.leases.begin(run, BEN, at=AT, ttl=TTL)


def writer(store: Store, lease: Lease, seconds: float = 1, key: str = GL) -> TableWriter | None:
    return store.table_locks.take(lease, key, at=after(seconds))


def test_who_comes_second_is_told_who_writes(store: Store) -> None:
    first, second = begun(store), other(store)
    assert writer(store, first) is None
    found = writer(store, second)
    assert found is not None
    assert found.lease == first
    assert str(found) == "run r1 of project 'close' for 2026-01 (ann on host7, process 4242)"
    assert writer(store, second, key="/lake/budget") is None
    store.table_locks.release(first, GL)
    assert writer(store, second) is None


def test_the_heartbeat_of_a_run_prolongs_its_locks(store: Store) -> None:
    first, second = begun(store), other(store)
    assert writer(store, first) is None
    store.leases.heartbeat(first, at=after(50), ttl=TTL)
    found = writer(store, second, 109)
    assert found is not None
    assert found.lease is not None
    assert found.lease.heartbeat_at == after(50)


def test_of_a_dead_run_it_is_said_that_nobody_lives_who_holds_the_table(store: Store) -> None:
    first, second = begun(store), other(store)
    assert writer(store, first) is None
    found = writer(store, second, 60)
    assert found is not None
    assert (found.run.id, found.lease) == ("r1", None)
    gone = store.table_locks.take(second, GL, at=AT, sight=Sight(lambda holder: holder != ANN))
    assert gone == found


def test_who_takes_the_lease_of_a_dead_run_ends_its_locks(store: Store) -> None:
    """The dead one may wake up: it finds its lease lost, and gives nothing back."""
    first, second = begun(store), other(store)
    assert writer(store, first) is None
    recovered = store.leases.recover("r1", BEN, at=after(60), ttl=TTL)
    assert writer(store, second, 61) is None
    store.leases.release(recovered, at=after(61))
    with pytest.raises(LeaseLostError):
        writer(store, first, 61)
    store.table_locks.release(first, GL)
    third = other_period(store)
    found = writer(store, third, 62)
    assert found is not None
    assert found.run.id == "r2"


def other_period(store: Store) -> Lease:
    return store.leases.begin(new_run("r3", period="2026-03"), ANN, at=after(61), ttl=TTL)


def test_a_lock_ends_with_its_run(store: Store) -> None:
    first, second = started(store), other(store)
    assert writer(store, first) is None
    with store.writing_as(first, at=after(1)) as writes:
        writes.complete(TIMINGS)
    assert writer(store, second) is None


def test_a_publication_that_is_not_settled_keeps_others_from_the_table(store: Store) -> None:
    """Its process may be asleep with all that it needs to publish."""
    first, second = started(store), other(store)
    with store.writing_as(first, at=after(1)) as writes:
        intent = writes.intend(30, "data/gl", GL, {})
    store.leases.release(first, at=after(2))
    found = writer(store, second)
    assert found is not None
    assert (found.run.id, found.lease) == ("r1", None)
    assert str(found) == "run r1 of project 'close' for 2026-01"
    recovered = store.leases.recover("r1", BEN, at=after(3), ttl=TTL)
    with store.writing_as(recovered, at=after(3)) as writes:
        writes.settle(intent, "undone")
    assert writer(store, second, 4) is None


def test_the_publication_of_a_run_is_not_in_its_own_way(store: Store) -> None:
    first = started(store)
    with store.writing_as(first, at=after(1)) as writes:
        writes.intend(30, "data/gl", GL, {})
    assert writer(store, first) is None


def test_of_eight_processes_that_take_a_table_at_once_exactly_one_does(
    place: Place, forks: Forks
) -> None:
    ended = forks.at_once("take_table", place, [{"me": n} for n in range(8)])
    assert [e.error for e in ended] == [None] * 8
    assert sorted(str(e.result) for e in ended)[:-7] == ["None"]
    (winner,) = (n for n, e in enumerate(ended) if e.result is None)
    assert {e.result for e in ended if e.result} == {f"r{winner}"}
