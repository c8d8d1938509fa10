"""Checks of the periods that a calendar lists: each for itself, and its place below its parent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rowbook.errors import listing, suggestion
from rowbook.periods.explicit import ExplicitPeriod
from rowbook.periods.patterns import compile_pattern, identifier_fault
from rowbook.periods.period import YEARS, CalendarFault, Level, Period
from rowbook.periods.rule_periods import RulePeriods


def own_faults(
    levels: Sequence[Level], periods: Sequence[ExplicitPeriod]
) -> Iterator[CalendarFault]:
    """Faults that can be told without the rule and without the other levels' periods."""
    names = [level.name for level in levels]
    seen: set[str] = set()
    for place, period in enumerate(periods):
        path = ("periods", place)
        fault = identifier_fault(period.identifier)
        if fault:
            yield CalendarFault((*path, "identifier"), f"period '{period.identifier}': {fault}")
        elif period.identifier in seen:
            message = f"period '{period.identifier}' stands twice"
            yield CalendarFault((*path, "identifier"), message, "keep one of the two")
        seen.add(period.identifier)
        if period.level not in names:
            yield CalendarFault(
                (*path, "level"),
                f"period '{period.identifier}' has the unknown level '{period.level}'",
                suggestion(period.level, names, "levels"),
            )
        if period.start > period.end:
            yield CalendarFault(
                (*path, "end"),
                f"period '{period.identifier}' ends on {period.end}, before its start "
                f"{period.start}",
                "end is the last day of the period",
            )
        for key, day in (("start", period.start), ("end", period.end)):
            if day.year not in YEARS:
                message = f"period '{period.identifier}': {day} is beyond the years of a calendar"
                hint = f"years go from {YEARS[0]} to {YEARS[-1]}"
                yield CalendarFault((*path, key), message, hint)


def nesting_faults(
    levels: Sequence[Level], made: RulePeriods, periods: Sequence[ExplicitPeriod]
) -> Iterator[CalendarFault]:
    """Faults against the rule's periods and the parents; levels and rule must be sound."""
    by_name = {level.name: level for level in levels}
    listed = {period.identifier: period for period in periods}
    for place, period in enumerate(periods):
        level = by_name.get(period.level)
        if level is None or identifier_fault(period.identifier):
            continue
        yield from _form_faults(place, period, made)
        above = _ancestors(level, by_name)
        if period.parent is None or not above:
            yield from _presence_faults(place, period, above)
            continue
        parent = listed.get(period.parent) or made.find(period.parent)
        if parent:
            yield from _parent_faults(place, period, parent, above)
            yield from _year_faults(place, period, parent, made)
        else:
            yield _unknown_parent(place, period, period.parent, above, made, periods)


def _form_faults(place: int, period: ExplicitPeriod, made: RulePeriods) -> Iterator[CalendarFault]:
    """An identifier of a level that the rule makes has that level's form, and no other has it."""
    path = ("periods", place, "identifier")
    what = _what(period)
    forms = {
        level.name: level.identifier
        for level in made.levels
        if compile_pattern(level.identifier).read(period.identifier)
    }
    own = made.level(period.level)
    existing = made.find(period.identifier)
    if own and own.name not in forms:
        hint = "number it on from the rule's periods, or give it a level of its own"
        yield CalendarFault(path, f"{what} does not have the form '{own.identifier}'", hint)
    elif own and existing:
        message = f"{what} is made by the rule already: {existing.start} to {existing.end}"
        yield CalendarFault(path, message, "remove it, or give it another number")
    elif forms and not own:
        name, identifier = next(iter(forms.items()))
        message = f"{what} has the form of level '{name}' ('{identifier}')"
        yield CalendarFault(path, message, "name it so that it cannot be mistaken")


def _presence_faults(
    place: int, period: ExplicitPeriod, above: Sequence[Level]
) -> Iterator[CalendarFault]:
    """A period has a parent, unless it is of the coarsest level."""
    path = ("periods", place, "parent")
    if above:
        hint = f"name the {_names(above, ' or ')} that it belongs to"
        yield CalendarFault(path, f"{_what(period)} has no parent", hint)
    elif period.parent is not None:
        hint = f"{period.level} is the coarsest level: leave the parent out"
        yield CalendarFault(path, f"{_what(period)} cannot have a parent", hint)


def _unknown_parent(
    place: int,
    period: ExplicitPeriod,
    parent: str,
    above: Sequence[Level],
    made: RulePeriods,
    periods: Sequence[ExplicitPeriod],
) -> CalendarFault:
    near = made.find_loosely(parent)
    names = {level.name for level in above}
    examples = [made.example(level) for level in above if made.level(level.name)]
    listed = [p.identifier for p in periods if p.level in names]
    return CalendarFault(
        ("periods", place, "parent"),
        f"the parent '{parent}' of {_what(period)} is not a period of the calendar",
        f"did you mean '{near.identifier}'?"
        if near
        else suggestion(parent, listed, "listed above it") or f"such as {listing(examples)}",
    )


def _parent_faults(
    place: int, period: ExplicitPeriod, parent: ExplicitPeriod | Period, above: Sequence[Level]
) -> Iterator[CalendarFault]:
    path = ("periods", place)
    what = _what(period)
    if parent.level not in [level.name for level in above]:
        yield CalendarFault(
            (*path, "parent"),
            f"{what} cannot be part of {parent.level} '{parent.identifier}'",
            f"levels above {period.level}: {_names(above, ', ')}",
        )
    if period.start < parent.start or period.end > parent.end:
        yield CalendarFault(
            (*path, "start" if period.start < parent.start else "end"),
            f"{what} ({period.start} to {period.end}) is not within its parent "
            f"'{parent.identifier}' ({parent.start} to {parent.end})",
            "a period lies within its parent; it may overlap the others in there",
        )


def _year_faults(
    place: int, period: ExplicitPeriod, parent: ExplicitPeriod | Period, made: RulePeriods
) -> Iterator[CalendarFault]:
    own = made.level(period.level)
    said = compile_pattern(own.identifier).read(period.identifier) if own else None
    if said and said.year and isinstance(parent, Period) and said.year != parent.year:
        yield CalendarFault(
            ("periods", place, "identifier"),
            f"period '{period.identifier}' names the year {said.year}, its parent "
            f"'{parent.identifier}' belongs to {parent.year}",
            "correct the identifier or the parent",
        )


def _ancestors(level: Level, by_name: Mapping[str, Level]) -> list[Level]:
    found = []
    while level.parent is not None:
        level = by_name[level.parent]
        found.append(level)
    return found


def _what(period: ExplicitPeriod) -> str:
    return f"period '{period.identifier}' of level '{period.level}'"


def _names(levels: Sequence[Level], between: str) -> str:
    return between.join(level.name for level in levels)
