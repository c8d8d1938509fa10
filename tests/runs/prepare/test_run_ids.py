"""Ids of runs: valid UUIDv7 that sort by time."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

from rowbook.runs.prepare.run_ids import new_run_id

NOW = datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)


def test_an_id_is_a_uuid_of_version_7_with_the_time_in_front() -> None:
    found = uuid.UUID(new_run_id(NOW))
    assert (found.version, found.variant) == (7, uuid.RFC_4122)
    assert found.int >> 80 == int(NOW.timestamp() * 1000)


def test_two_runs_of_one_instant_have_two_ids() -> None:
    assert len({new_run_id(NOW) for _ in range(100)}) == 100


def test_ids_sort_by_time() -> None:
    ids = [new_run_id(NOW + timedelta(milliseconds=each)) for each in range(20)]
    assert ids == sorted(ids)
