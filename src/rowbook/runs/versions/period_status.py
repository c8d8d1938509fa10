"""The periods of a calendar with their status: listed, closed, locked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from rowbook.definitions.models.calendar import CalendarDefinition
from rowbook.definitions.models.entity import derived_id
from rowbook.errors import RowbookError
from rowbook.periods import Calendar, Period
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.definitions.lookup import Missing
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.store import PeriodState, PeriodStatus


@dataclass(frozen=True, slots=True)
class PeriodLine:
    period: Period
    state: PeriodState


def list_periods(
    workspace: OpenWorkspace, calendar: str, year: int | None, today: date
) -> tuple[PeriodLine, ...]:
    """The months of a year (of a calendar without months: its finest level above days), and every
    other period of it that is closed or locked. Without a year: those of the current one, and all
    that are closed or locked in any."""
    definitions = workspace.definitions
    found, calendar_id = _calendar(calendar, definitions), calendar_identity(calendar, definitions)
    store = workspace.find_store()
    states = {each.period: each for each in store.periods.states(calendar_id)} if store else {}
    label = year if year is not None else _year_of(found, today)
    periods = {p.identifier: p for p in _months(found, label)}
    for identifier in states:
        period = _still_there(found, identifier)
        if period is not None and year in (None, period.year):
            periods.setdefault(identifier, period)
    ordered = sorted(periods.values(), key=lambda p: (p.start, p.end, p.number))
    return tuple(
        PeriodLine(p, states.get(p.identifier) or PeriodState(calendar_id, p.identifier, "open"))
        for p in ordered
    )


def find_period(workspace: OpenWorkspace, calendar: str, identifier: str) -> Period:
    """PERIOD_001, PERIOD_002."""
    return _calendar(calendar, workspace.definitions).parse(identifier)


def move_period(
    workspace: OpenWorkspace,
    calendar: str,
    identifier: str,
    status: PeriodStatus,
    *,
    by: str,
    at: datetime,
    reason: str | None,
) -> PeriodLine:
    """PERIOD_006 where it is not open, or to be locked not closed."""
    definitions = workspace.definitions
    period = _calendar(calendar, definitions).parse(identifier)
    calendar_id = calendar_identity(calendar, definitions)
    periods = workspace.store.periods
    move = periods.close if status == "closed" else periods.lock
    return PeriodLine(period, move(calendar_id, period.identifier, by=by, at=at, reason=reason))


def period_history(
    workspace: OpenWorkspace, calendar: str, identifier: str | None = None
) -> tuple[PeriodState, ...]:
    definitions = workspace.definitions
    found = _calendar(calendar, definitions)
    period = found.parse(identifier).identifier if identifier is not None else None
    store = workspace.find_store()
    if store is None:
        return ()
    return store.periods.history(calendar_identity(calendar, definitions), period)


def calendar_identity(name: str, definitions: Definitions) -> str:
    """PERIOD_002. The built-in one has a derived id, as every calendar that states none."""
    calendar = _calendar(name, definitions)
    for place in (definitions, definitions.stored()):
        for key, each in place.calendars.items() if place else ():
            if each is calendar and key != calendar.name:
                return key
    return derived_id(CalendarDefinition.kind, calendar.name)


def _calendar(reference: str, definitions: Definitions) -> Calendar:
    found = definitions.calendar(reference)
    if isinstance(found, Missing):
        raise RowbookError.of("PERIOD_002", found.message, hint=found.hint)
    return found


def _months(calendar: Calendar, year: int) -> Iterator[Period]:
    names = [level.name for level in calendar.levels]
    coarse = names[0]
    level = (
        "month"
        if "month" in names
        else next(n for n in reversed(names) if n != "day" or n == coarse)
    )
    for period in _coarsest(calendar, year):
        if level == coarse or level in calendar.finer(coarse):
            yield from calendar.expand(period, level)


def _coarsest(calendar: Calendar, year: int) -> tuple[Period, ...]:
    """The periods of the coarsest level that the calendar counts in a year, whose days may begin or
    end in the one beside it."""
    days = (date(y, month, 1) for y in range(year - 1, year + 2) for month in range(1, 13))
    found = (_covering(calendar, day) for day in days)
    return tuple(dict.fromkeys(period for period in found if period and period.year == year))


def _covering(calendar: Calendar, day: date) -> Period | None:
    try:
        return calendar.covers(calendar.levels[0].name, day)
    except RowbookError:
        return None


def _year_of(calendar: Calendar, day: date) -> int:
    period = _covering(calendar, day)
    return period.year if period else day.year


def _still_there(calendar: Calendar, identifier: str) -> Period | None:
    try:
        return calendar.parse(identifier)
    except RowbookError:
        return None
