"""Levels, periods and faults as values: how periods sort, what a fault becomes."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from datetime import date

import pytest

from rowbook.errors import Diagnostic
from rowbook.periods import MonthsRule
from rowbook.periods.period import YEARS, CalendarFault, Level, Period, in_time
from tests.periods.samples import YEAR, only_fault


def period(identifier: str, number: int, start: date, end: date) -> Period:
    return Period("fiscal", "month", identifier, start, end, "FY2026", 2026, number)


JULY = period("FY2026-01", 1, date(2025, 7, 1), date(2025, 7, 31))
JUNE = period("FY2026-12", 12, date(2026, 6, 1), date(2026, 6, 30))
OPENING = period("FY2026-00", 0, date(2025, 7, 1), date(2025, 7, 1))
CLOSING = period("FY2026-13", 13, date(2026, 6, 30), date(2026, 6, 30))


def test_special_periods_sort_before_and_after_the_months_they_belong_to() -> None:
    found = sorted([CLOSING, JUNE, JULY, OPENING], key=in_time)
    assert [each.number for each in found] == [0, 1, 12, 13]


def test_of_two_with_one_end_and_number_the_earlier_start_comes_first() -> None:
    long = period("A", 13, date(2026, 6, 1), date(2026, 6, 30))
    assert sorted([CLOSING, long], key=in_time) == [long, CLOSING]


def test_a_period_says_nothing_of_the_numbers_it_does_not_have() -> None:
    assert (JULY.quarter, JULY.month, JULY.week, JULY.day) == (None, None, None, None)


def test_equal_values_are_one_and_none_can_be_changed() -> None:
    assert len({Level("year", "{year}"), Level("year", "{year}", None)}) == 1
    with pytest.raises(FrozenInstanceError):
        JULY.number = 2  # type: ignore[misc]


def test_years_have_room_on_both_sides_of_what_a_date_can_hold() -> None:
    assert (YEARS[0], YEARS[-1]) == (1900, 2999)
    assert (1899 in YEARS, 3000 in YEARS) == (False, False)


def test_a_fault_without_hint_is_a_diagnostic_without_one() -> None:
    fault = CalendarFault(("levels",), "a calendar needs at least one level")
    assert fault.diagnostic() == Diagnostic("PERIOD_003", "a calendar needs at least one level")


def test_a_fault_becomes_a_diagnostic_that_the_caller_gives_a_place() -> None:
    fault = only_fault([YEAR], MonthsRule(13))
    diagnostic = fault.diagnostic()
    assert (diagnostic.code, diagnostic.message) == ("PERIOD_003", "start_month 13 is not a month")
    assert diagnostic.position is None
