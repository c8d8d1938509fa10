"""The periods that a rule makes: nothing is stored, each is computed when asked for."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from datetime import date, timedelta
from functools import lru_cache

from rowbook.periods.patterns import Reading, compile_pattern
from rowbook.periods.period import YEARS, Level, Period
from rowbook.periods.rules import Rule
from rowbook.value_class import dataclass

_EXAMPLE_YEAR = 2026
_CALENDAR_YEARS = range(YEARS[0] - 1, YEARS[-1] + 2)
"""Where the days of all years lie: a fiscal year reaches into the calendar year beside it."""


@dataclass(frozen=True, slots=True)
class RulePeriods:
    """`levels` are the calendar's levels that `rule` makes; their parents are among them."""

    calendar: str
    rule: Rule
    levels: tuple[Level, ...]

    @property
    def years(self) -> range:
        short = any(compile_pattern(level.identifier).short_year for level in self.levels)
        return range(2000, 2100) if short else YEARS

    def level(self, name: str) -> Level | None:
        return next((level for level in self.levels if level.name == name), None)

    def find(self, identifier: str) -> Period | None:
        for level in self.levels:
            reading = compile_pattern(level.identifier).read(identifier)
            if reading:
                return self.place(level, reading)
        return None

    def find_loosely(self, text: str) -> Period | None:
        """The period that a text of nearly the right form seems to mean."""
        for level in self.levels:
            reading = compile_pattern(level.identifier).read_loosely(text)
            period = self.place(level, reading) if reading else None
            if period:
                return period
        return None

    def place(self, level: Level, reading: Reading) -> Period | None:
        """The period that a reading means, if there is such a year, number or date."""
        if reading.date:
            day = real_date(*reading.date)
            return self.covering(level, day) if day else None
        year, n = reading.year, 1 if reading.n is None else reading.n
        if year is None or year not in self.years or not 1 <= n <= self.count(level, year):
            return None
        return self.part(level, year, n)

    def covering(self, level: Level, day: date) -> Period | None:
        if day.year not in _CALENDAR_YEARS:
            return None
        year = self.rule.year_of(level.name, day)
        if year not in self.years:
            return None
        return self.part(level, year, self._number(level.name, year, day))

    def within(self, period: Period, level: Level) -> tuple[Period, ...]:
        """The parts of a rule's period at a finer level, in time order.

        A year consists of the parts that the rule counts in it (its ISO weeks may begin before
        it); anything shorter consists of the parts that begin in it."""
        if period.level == "year":
            count = self.count(level, period.year)
            return tuple(self.part(level, period.year, n) for n in range(1, count + 1))
        first, last = (self.rule.year_of(level.name, day) for day in (period.start, period.end))
        return tuple(
            self.part(level, year, index + 1)
            for year in range(first, last + 1)
            for index in self._beginning(level, year, period)
        )

    def count(self, level: Level, year: int) -> int:
        return len(_bounds(self.rule, level.name, year)) - 1

    def part(self, level: Level, year: int, n: int) -> Period:
        """The n-th part of a year; both must exist."""
        start, after = _bounds(self.rule, level.name, year)[n - 1 : n + 1]
        names = self.rule.numbers[level.name]
        return Period(
            calendar=self.calendar,
            level=level.name,
            identifier=compile_pattern(level.identifier).write(year, n, start),
            start=start,
            end=after - timedelta(days=1),
            parent=self._parent(level, year, start),
            year=year,
            number=n,
            **{name: self._attribute(name, year, start) for name in names},
        )

    def example(self, level: Level) -> str:
        return self.part(level, _EXAMPLE_YEAR, 1).identifier

    def _parent(self, level: Level, year: int, start: date) -> str | None:
        parent = self.level(level.parent) if level.parent else None
        if parent is None:
            return None
        n = self._number(parent.name, year, start)
        begins = _bounds(self.rule, parent.name, year)[n - 1]
        return compile_pattern(parent.identifier).write(year, n, begins)

    def _number(self, level: str, year: int, day: date) -> int:
        """Which part of the year holds the day. A year is its own part 1, also for the days of an
        ISO week that lie outside of it."""
        return 1 if level == "year" else bisect_right(_bounds(self.rule, level, year), day)

    def _attribute(self, name: str, year: int, start: date) -> int:
        if name != "day":
            return self._number(name, year, start)
        month = self._number("month", year, start)
        return (start - _bounds(self.rule, "month", year)[month - 1]).days + 1

    def _beginning(self, level: Level, year: int, period: Period) -> range:
        begins = _bounds(self.rule, level.name, year)[:-1]
        return range(bisect_left(begins, period.start), bisect_right(begins, period.end))


def real_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


@lru_cache(maxsize=256)
def _bounds(rule: Rule, level: str, year: int) -> tuple[date, ...]:
    return rule.bounds(level, year)
