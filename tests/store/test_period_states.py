"""Open, closed, locked: one way, with who, when and why."""

from __future__ import annotations

from typing import Any

import pytest

from rowbook.errors import RowbookError
from rowbook.store import Store
from rowbook.store.period_states import PeriodState
from tests.store.forking import Forks
from tests.store.places import Place
from tests.store.samples import (
    ANN,
    AT,
    CALENDAR,
    TTL,
    after,
    begun,
    failed,
    intents_of,
    new_draft,
    new_run,
    started,
)
from tests.support.refusal import refusal

JANUARY = "2026-01"


def close(store: Store, period: str = JANUARY, **changes: Any) -> PeriodState:
    values: dict[str, Any] = {"by": "ann", "at": AT, "reason": "books are done"}
    return store.periods.close(CALENDAR, period, **(values | changes))


def lock(store: Store, period: str = JANUARY) -> PeriodState:
    return store.periods.lock(CALENDAR, period, by="ben", at=after(1))


def test_a_period_is_open_until_it_is_closed(store: Store) -> None:
    assert store.periods.states(CALENDAR) == ()
    assert store.periods.history(CALENDAR, JANUARY) == ()


def test_a_period_is_closed_and_then_locked(store: Store) -> None:
    assert close(store).status == "closed"
    assert lock(store).status == "locked"
    closed = PeriodState(CALENDAR, JANUARY, "closed", AT, "ann", "books are done")
    locked = PeriodState(CALENDAR, JANUARY, "locked", after(1), "ben", None)
    assert store.periods.states(CALENDAR) == (locked,)
    assert store.periods.history(CALENDAR, JANUARY) == (closed, locked)


def test_calendars_do_not_share_periods(store: Store) -> None:
    close(store)
    assert store.periods.states("fiscal") == ()
    assert store.periods.history("fiscal") == ()


def test_the_history_of_a_calendar_is_in_the_order_of_time(store: Store) -> None:
    close(store, "2026-02")
    close(store, at=after(1))
    lock(store, "2026-02")
    close(store, "2025-12", at=after(2))
    assert [(s.period, s.status) for s in store.periods.history(CALENDAR)] == [
        ("2026-02", "closed"),
        ("2026-01", "closed"),
        ("2026-02", "locked"),
        ("2025-12", "closed"),
    ]


def test_a_calendars_periods_are_listed_by_identifier(store: Store) -> None:
    for period in ("2026-02", "2026-01", "2025-12"):
        close(store, period)
    lock(store, "2025-12")
    states = [(s.period, s.status) for s in store.periods.states(CALENDAR)]
    assert states == [("2025-12", "locked"), ("2026-01", "closed"), ("2026-02", "closed")]


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ("L", "period 2026-01 is open, and must be closed before it is locked"),
        (
            "CC",
            "period 2026-01 is closed already (by ann, 2026-02-03 10:00 UTC: books are done)",
        ),
        ("CLL", "period 2026-01 is locked already (by ben, 2026-02-03 10:00 UTC)"),
        ("CLC", "period 2026-01 is locked (by ben, 2026-02-03 10:00 UTC)"),
    ],
)
def test_every_other_way_is_refused(steps: str, message: str, store: Store) -> None:
    moves = {"C": close, "L": lock}
    for step in steps[:-1]:
        moves[step](store)
    finding = refusal(lambda: moves[steps[-1]](store))
    assert (finding.code, finding.message) == ("PERIOD_006", message)


def test_of_eight_who_close_at_once_one_does(place: Place, forks: Forks) -> None:
    ended = forks.at_once("close_period", place, [{"me": n} for n in range(8)])
    assert sorted(e.error or "" for e in ended) == ["", *["RowbookError"] * 7]
    assert all("PERIOD_006" in e.text for e in ended if e.error)
    with place.open() as store:
        assert len(store.periods.history(CALENDAR, JANUARY)) == 1


def test_a_run_into_a_closed_period_is_refused_and_leaves_nothing(store: Store) -> None:
    close(store)
    with pytest.raises(RowbookError, match=r"PERIOD_007  period 2026-01 is closed \(by ann"):
        begun(store)
    assert store.runs.newest() == ()


def test_a_reason_reopens_a_closed_period_for_one_run_and_is_recorded(store: Store) -> None:
    close(store)
    run = new_run()
    store.leases.begin(run, ANN, at=AT, ttl=TTL, reopened="late invoice")
    assert store.runs.get("r1").reopened == "late invoice"
    assert [each.status for each in store.periods.history(CALENDAR, JANUARY)] == ["closed"]


def test_no_reason_reopens_a_locked_period(store: Store) -> None:
    close(store)
    lock(store)
    with pytest.raises(RowbookError, match=r"PERIOD_008  period 2026-01 is locked \(by ben"):
        store.leases.begin(new_run(), ANN, at=AT, ttl=TTL, reopened="late invoice")


def test_every_period_that_a_run_writes_into_counts(store: Store) -> None:
    close(store, "2026")
    with pytest.raises(RowbookError, match="PERIOD_007  period 2026 is closed"):
        begun(store, writes_into=("2026-01", "2026-Q1", "2026"))
    assert begun(store, writes_into=("2026-01", "2026-Q1")).run_id == "r1"


def test_a_draft_writes_into_no_period(store: Store) -> None:
    close(store)
    lock(store)
    lease = store.leases.begin(new_draft(), ANN, at=AT, ttl=TTL)
    with store.writing_as(lease, at=AT) as writes:
        writes.start({})
        writes.intend(1, "sandbox/out", "staging", {})


def test_a_period_that_closes_during_a_run_is_not_published_to(store: Store) -> None:
    lease = started(store)
    close(store)
    with pytest.raises(RowbookError, match="PERIOD_007"), store.writing_as(lease, at=AT) as writes:
        writes.intend(1, "out", "staging", {})
    assert intents_of(store, "r1") == ()


def test_resuming_into_a_period_that_closed_since_needs_a_reason(store: Store) -> None:
    failed(store)
    close(store)
    with pytest.raises(RowbookError, match="PERIOD_007"):
        store.leases.resume("r1", ANN, at=AT, ttl=TTL, from_seq=0)
    assert store.runs.get("r1").status == "failed"
    store.leases.resume("r1", ANN, at=AT, ttl=TTL, from_seq=0, reopened="it was half done")
    assert store.runs.get("r1").reopened == "it was half done"
