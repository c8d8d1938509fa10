"""The run's clock and as-of date, from what people write."""

from __future__ import annotations

import uuid
from datetime import UTC, date, datetime, timedelta

from rowbook.periods import GREGORIAN
from rowbook.runs.prepare.clock import new_run_id, read_as_of, read_now
from tests.support.refusal import refusal

JANUARY = GREGORIAN.parse("2026-01")
NOW = datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)


def test_a_clock_is_the_instant_that_is_written() -> None:
    assert read_now("2026-02-03T04:05:06.789Z") == datetime(2026, 2, 3, 4, 5, 6, 789_000, UTC)
    assert read_now("2026-02-03") == datetime(2026, 2, 3, tzinfo=UTC)


def test_without_one_it_is_now_in_utc() -> None:
    before = datetime.now(UTC)
    assert before <= read_now(None) <= datetime.now(UTC)


def test_what_is_no_instant_is_refused() -> None:
    found = refusal(lambda: read_now("noon"), "USAGE_001")
    assert found.message == "'noon' is not a timestamp"


def test_an_as_of_date_is_a_day_an_instant_or_the_last_day_of_the_period() -> None:
    assert read_as_of("2026-01-15", JANUARY) == date(2026, 1, 15)
    instant = datetime(2026, 1, 15, 10, tzinfo=UTC)
    assert read_as_of("2026-01-15T10:00:00Z", JANUARY) == instant
    assert read_as_of(None, JANUARY) == date(2026, 1, 31)


def test_what_is_no_date_is_refused() -> None:
    found = refusal(lambda: read_as_of("2026-02-30", JANUARY), "USAGE_001")
    assert found.message == "'2026-02-30' is not a date"


def test_an_id_is_a_uuid_of_version_7_with_the_time_in_front() -> None:
    found = uuid.UUID(new_run_id(NOW))
    assert (found.version, found.variant) == (7, uuid.RFC_4122)
    assert found.int >> 80 == int(NOW.timestamp() * 1000)


def test_two_runs_of_one_instant_have_two_ids() -> None:
    assert len({new_run_id(NOW) for _ in range(100)}) == 100


def test_ids_sort_by_time() -> None:
    ids = [new_run_id(NOW + timedelta(milliseconds=each)) for each in range(20)]
    assert ids == sorted(ids)
