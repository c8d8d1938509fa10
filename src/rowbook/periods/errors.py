"""What a calendar says when it cannot answer: PERIOD_001, PERIOD_004 and PERIOD_005."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from rowbook.errors import RowbookError, did_you_mean, listing, suggestion
from rowbook.periods.patterns import Reading, compile_pattern
from rowbook.periods.period import Level, Period
from rowbook.periods.rule_periods import real_date

if TYPE_CHECKING:
    from rowbook.periods.calendar import Calendar


def unknown_identifier(calendar: Calendar, text: str) -> RowbookError:
    """Says what is wrong with a text that has a level's form, and what one without may mean."""
    message = f"'{text}' is not a period of calendar '{calendar.name}'"
    reason = _reason(calendar, text)
    if reason:
        return RowbookError.of("PERIOD_001", f"{message}: {reason}", hint=_forms(calendar))
    meant = _meant(calendar, text)
    hint = f"did you mean '{meant}'?  {_forms(calendar)}" if meant else _forms(calendar)
    return RowbookError.of("PERIOD_001", message, hint=hint)


def unknown_level(calendar: Calendar, name: str) -> RowbookError:
    return RowbookError.of(
        "PERIOD_004",
        f"calendar '{calendar.name}' has no level '{name}'",
        hint=suggestion(name, [level.name for level in calendar.levels], "levels"),
    )


def not_expandable(calendar: Calendar, period: Period, level: Level) -> RowbookError:
    """Tells a level that is no part of the period's from one of which it has no period."""
    finer = calendar.finer(period.level)
    if level.name in finer:
        reason = f"no {level.name} is listed below it"
        hint = f"a listed period consists of those whose parent is '{period.identifier}'"
    else:
        reason = f"a {level.name} is not part of a {period.level}"
        hint = f"levels below {period.level}: {listing(finer) or 'none'}"
    return RowbookError.of(
        "PERIOD_005",
        f"{period.level} '{period.identifier}' cannot be expanded to '{level.name}': {reason}",
        hint=hint,
    )


def day_not_covered(calendar: Calendar, level: str, day: date) -> RowbookError:
    """For a day in a gap of listed periods, or beyond the calendar's years."""
    if calendar.made.level(level):
        known = _years(calendar)
    else:
        listed = calendar.listed.at(level)
        known = f"listed are {min(p.start for p in listed)} to {max(p.end for p in listed)}"
    return RowbookError.of(
        "PERIOD_001", f"{day} is in no {level} of calendar '{calendar.name}'", hint=known
    )


def _forms(calendar: Calendar) -> str:
    """`forms: year 2026, quarter 2026-Q1 …`: one period of each level that really exists."""

    def example(level: Level) -> str:
        made = calendar.made.level(level.name)
        return calendar.made.example(made) if made else calendar.listed.at(level.name)[0].identifier

    return "forms: " + ", ".join(f"{level.name} {example(level)}" for level in calendar.levels)


def _reason(calendar: Calendar, text: str) -> str | None:
    for level in calendar.made.levels:
        reading = compile_pattern(level.identifier).read(text)
        if reading:
            return _out_of_range(calendar, level, reading)
    return None


def _out_of_range(calendar: Calendar, level: Level, reading: Reading) -> str:
    made = calendar.made
    year = reading.year
    if reading.date and reading.date[0] in made.years and not real_date(*reading.date):
        return _no_such_date(*reading.date)
    if year is None or year not in made.years:
        return _years(calendar)
    first, last = (made.part(level, year, n).identifier for n in (1, made.count(level, year)))
    listed = [p.identifier for p in calendar.listed.at(level.name) if p.year == year]
    more = f", and {listing(listed)}" if listed else ""
    return f"level '{level.name}' of {year} goes from {first} to {last}{more}"


def _years(calendar: Calendar) -> str:
    return f"years go from {calendar.made.years[0]} to {calendar.made.years[-1]}"


def _no_such_date(year: int, month: int, day: int) -> str:
    if not 1 <= month <= 12:
        return f"there is no month {month:02}"
    days = max(d for d in range(28, 32) if real_date(year, month, d))
    return f"{year:04}-{month:02} has the days 01 to {days}"


def _meant(calendar: Calendar, text: str) -> str | None:
    made = calendar.made.find_loosely(text)
    if made:
        return made.identifier
    named = [p.identifier for p in calendar.listed.periods if not calendar.made.level(p.level)]
    return did_you_mean(text, named)
