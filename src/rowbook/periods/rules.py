"""Rules: how a calendar divides time into years, and a year into parts.

A rule knows dates and numbers only; `made` gives the parts their identifiers and parents.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from datetime import date, timedelta
from itertools import accumulate
from typing import ClassVar, Literal, Protocol

from rowbook.value_class import dataclass

WeekPattern = Literal["4-4-5", "4-5-4", "5-4-4"]
Numbers = Mapping[str, tuple[str, ...]]


class Rule(Hashable, Protocol):
    """`numbers` names the levels that a rule makes, coarse to fine, and for each the numbers among
    quarter, month, week and day that a period of it has."""

    numbers: ClassVar[Numbers]

    def year_of(self, level: str, day: date) -> int:
        """The year that counts the part of this level in which the day lies."""
        ...

    def bounds(self, level: str, year: int) -> tuple[date, ...]:
        """The first days of a year's parts, in order, and then the day after the last part."""
        ...


@dataclass(frozen=True, slots=True)
class MonthsRule:
    """Calendar months, in a year that begins with `start_month`.

    A year is named after the calendar year in which it ends: with start_month 7, year 2026 is
    2025-07-01 to 2026-06-30 and its month 1 is July 2025. With start_month 1 both are the same."""

    start_month: int

    numbers: ClassVar[Numbers] = {
        "year": (),
        "half": (),
        "quarter": ("quarter",),
        "month": ("quarter", "month"),
        "day": ("quarter", "month", "day"),
    }
    _months: ClassVar[Mapping[str, int]] = {"year": 12, "half": 6, "quarter": 3, "month": 1}

    def year_of(self, level: str, day: date) -> int:
        return day.year + (1 < self.start_month <= day.month)

    def bounds(self, level: str, year: int) -> tuple[date, ...]:
        begins = 12 * (year - (self.start_month > 1)) + self.start_month - 1
        if level == "day":
            return every(1, _first_of_month(begins), _first_of_month(begins + 12))
        return tuple(map(_first_of_month, range(begins, begins + 13, self._months[level])))


@dataclass(frozen=True, slots=True)
class WeeksRule:
    """Whole weeks: four quarters of 13, each with three months as `pattern` says.

    `start` is the first day of any one year. Every other year begins on the same weekday, on the
    date nearest to the anniversary of `start`; so most years have 52 weeks, and every fifth or
    sixth has 53. The extra week belongs to the last month, and so to quarter 4 and half 2. A year
    "from the Sunday nearest to February 1" is told by a start that hits the date: 2026-02-01.

    A year is named after the calendar year that holds most of its days. That is decided once, for
    the year that begins with `start`, and the others count on from there: years whose first day
    drifts around July 1 would otherwise skip a name or share one."""

    pattern: WeekPattern
    start: date

    numbers: ClassVar[Numbers] = {
        "year": (),
        "half": (),
        "quarter": ("quarter",),
        "month": ("quarter", "month"),
        "week": ("quarter", "month", "week"),
        "day": ("quarter", "month", "week", "day"),
    }
    _weeks: ClassVar[Mapping[str, tuple[int, ...]]] = {
        "year": (0,),
        "half": (0, 26),
        "quarter": (0, 13, 26, 39),
    }

    def year_of(self, level: str, day: date) -> int:
        year = day.year + self._ahead + 1
        while self._first_day(year) > day:
            year -= 1
        return year

    def bounds(self, level: str, year: int) -> tuple[date, ...]:
        first, after = self._first_day(year), self._first_day(year + 1)
        if level == "day":
            return every(1, first, after)
        if level == "week":
            return every(7, first, after)
        begins = self._month_weeks if level == "month" else self._weeks[level]
        return (*(first + timedelta(weeks=week) for week in begins), after)

    @property
    def _month_weeks(self) -> tuple[int, ...]:
        lengths = [int(weeks) for weeks in self.pattern.split("-")] * 4
        return tuple(accumulate(lengths[:-1], initial=0))

    @property
    def _ahead(self) -> int:
        """How many years the name of a year is ahead of the calendar year in which it begins."""
        return (self.start + timedelta(days=182)).year - self.start.year

    def _first_day(self, year: int) -> date:
        anniversary = _anniversary(self.start, year - self._ahead)
        days_past = (anniversary - self.start).days % 7
        return anniversary - timedelta(days=days_past if days_past <= 3 else days_past - 7)


@dataclass(frozen=True, slots=True)
class NoRule:
    """The rule of a calendar whose periods are all listed: it makes no level."""

    numbers: ClassVar[Numbers] = {}

    def year_of(self, level: str, day: date) -> int:
        """Never asked, because there is no level to ask about."""
        raise LookupError(level)

    def bounds(self, level: str, year: int) -> tuple[date, ...]:
        raise LookupError(level)


def every(days: int, first: date, after: date) -> tuple[date, ...]:
    """Each `days`-th date from `first` to `after`, both included."""
    count = (after - first).days // days
    return tuple(first + timedelta(days=days * step) for step in range(count + 1))


def _first_of_month(months: int) -> date:
    """The first day of a month that is given as months since the year 0."""
    return date(months // 12, months % 12 + 1, 1)


def _anniversary(day: date, year: int) -> date:
    """The same date in another year; February 28 for February 29 where there is none."""
    try:
        return day.replace(year=year)
    except ValueError:
        return date(year, 2, 28)
