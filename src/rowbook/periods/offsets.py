"""Other periods seen from one: so many before or after it, the same of last year, its year so far.

Regular periods are counted: an adjustment, such as a period 13, is none of them, and stands between
the two that it comes after and before.
"""

from __future__ import annotations

from datetime import timedelta

from rowbook.periods.calendar import Calendar
from rowbook.periods.period import Period, in_time

_DAY = timedelta(days=1)


def period_at(calendar: Calendar, period: Period, offset: int) -> Period | None:
    """The period so many after this one at its level, before it where negative; None where the
    calendar has none."""
    found: Period | None = period
    for _ in range(abs(offset)):
        if found is None:
            return None
        found = _beside(calendar, found, 1 if offset > 0 else -1)
    return found


def same_last_year(calendar: Calendar, period: Period) -> Period | None:
    """The period of the year before that has the same number: of a day, the day of that date."""
    wanted = period.year - 1, _number(period)
    found = period_at(calendar, period, -1)
    while found is not None and (found.year, _number(found)) != wanted:
        found = period_at(calendar, found, -1) if found.year >= wanted[0] else None
    if _is_regular(calendar, period):
        return found
    listed = calendar.listed.at(period.level)
    return next((each for each in listed if (each.year, _number(each)) == wanted), None)


def year_to_date(calendar: Calendar, period: Period) -> tuple[Period, ...]:
    """The periods of its level in its year up to this one, in time order; adjustments that come
    before it too."""
    found: dict[str, Period] = {period.identifier: period}
    before = period_at(calendar, period, -1)
    while before is not None and before.year == period.year:
        found[before.identifier] = before
        before = period_at(calendar, before, -1)
    for each in calendar.listed.at(period.level):
        if each.year == period.year and in_time(each) < in_time(period):
            found[each.identifier] = each
    return tuple(sorted(found.values(), key=in_time))


def _number(period: Period) -> tuple[int | None, ...]:
    return (period.number,) if period.day is None else (period.month, period.day)


def _is_regular(calendar: Calendar, period: Period) -> bool:
    return calendar.covering(period.level, period.start) == period


def _beside(calendar: Calendar, period: Period, step: int) -> Period | None:
    """The regular period next to it; None where the calendar ends."""
    if not _is_regular(calendar, period):
        shared = calendar.covering(period.level, period.end)
        comes_after = shared is not None and in_time(period) > in_time(shared)
        if shared is not None and comes_after == (step < 0):
            return shared
        period = shared or period
    if calendar.made.level(period.level) is not None:
        day = period.end + _DAY if step > 0 else period.start - _DAY
        return calendar.covering(period.level, day)
    regular = [p for p in calendar.listed.at(period.level) if _is_regular(calendar, p)]
    index = regular.index(period) + step if period in regular else -1
    return regular[index] if 0 <= index < len(regular) else None
