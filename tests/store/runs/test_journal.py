"""The publishing journal, and what is done about runs that died."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rowbook.errors import RowbookError
from rowbook.store import Intent, Lease, LeaseHeldError, Outcome, Sight, Store
from tests.store.samples import (
    ANN,
    AT,
    BEN,
    FAILURE,
    TIMINGS,
    TTL,
    after,
    begun,
    failed,
    intents_of,
    lease_of,
    new_draft,
    new_run,
)
from tests.store.samples import started as start


def announced(store: Store, lease: Lease, seq: int = 4) -> int:
    with store.writing_as(lease, at=after(1)) as writes:
        return writes.intend(seq, "lake/out", "lake/.out.staging-r1", {"mode": "replace"})


def settle(store: Store, lease: Lease, intent: int, outcome: Outcome, seconds: float = 2) -> None:
    with store.writing_as(lease, at=after(seconds)) as writes:
        writes.settle(intent, outcome)


def dead(store: Store, seconds: float) -> list[str]:
    return [run.id for run in store.leases.dead_runs(at=after(seconds))]


@pytest.mark.parametrize("outcome", ["done", "undone"])
def test_a_publication_is_announced_and_settled(outcome: Outcome, store: Store) -> None:
    lease = start(store)
    number = announced(store, lease)
    (intent,) = store.journal.unsettled(lease)
    assert intent == Intent(
        number,
        "r1",
        4,
        "lake/out",
        "lake/.out.staging-r1",
        {"mode": "replace"},
        "intended",
        after(1),
        None,
    )
    settle(store, lease, number, outcome)
    assert store.journal.unsettled(lease) == ()
    (intent,) = intents_of(store, "r1")
    assert (intent.state, intent.settled_at) == (outcome, after(2))


def test_a_publication_is_settled_once(store: Store) -> None:
    lease = start(store)
    number = announced(store, lease)
    settle(store, lease, number, "done")
    with pytest.raises(ValueError, match="was settled before"):
        settle(store, lease, number, "undone")
    assert [i.state for i in intents_of(store, "r1")] == ["done"]


def test_nobody_settles_what_belongs_to_another_period(store: Store) -> None:
    number = announced(store, start(store))
    other = start(store, "r2", period="2026-02")
    with pytest.raises(ValueError, match="does not belong to run r2"):
        settle(store, other, number, "done")
    assert store.journal.unsettled(other) == ()


def test_a_run_with_unsettled_publications_does_not_complete(store: Store) -> None:
    lease = start(store)
    announced(store, lease)
    with (
        pytest.raises(ValueError, match="not settled"),
        store.writing_as(lease, at=after(2)) as writes,
    ):
        writes.complete(TIMINGS)
    assert store.runs.get("r1").status == "running"


def test_a_live_run_needs_no_recovery(store: Store) -> None:
    lease = start(store)
    announced(store, lease)
    assert dead(store, 59) == []
    assert dead(store, 60) == ["r1"]
    gone = Sight(lambda holder: holder != ANN)
    assert [r.id for r in store.leases.dead_runs(at=AT, sight=gone)] == ["r1"]


def test_who_asks_for_the_dead_runs_of_one_user_gets_no_others(store: Store) -> None:
    announced(store, start(store))
    again = replace(ANN, machine="boot 9", pid=1)
    assert [r.id for r in store.leases.dead_runs(at=after(60), of=again)] == ["r1"]
    assert store.leases.dead_runs(at=after(60), of=BEN) == ()
    assert store.leases.dead_runs(at=after(60), of=replace(ANN, host=BEN.host)) == ()


def test_a_run_whose_lease_is_gone_is_nobodys(store: Store) -> None:
    lease = start(store)
    announced(store, lease)
    store.leases.release(lease, at=after(2))
    assert dead(store, 60) == ["r1"]
    assert store.leases.dead_runs(at=after(60), of=ANN) == ()


def test_a_run_that_died_before_it_started_needs_recovery(store: Store) -> None:
    begun(store)
    assert dead(store, 60) == ["r1"]


def test_recovering_marks_the_run_and_settles_what_it_left(store: Store) -> None:
    number = announced(store, start(store))
    lease = store.leases.recover("r1", BEN, at=after(60), ttl=TTL)
    assert [i.id for i in store.journal.unsettled(lease)] == [number]
    assert store.runs.get("r1").status == "failed"
    settle(store, lease, number, "undone", 61)
    assert store.leases.release(lease, at=after(62)) is True
    run = store.runs.get("r1")
    assert (run.status, run.finished_at, run.staging) == ("failed", after(60), "kept")
    assert run.failure is not None
    assert run.failure["code"] == "RUN_007"
    assert dead(store, 1000) == []
    assert lease_of(store, "r1") is None


def test_two_do_not_recover_the_same_run(store: Store) -> None:
    announced(store, start(store))
    store.leases.recover("r1", BEN, at=after(60), ttl=TTL)
    with pytest.raises(LeaseHeldError, match="ben on host8"):
        store.leases.recover("r1", ANN, at=after(61), ttl=TTL)
    assert dead(store, 61) == []


def test_a_recovery_that_dies_is_recovered(store: Store) -> None:
    announced(store, start(store))
    store.leases.recover("r1", BEN, at=after(60), ttl=TTL)
    assert dead(store, 119) == []
    assert dead(store, 120) == ["r1"]
    store.leases.recover("r1", ANN, at=after(120), ttl=TTL)


def test_a_recovery_that_dies_is_recovered_also_where_nothing_was_announced(store: Store) -> None:
    """The run is marked already; what it staged may still be there."""
    start(store)
    store.leases.recover("r1", BEN, at=after(60), ttl=TTL)
    assert dead(store, 119) == []
    assert dead(store, 120) == ["r1"]
    store.leases.release(store.leases.recover("r1", ANN, at=after(120), ttl=TTL), at=after(121))
    assert dead(store, 10_000) == []


def test_a_live_run_is_not_recovered(store: Store) -> None:
    start(store)
    with pytest.raises(LeaseHeldError):
        store.leases.recover("r1", BEN, at=after(1), ttl=TTL)
    assert store.runs.get("r1").status == "running"


def test_a_failed_run_that_left_something_unsettled_is_recovered(store: Store) -> None:
    lease = start(store)
    number = announced(store, lease)
    with store.writing_as(lease, at=after(2)) as writes:
        writes.fail(FAILURE, TIMINGS)
    assert dead(store, 3) == ["r1"]
    recovery = store.leases.recover("r1", BEN, at=after(4), ttl=TTL)
    settle(store, recovery, number, "done", 5)
    store.leases.release(recovery, at=after(6))
    assert store.runs.get("r1").failure == FAILURE
    assert dead(store, 7) == []


def test_a_new_run_settles_what_the_dead_one_left(store: Store) -> None:
    number = announced(store, start(store))
    new = store.leases.begin(new_run("r2"), BEN, at=after(60), ttl=TTL)
    assert dead(store, 61) == []
    assert [(i.run_id, i.id) for i in store.journal.unsettled(new)] == [("r1", number)]
    settle(store, new, number, "undone", 61)
    assert [i.state for i in intents_of(store, "r1")] == ["undone"]


def test_a_draft_that_died_is_recovered_alone(store: Store) -> None:
    number = announced(store, start(store, "r1"))
    draft = store.leases.begin(new_draft(), ANN, at=AT, ttl=TTL)
    with store.writing_as(draft, at=AT) as writes:
        writes.start({})
        in_sandbox = writes.intend(1, "sandbox", "staging", {})
    assert dead(store, 60) == ["d1", "r1"]
    lease = store.leases.recover("d1", BEN, at=after(60), ttl=TTL)
    assert [i.id for i in store.journal.unsettled(lease)] == [in_sandbox]
    with pytest.raises(ValueError, match="does not belong"):
        settle(store, lease, number, "done", 61)


def test_what_there_is_to_recover_is_found_without_reading_all_runs(store: Store) -> None:
    dialect = store._database._engine.dialect.name
    failed(store)
    queries = {
        "ix_run_unfinished": "SELECT id FROM run WHERE run.status IN ('queued', 'running')",
        "ix_run_staged": "SELECT id FROM run WHERE run.staging <> 'removed'",
        "ix_publish_intent_unsettled": "SELECT run_id FROM publish_intent"
        " WHERE publish_intent.state = 'intended'",
    }
    explain = "EXPLAIN QUERY PLAN" if dialect == "sqlite" else "EXPLAIN"
    with store._database.reading() as connection:
        if dialect == "postgresql":
            connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        for index, query in queries.items():
            plan = connection.exec_driver_sql(f"{explain} {query}").all()
            assert index in str(plan)


def test_recovering_a_run_that_is_not_there_is_refused(store: Store) -> None:
    with pytest.raises(RowbookError, match="RUN_006"):
        store.leases.recover("nowhere", BEN, at=AT, ttl=TTL)
