"""What computing a plan needs to know of the run it is computed for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from rowbook.periods import Calendar, Period


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
    def periods(self) -> tuple[str, ...]:
        below = self.calendar.descendants(self.period)
        return (self.period.identifier, *(p.identifier for p in below))
