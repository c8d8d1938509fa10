"""A failed run goes on: the same run, a new lease, a record of it."""

from __future__ import annotations

import pytest

from rowbook.errors import RowbookError
from rowbook.store import LeaseHeldError, LeaseLostError, Store
from tests.store.samples import (
    ANN,
    AT,
    BEN,
    FAILURE,
    TIMINGS,
    TTL,
    after,
    begun,
    completed,
    failed,
    lease_of,
    started,
)


def failed_after_two(store: Store) -> None:
    lease = started(store)
    with store.writing_as(lease, at=AT) as writes:
        for seq in (1, 2):
            writes.record_step(seq, {"rows_out": seq})
        writes.record_output(2, {"rows": 5})
        writes.warn({"code": "W"})
        writes.fail(FAILURE, TIMINGS)


def test_a_failed_run_is_set_running_again_after_an_operation(store: Store) -> None:
    failed_after_two(store)
    snapshot = store.runs.snapshot("r1")
    lease = store.leases.resume("r1", BEN, at=after(10), ttl=TTL, from_seq=1)
    record = store.runs.record("r1")
    assert (record.run.status, record.run.failure, record.run.finished_at) == (
        "running",
        None,
        None,
    )
    assert record.run.clock == AT
    assert store.runs.snapshot("r1") == snapshot
    assert [s.seq for s in record.steps] == [1]
    assert [o.seq for o in record.outputs] == [2]
    (resumption,) = record.resumptions
    assert (resumption.number, resumption.from_seq, resumption.failure) == (1, 1, FAILURE)
    assert (resumption.resumed_at, resumption.resumed_by) == (after(10), "ben")
    assert resumption.accepted_input is None
    with store.writing_as(lease, at=after(11)) as writes:
        writes.record_step(2, {"rows_out": 20})
        writes.complete(TIMINGS)
    assert [s.entry["rows_out"] for s in store.runs.record("r1").steps] == [1, 20]


def test_changed_inputs_that_were_accepted_are_recorded(store: Store) -> None:
    failed(store)
    accepted = {"changed": ["data/gl.csv"]}
    store.leases.resume("r1", BEN, at=AT, ttl=TTL, from_seq=0, accepted_input=accepted)
    assert store.runs.record("r1").resumptions[0].accepted_input == accepted


def test_a_run_may_be_resumed_again_and_again(store: Store) -> None:
    failed(store)
    for number in (1, 2):
        lease = store.leases.resume("r1", ANN, at=after(number), ttl=TTL, from_seq=0)
        with store.writing_as(lease, at=after(number)) as writes:
            writes.fail({**FAILURE, "seq": number}, TIMINGS)
    resumptions = store.runs.record("r1").resumptions
    assert [(r.number, r.failure and r.failure["seq"]) for r in resumptions] == [(1, 3), (2, 1)]


def test_an_old_request_to_cancel_does_not_end_a_resumed_run(store: Store) -> None:
    lease = started(store)
    store.runs.request_cancel("r1", by="ben", at=AT)
    with store.writing_as(lease, at=AT) as writes:
        writes.fail(FAILURE, TIMINGS)
    store.leases.resume("r1", ANN, at=AT, ttl=TTL, from_seq=0)
    assert store.runs.get("r1").cancel_requested is None


def test_a_dead_run_is_resumed_without_being_marked_first(store: Store) -> None:
    old = started(store)
    with pytest.raises(LeaseHeldError):
        store.leases.resume("r1", BEN, at=after(59), ttl=TTL, from_seq=0)
    store.leases.resume("r1", BEN, at=after(60), ttl=TTL, from_seq=0)
    record = store.runs.record("r1")
    assert record.run.status == "running"
    assert record.resumptions[0].failure is not None
    assert record.resumptions[0].failure["code"] == "RUN_007"
    with pytest.raises(LeaseLostError), store.writing_as(old, at=after(1)) as writes:
        writes.warn({})


def test_resuming_is_refused_while_another_run_holds_the_lease(store: Store) -> None:
    failed(store)
    begun(store, "r2")
    with pytest.raises(LeaseHeldError, match="run r2"):
        store.leases.resume("r1", BEN, at=AT, ttl=TTL, from_seq=0)


@pytest.mark.parametrize("status", ["completed", "cancelled"])
def test_only_a_failed_run_is_resumed(status: str, store: Store) -> None:
    if status == "completed":
        completed(store)
    else:
        with store.writing_as(started(store), at=AT) as writes:
            writes.cancel(TIMINGS)
    with pytest.raises(RowbookError, match=f"RUN_005  run r1 is {status} and cannot be resumed"):
        store.leases.resume("r1", BEN, at=AT, ttl=TTL, from_seq=0)
    assert lease_of(store, "r1") is None


def test_a_run_whose_staged_data_is_to_be_removed_is_not_resumed(store: Store) -> None:
    failed(store)
    store.leftovers.expire(before=after(1))
    with pytest.raises(RowbookError, match="as its staged data was removed"):
        store.leases.resume("r1", BEN, at=after(2), ttl=TTL, from_seq=0)
