"""Calendars that several tests look at."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from rowbook.periods import (
    Calendar,
    CalendarFault,
    CalendarRule,
    ExplicitPeriod,
    Level,
    MonthsRule,
    Period,
    WeeksRule,
    build_calendar,
    check_calendar,
)

YEAR = Level("year", "FY{year}")
HALF = Level("half", "FY{year}-H{n}", parent="year")
QUARTER = Level("quarter", "FY{year}-Q{n}", parent="year")
MONTH = Level("month", "FY{year}-{n:02}", parent="quarter")
WEEK = Level("week", "FY{year}-W{n:02}", parent="month")
DAY = Level("day", "{date}", parent="month")

PERIOD_13 = ExplicitPeriod("FY2026-13", "month", date(2026, 6, 30), date(2026, 6, 30), "FY2026")

FISCAL = build_calendar("fiscal", [YEAR, QUARTER, MONTH, DAY], MonthsRule(start_month=7))
WITH_13 = build_calendar("fiscal", [YEAR, QUARTER, MONTH, DAY], MonthsRule(7), [PERIOD_13])
APPLE = build_calendar(
    "apple", [YEAR, QUARTER, MONTH, WEEK, DAY], WeeksRule("4-4-5", date(2025, 9, 28))
)
RETAIL = build_calendar(
    "retail", [YEAR, QUARTER, MONTH, WEEK, DAY], WeeksRule("4-5-4", date(2026, 2, 1))
)


def names(*periods: Period) -> list[str]:
    return [period.identifier for period in periods]


def days(calendar: Calendar, identifier: str) -> tuple[str, str]:
    period = calendar.parse(identifier)
    return str(period.start), str(period.end)


def only_fault(
    levels: Sequence[Level],
    rule: CalendarRule | None = None,
    periods: Sequence[ExplicitPeriod] = (),
) -> CalendarFault:
    """The only fault of a definition."""
    (fault,) = check_calendar("fiscal", levels, rule, periods)
    return fault
