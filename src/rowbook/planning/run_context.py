"""What computing a plan needs to know of the run it is computed for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from rowbook.expressions.closures import Moment, PeriodDays
from rowbook.periods import Calendar, Period, period_at


def moment_in(period: Period, calendar: Calendar, now: datetime) -> Moment:
    """What expressions know of a run in a period."""

    def days(offset: int) -> PeriodDays | None:
        found = period_at(calendar, period, offset)
        return None if found is None else PeriodDays(found.identifier, found.start, found.end)

    return Moment(now, period.identifier, days)


@dataclass(frozen=True, slots=True)
class RunContext:
    """Nobody else asks for the time. `as_of` as a date means the end of that day."""

    run_id: str
    project_id: str
    now: datetime
    period: Period
    calendar: Calendar
    as_of: date | datetime

    @property
    def moment(self) -> Moment:
        return moment_in(self.period, self.calendar, self.now)

    @property
    def periods(self) -> tuple[str, ...]:
        below = self.calendar.descendants(self.period)
        return (self.period.identifier, *(p.identifier for p in below))
