"""Staged data and sandboxes: when they may go, and that nothing is forgotten."""

from __future__ import annotations

import pytest

from rowbook.errors import RowbookError
from rowbook.store import Store
from tests.store.samples import (
    ANN,
    AT,
    BEN,
    FAILURE,
    TIMINGS,
    TTL,
    after,
    completed,
    failed,
    new_draft,
    started,
)


def discards(store: Store) -> list[str]:
    return list(store.leftovers.discards())


@pytest.mark.parametrize("end", ["complete", "cancel"])
def test_what_a_finished_run_staged_is_to_be_removed(end: str, store: Store) -> None:
    with store.writing_as(started(store), at=AT) as writes:
        getattr(writes, end)(TIMINGS)
    assert discards(store) == ["r1"]
    store.leftovers.discarded("r1")
    assert discards(store) == []
    assert store.runs.get("r1").staging == "removed"


def test_what_a_failed_run_staged_is_kept_for_resuming(store: Store) -> None:
    failed(store)
    assert discards(store) == []
    with pytest.raises(RowbookError, match="RUN_005  run r1 is failed and keeps its staged data"):
        store.leftovers.discarded("r1")
    assert store.runs.get("r1").staging == "kept"


def test_a_newer_run_that_completes_makes_older_failures_obsolete(store: Store) -> None:
    failed(store, "older", at=after(1))
    failed(store, "other period", at=after(1), period="2026-02")
    failed(store, "other project", at=after(1), project_id="p2", project_name="budget")
    failed(store, "draft", at=after(1), draft=True, project_version=None)
    completed(store, "newer", at=after(2))
    failed(store, "newest", at=after(3))
    assert discards(store) == ["newer", "older"]


def test_a_resumed_run_does_not_make_a_newer_failure_obsolete(store: Store) -> None:
    failed(store, "r1", at=after(1))
    failed(store, "r2", at=after(2))
    lease = store.leases.resume("r1", ANN, at=after(3), ttl=TTL, from_seq=0)
    with store.writing_as(lease, at=after(4)) as writes:
        writes.complete(TIMINGS)
    assert discards(store) == ["r1"]


def test_what_is_unsettled_keeps_staged_data_whatever_completes(store: Store) -> None:
    lease = started(store)
    with store.writing_as(lease, at=AT) as writes:
        writes.intend(1, "out", "staging", {})
        writes.fail(FAILURE, TIMINGS)
    completed(store, "r2", at=after(1))
    assert discards(store) == ["r2"]
    store.leftovers.expire(before=after(1000))
    assert discards(store) == ["r2"]


def test_failures_older_than_the_retention_are_given_up(store: Store) -> None:
    failed(store, "r1", at=after(1))
    failed(store, "r2", at=after(2))
    started(store, "r3", at=after(0))
    store.leftovers.expire(before=after(2))
    assert discards(store) == ["r1"]


def test_a_run_that_is_being_recovered_is_not_given_up(store: Store) -> None:
    failed(store, "r1", at=after(1))
    store.leases.recover("r1", BEN, at=after(2), ttl=TTL)
    store.leftovers.expire(before=after(100))
    assert discards(store) == []


def test_sandboxes_of_drafts_are_found_by_age_until_they_are_gone(store: Store) -> None:
    completed(store, "r1")
    for n in (1, 2):
        lease = store.leases.begin(new_draft(f"d{n}"), ANN, at=after(n), ttl=TTL)
        with store.writing_as(lease, at=after(n)) as writes:
            writes.fail(FAILURE, TIMINGS)
    store.leases.begin(new_draft("d3"), ANN, at=AT, ttl=TTL)
    assert store.leftovers.sandboxes(before=after(2)) == ("d1",)
    assert store.leftovers.sandboxes(before=after(3)) == ("d1", "d2")
    store.leftovers.sandbox_removed("d1", at=after(9))
    assert store.leftovers.sandboxes(before=after(3)) == ("d2",)
