"""Periods that a calendar's definition lists one by one: a whole calendar, or a period 13."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import date

from rowbook.periods.patterns import Reading, compile_pattern
from rowbook.periods.period import Level, Period, in_time
from rowbook.periods.rule_periods import RulePeriods
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class ExplicitPeriod:
    """A period as a definition lists it. `end` is its last day; `parent` is an identifier of a
    period at any coarser level, so that a period 13 may belong to the year and to no quarter."""

    identifier: str
    level: str
    start: date
    end: date
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class ListedPeriods:
    periods: tuple[Period, ...] = ()
    _index: Mapping[str, Period] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", {p.identifier: p for p in self.periods})

    def find(self, identifier: str) -> Period | None:
        return self._index.get(identifier)

    def at(self, level: str) -> tuple[Period, ...]:
        return tuple(p for p in self.periods if p.level == level)

    def covering(self, level: str, day: date) -> Period | None:
        """The first period of a level in which a day lies: the month rather than its adjustment."""
        return next((p for p in self.at(level) if p.start <= day <= p.end), None)


def list_periods(
    levels: Sequence[Level], made: RulePeriods, explicit: Iterable[ExplicitPeriod]
) -> ListedPeriods:
    """The listed periods with year and numbers, from definitions that `check_calendar` passed.

    Year and number are what the identifier says by its level's pattern. An identifier that does
    not say so, such as `2026-spring`, has its parent's year (without a parent: the year in which it
    ends) and its place among the parent's periods of that level."""
    found: dict[str, Period] = {}
    by_time = sorted(explicit, key=lambda e: (e.end, e.start))
    for level in levels:
        places: dict[str | None, int] = {}
        for each in (e for e in by_time if e.level == level.name):
            parent = (found.get(each.parent) or made.find(each.parent)) if each.parent else None
            places[each.parent] = place = places.get(each.parent, 0) + 1
            found[each.identifier] = _listed(made.calendar, level, each, parent, place)
    return ListedPeriods(tuple(sorted(found.values(), key=in_time)))


def _listed(
    calendar: str, level: Level, explicit: ExplicitPeriod, parent: Period | None, place: int
) -> Period:
    said = compile_pattern(level.identifier).read(explicit.identifier) or Reading()
    period = Period(
        calendar=calendar,
        level=level.name,
        identifier=explicit.identifier,
        start=explicit.start,
        end=explicit.end,
        parent=explicit.parent,
        year=said.year or (parent.year if parent else explicit.end.year),
        number=place if said.n is None else said.n,
    )
    return _with_numbers(period, parent, said.n)


def _with_numbers(period: Period, parent: Period | None, n: int | None) -> Period:
    """The numbers of the parent, and the period's own where its level is one that has a number."""
    if parent:
        period = replace(period, quarter=parent.quarter, month=parent.month, week=parent.week)
    match period.level:
        case "quarter":
            return replace(period, quarter=n)
        case "month":
            return replace(period, month=n)
        case "week":
            return replace(period, week=n)
        case "day" if parent and parent.level == "month":
            return replace(period, day=(period.start - parent.start).days + 1)
        case _:
            return period
