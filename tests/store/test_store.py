"""A store's parts share one database, and a run's writes are one transaction."""

from __future__ import annotations

import pytest

from rowbook.store import LeaseHeldError, LeaseLostError, Store
from tests.store.places import Place
from tests.store.samples import AT, after, begun, started


def test_what_one_part_records_the_others_see(store: Store) -> None:
    lease = started(store)
    assert store.runs.get("r1").status == "running"
    assert [run.id for run in store.runs.newest()] == [lease.run_id]


def test_what_a_run_writes_together_is_there_together_or_not_at_all(store: Store) -> None:
    lease = started(store)

    def write_and_fail() -> None:
        with store.writing_as(lease, at=AT) as writes:
            writes.record_step(10, {"matched": 1})
            writes.warn({"message": "odd"})
            raise KeyError("lost")

    with pytest.raises(KeyError):
        write_and_fail()
    record = store.runs.record("r1")
    assert (record.steps, record.warnings) == ((), ())


def test_whoever_lost_the_lease_does_not_come_to_write(store: Store) -> None:
    lease = begun(store)
    begun(store, "r2", at=after(60))
    entered = False
    with pytest.raises(LeaseLostError), store.writing_as(lease, at=after(60)):
        entered = True
    assert not entered


def begun_twice(store: Store) -> None:
    begun(store)
    begun(store, "r2")


def test_a_store_closes_with_its_block_also_where_that_fails(place: Place) -> None:
    with pytest.raises(LeaseHeldError), place.open() as store:
        begun_twice(store)
    with place.open() as again:
        assert [run.id for run in again.runs.newest()] == ["r1"]
