from __future__ import annotations

from datetime import date

import pytest

from rowbook.periods import Level, MonthsRule, build_calendar
from tests.periods.samples import DAY, FISCAL, HALF, MONTH, QUARTER, YEAR, days, names


@pytest.mark.parametrize(
    ("identifier", "start", "end", "parent"),
    [
        ("FY2026", "2025-07-01", "2026-06-30", None),
        ("FY2026-Q1", "2025-07-01", "2025-09-30", "FY2026"),
        ("FY2026-Q4", "2026-04-01", "2026-06-30", "FY2026"),
        ("FY2026-01", "2025-07-01", "2025-07-31", "FY2026-Q1"),
        ("FY2026-06", "2025-12-01", "2025-12-31", "FY2026-Q2"),
        ("FY2026-07", "2026-01-01", "2026-01-31", "FY2026-Q3"),
        ("FY2024-08", "2024-02-01", "2024-02-29", "FY2024-Q3"),
        ("FY2026-12", "2026-06-01", "2026-06-30", "FY2026-Q4"),
        ("2026-01-31", "2026-01-31", "2026-01-31", "FY2026-07"),
    ],
)
def test_a_year_from_july_is_named_after_the_year_in_which_it_ends(
    identifier: str, start: str, end: str, parent: str | None
) -> None:
    assert days(FISCAL, identifier) == (start, end)
    assert FISCAL.parse(identifier).parent == parent


@pytest.mark.parametrize(
    ("start_month", "start", "end"),
    [
        (1, "2026-01-01", "2026-12-31"),
        (2, "2025-02-01", "2026-01-31"),
        (4, "2025-04-01", "2026-03-31"),
        (12, "2025-12-01", "2026-11-30"),
    ],
)
def test_a_year_begins_with_the_start_month(start_month: int, start: str, end: str) -> None:
    calendar = build_calendar("any", [YEAR], MonthsRule(start_month))
    assert days(calendar, "FY2026") == (start, end)


def test_a_day_has_fiscal_numbers_and_its_place_in_the_month() -> None:
    day = FISCAL.parse("2026-01-31")
    assert (day.year, day.quarter, day.month, day.week, day.day) == (2026, 3, 7, None, 31)
    assert day.number == 215


@pytest.mark.parametrize(
    ("day", "month"),
    [
        (date(2025, 6, 30), "FY2025-12"),
        (date(2025, 7, 1), "FY2026-01"),
        (date(2025, 12, 31), "FY2026-06"),
        (date(2026, 1, 1), "FY2026-07"),
    ],
)
def test_covers_finds_the_fiscal_month(day: date, month: str) -> None:
    assert FISCAL.covers("month", day).identifier == month


def test_half_years_hold_two_quarters() -> None:
    quarter = Level("quarter", "FY{year}-Q{n}", parent="half")
    calendar = build_calendar("halves", [YEAR, HALF, quarter], MonthsRule(4))
    assert days(calendar, "FY2026-H2") == ("2025-10-01", "2026-03-31")
    assert names(*calendar.children(calendar.parse("FY2026-H2"))) == ["FY2026-Q3", "FY2026-Q4"]


def test_days_may_be_counted_through_the_year() -> None:
    numbered = Level("day", "FY{year}-D{n:03}", parent="month")
    calendar = build_calendar("days", [YEAR, QUARTER, MONTH, numbered], MonthsRule(7))
    assert days(calendar, "FY2026-D001") == ("2025-07-01", "2025-07-01")
    assert days(calendar, "FY2024-D366") == ("2024-06-30", "2024-06-30")
    assert calendar.covers("day", date(2026, 1, 31)).identifier == "FY2026-D215"


def test_a_calendar_may_leave_levels_out() -> None:
    month = Level("month", "FY{year}-{n:02}", parent="year")
    calendar = build_calendar("flat", [YEAR, month], MonthsRule(7))
    period = calendar.parse("FY2026-12")
    assert (period.parent, period.quarter) == ("FY2026", 4)


def test_a_calendar_may_have_months_only() -> None:
    calendar = build_calendar("months", [Level("month", "FY{year}-{n:02}")], MonthsRule(7))
    assert calendar.parse("FY2026-12").parent is None
    assert calendar.children(calendar.parse("FY2026-12")) == ()


def test_equal_definitions_make_equal_calendars() -> None:
    assert build_calendar("fiscal", [YEAR, QUARTER, MONTH, DAY], MonthsRule(7)) == FISCAL
    assert build_calendar("fiscal", [YEAR, QUARTER, MONTH, DAY], MonthsRule(4)) != FISCAL
