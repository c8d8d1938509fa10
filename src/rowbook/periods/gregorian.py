"""The built-in calendar: years, quarters, months and days as everybody has them, and ISO weeks."""

from __future__ import annotations

from datetime import date
from typing import ClassVar

from rowbook.periods.calendar import Calendar
from rowbook.periods.explicit import ListedPeriods
from rowbook.periods.period import Level
from rowbook.periods.rule_periods import RulePeriods
from rowbook.periods.rules import MonthsRule, Numbers, every
from rowbook.value_class import dataclass

_MONTHS = MonthsRule(start_month=1)


@dataclass(frozen=True, slots=True)
class GregorianRule:
    """Calendar months, beside the weeks of ISO 8601.

    A week belongs to its ISO year: 2026-W01 begins on 2025-12-29 and its parent is 2026. So the
    weeks of a year need not have the same days as the year."""

    numbers: ClassVar[Numbers] = {**MonthsRule.numbers, "week": ("week",)}

    def year_of(self, level: str, day: date) -> int:
        return day.isocalendar().year if level == "week" else day.year

    def bounds(self, level: str, year: int) -> tuple[date, ...]:
        if level == "week":
            first, after = (date.fromisocalendar(y, 1, 1) for y in (year, year + 1))
            return every(7, first, after)
        return _MONTHS.bounds(level, year)


def _gregorian() -> Calendar:
    name = "gregorian"
    levels = (
        Level("year", "{year}"),
        Level("quarter", "{year}-Q{n}", parent="year"),
        Level("month", "{year}-{n:02}", parent="quarter"),
        Level("week", "{year}-W{n:02}", parent="year"),
        Level("day", "{date}", parent="month"),
    )
    made = RulePeriods(name, GregorianRule(), levels)
    return Calendar(name, levels, made, ListedPeriods())


GREGORIAN = _gregorian()
