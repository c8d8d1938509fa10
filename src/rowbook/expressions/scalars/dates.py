"""Functions of dates and timestamps; a timestamp counts as its day in UTC."""

from __future__ import annotations

from calendar import monthrange
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, timedelta

from rowbook.expressions.values import overflow


def day_of(d: date) -> date:
    return d.astimezone(UTC).date() if isinstance(d, datetime) else d


def year(d: date) -> int:
    return day_of(d).year


def quarter(d: date) -> int:
    return (day_of(d).month + 2) // 3


def month(d: date) -> int:
    return day_of(d).month


def day(d: date) -> int:
    return day_of(d).day


def weekday(d: date) -> int:
    """1 (Monday) to 7; of a timestamp: in UTC."""
    return day_of(d).isoweekday()


def days_between(end: date, start: date) -> int:
    """Calendar days, timestamps by their days in UTC: from 23:59 to 00:01 is 1; negative where the
    end is before the start."""
    return (day_of(end) - day_of(start)).days


def between(end: date, start: date, unit: str = "day") -> int:
    """Whole months or years are as many as `add` can add to the start without passing the end:
    from 2026-01-31 to 2026-02-28 is a month, as the last day of a month stays within the month.
    The other way round it is the same number, negative."""
    first, last = day_of(start), day_of(end)
    if unit == "day":
        return days_between(last, first)
    if last < first:
        return -between(first, last, unit)
    months = (last.year - first.year) * 12 + last.month - first.month
    if add(first, months, "month") > last:
        months -= 1
    return months // _MONTHS[unit]


def end_of_month(d: date, n: int = 0) -> date:
    """RUN_001 outside the years 0001 to 9999."""
    return _in_month(add(day_of(d), n, "month"), 31)


def of_parts(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None


def add(d: date, n: int, unit: str) -> date:
    """Months and years keep the day, or take the last of a shorter month: 2024-02-29 and 1 year is
    2025-02-28, and 1 month 2024-03-29. RUN_001 outside the years 0001 to 9999."""
    try:
        if unit == "day":
            return d + timedelta(days=n)
        years, months = divmod(d.month - 1 + n * _MONTHS[unit], 12)
        if not MINYEAR <= d.year + years <= MAXYEAR:
            raise OverflowError
    except OverflowError:
        raise overflow(f"{d} and {n} {unit}s is outside the years 0001 to 9999") from None
    return _in_month(date(d.year + years, months + 1, 1), d.day)


def _in_month(month: date, day: int) -> date:
    return month.replace(day=min(day, monthrange(month.year, month.month)[1]))


_MONTHS = {"month": 1, "year": 12}
