"""What is told of a run from its record."""

from __future__ import annotations

from typing import Any

import pytest

from rowbook.store import Store
from tests.store.samples import AT, after, started


@pytest.mark.parametrize(
    ("timings", "ended", "took"),
    [
        ({"total_ms": 1200}, 5, 1200),
        ({"total_ms": 1200}, -3600, 1200),
        ({}, 5, 5000),
        ({}, -3600, 0),
    ],
)
def test_what_a_run_took_does_not_follow_a_clock_that_is_set(
    store: Store, timings: dict[str, Any], ended: float, took: int
) -> None:
    lease = started(store, at=AT)
    with store.writing_as(lease, at=after(ended)) as writes:
        writes.complete(timings)
    assert store.runs.get("r1").duration_ms == took


def test_a_run_that_has_not_ended_took_no_time_yet(store: Store) -> None:
    started(store)
    assert store.runs.get("r1").duration_ms is None
