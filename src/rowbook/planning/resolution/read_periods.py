"""The periods of a dataset that a run reads: its own, or those that a view says."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.definitions.models.other_periods import PeriodSpan
from rowbook.errors import Diagnostic, Severity
from rowbook.periods import Calendar, Period, period_at, same_last_year, year_to_date
from rowbook.planning.datasets import Dataset
from rowbook.planning.run_context import RunContext
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class ReadPeriods:
    """In time order; `outside` are those that the calendar does not have, in words. Of all periods,
    which are not counted, it is the run's own."""

    periods: tuple[Period, ...]
    outside: tuple[str, ...] = ()

    @property
    def identifiers(self) -> tuple[str, ...]:
        return tuple(each.identifier for each in self.periods)


def read_periods(dataset: Dataset, context: RunContext) -> ReadPeriods:
    if dataset.origin is None:
        return ReadPeriods((context.period,))
    said, calendar, own = dataset.definition.periods, context.calendar, context.period
    match said:
        case PeriodSpan():
            return _counted(said, calendar, own)
        case "previous":
            return _at(-1, calendar, own)
        case "same_last_year":
            found = same_last_year(calendar, own)
            words = (f"the {own.level} of last year like {own.identifier}",)
            return ReadPeriods((), words) if found is None else ReadPeriods((found,))
        case "year_to_date":
            return ReadPeriods(year_to_date(calendar, own))
        case "current" | "all":
            return ReadPeriods((own,))


def _counted(span: PeriodSpan, calendar: Calendar, own: Period) -> ReadPeriods:
    if span.trailing is None:
        return _at(span.offset or 0, calendar, own)
    found = [own]
    while len(found) < span.trailing:
        before = period_at(calendar, found[0], -1)
        if before is None:
            words = f"{_label(span.trailing - len(found), own)} before {found[0].identifier}"
            return ReadPeriods(tuple(found), (words,))
        found.insert(0, before)
    return ReadPeriods(tuple(found))


def _at(offset: int, calendar: Calendar, own: Period) -> ReadPeriods:
    found = period_at(calendar, own, offset)
    if found is not None:
        return ReadPeriods((found,))
    words = f"{_label(abs(offset), own)} {'before' if offset < 0 else 'after'} {own.identifier}"
    return ReadPeriods((), (words,))


def _label(count: int, own: Period) -> str:
    return f"{count:,} {own.level}{'s' * (count != 1)}"


def absence(dataset: Dataset, absent: Sequence[str]) -> Diagnostic | None:
    """DATASET_019: of periods without data, an error or a warning as the view says; None where it
    says that they are empty."""
    if not absent or dataset.definition.missing == "empty":
        return None
    message = f"dataset '{dataset.name}' has no data of '{dataset.source_name}' for "
    severity: Severity = "error" if dataset.definition.missing == "error" else "warning"
    return Diagnostic("DATASET_019", message + ", ".join(absent), severity=severity)
