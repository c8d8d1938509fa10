"""Staged outputs and approvals in the store: recorded, forgotten, asked for, given, refused."""

from __future__ import annotations

from rowbook.store import Store
from tests.store.samples import ANN, AT, BEN, TIMINGS, TTL, after, begun, lease_of, started
from tests.support.refusal import refusal


def waiting(store: Store, run_id: str = "r1") -> None:
    lease = started(store, run_id)
    with store.writing_as(lease, at=AT) as writes:
        writes.record_staged(30, {"mode": "replace"})
        writes.wait({"lake/closed": []}, TIMINGS)


def test_staged_outputs_are_of_the_last_attempt_and_go_when_published(store: Store) -> None:
    lease = started(store)
    with store.writing_as(lease, at=AT) as writes:
        for seq in (10, 20, 30):
            writes.record_staged(seq, {"attempt": 1})
        writes.record_staged(20, {"attempt": 2})
        writes.forget_staged(30)
        writes.record_output(10, {"rows": 1})
    record = store.runs.record("r1")
    assert [(each.seq, each.staged) for each in record.unpublished] == [(20, {"attempt": 2})]
    with store.writing_as(lease, at=AT) as writes:
        writes.cancel(TIMINGS)
    assert store.runs.record("r1").unpublished == ()


def test_a_run_that_waits_holds_no_lease_and_is_not_dead(store: Store) -> None:
    waiting(store)
    record = store.runs.record("r1")
    assert (record.run.status, record.run.staging, record.run.finished_at) == (
        "waiting",
        "kept",
        None,
    )
    assert record.approval is not None
    assert (record.approval.asked_at, record.approval.verdict) == (AT, None)
    assert record.approval.destinations == {"lake/closed": []}
    assert lease_of(store, "r1") is None
    assert store.leases.dead_runs(at=after(9999)) == ()


def test_an_approval_sets_the_run_running_with_a_lease_and_a_name(store: Store) -> None:
    waiting(store)
    lease = store.leases.approve("r1", BEN, comment="checked", at=after(60), ttl=TTL)
    record = store.runs.record("r1")
    assert record.run.status == "running"
    assert lease_of(store, "r1") == lease
    found = record.approval
    assert found is not None
    assert (found.verdict, found.decided_by, found.comment) == ("approved", "ben", "checked")
    assert found.decided_at == after(60)
    again = lambda: store.leases.approve("r1", ANN, comment=None, at=after(61), ttl=TTL)  # noqa: E731
    assert refusal(again, "APPROVAL_001").message == "run r1 is running and waits for no approval"


def test_a_rejected_run_is_cancelled_and_its_rows_are_to_go(store: Store) -> None:
    waiting(store)
    run = store.runs.reject("r1", by="ben", comment="wrong rates", at=after(60))
    assert (run.status, run.finished_at, run.staging) == ("cancelled", after(60), "discarding")
    assert store.leftovers.discards() == ("r1",)
    found = store.runs.record("r1").approval
    assert found is not None
    assert (found.verdict, found.decided_by, found.comment) == ("rejected", "ben", "wrong rates")


def test_who_cancels_a_run_that_waits_ends_it(store: Store) -> None:
    waiting(store)
    assert store.runs.request_cancel("r1", by="ann", at=after(5)).status == "cancelled"
    assert store.leftovers.discards() == ("r1",)


def test_a_run_that_waits_ends_when_a_later_one_completes(store: Store) -> None:
    waiting(store)
    lease = started(store, "r2")
    with store.writing_as(lease, at=after(70)) as writes:
        writes.complete(TIMINGS)
    run = store.runs.get("r1")
    assert (run.status, run.staging) == ("cancelled", "discarding")
    assert run.failure == {"code": "RUN_014", "message": "run r2 took its place"}


def test_a_run_that_began_waits_for_nobody(store: Store) -> None:
    begun(store)
    rejected = lambda: store.runs.reject("r1", by="ben", comment=None, at=AT)  # noqa: E731
    assert refusal(rejected, "APPROVAL_001").message == (
        "run r1 is queued and waits for no approval"
    )
