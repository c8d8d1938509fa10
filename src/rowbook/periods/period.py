"""What a level, a period and a fault are: values that every module of the package hands around."""

from __future__ import annotations

from datetime import date

from rowbook.errors import Diagnostic
from rowbook.value_class import dataclass

YEARS = range(1900, 3000)
"""The years that calendars know. Far inside what `date` can hold, so no arithmetic overflows."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a calendar, such as month; `identifier` is a pattern (see `patterns`)."""

    name: str
    identifier: str
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Period:
    """A span of days with a name. `end` is its last day; `parent` is an identifier.

    `year` is the year that the calendar counts the period in: the ISO year of a gregorian week, the
    fiscal year of a fiscal month. `number` is the n of its identifier: its place in that year, 1
    for a year itself. `quarter`, `month`, `week` and `day` are the calendar's own numbers (fiscal
    ones in a fiscal calendar; `day` counts within the month) and None where a period has no such
    number: a quarter has no month, a gregorian week neither quarter nor month."""

    calendar: str
    level: str
    identifier: str
    start: date
    end: date
    parent: str | None
    year: int
    number: int
    quarter: int | None = None
    month: int | None = None
    week: int | None = None
    day: int | None = None


def in_time(period: Period) -> tuple[date, int, date]:
    """Sorts periods of one level. An adjustment period comes after the month whose end it shares,
    and an opening period 0 before the month it opens, as their numbers say."""
    return (period.end, period.number, period.start)


@dataclass(frozen=True, slots=True)
class CalendarFault:
    """`path` leads to the faulty part of the definition, as keys and list places from 0:
    `("levels", 1, "identifier")`, `("rule", "start_month")`, `("periods", 0, "parent")`. Where the
    part is missing, the path names where it belongs."""

    path: tuple[str | int, ...]
    message: str
    hint: str | None = None

    def diagnostic(self) -> Diagnostic:
        """The finding; its place in a file is the caller's to add."""
        return Diagnostic("PERIOD_003", self.message, hint=self.hint)
