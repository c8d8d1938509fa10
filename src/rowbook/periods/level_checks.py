"""Checks of a calendar's levels: names, nesting, and identifiers that cannot be mistaken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from rowbook.errors import listing, suggestion
from rowbook.periods.patterns import Pattern, PatternError, compile_pattern
from rowbook.periods.period import CalendarFault, Level
from rowbook.periods.rules import Rule

_YEAR_AND_N = (frozenset({"year", "n"}),)
_SAYS = {"year": (frozenset({"year"}),), "day": (frozenset({"date"}), *_YEAR_AND_N)}
_FORM = "'FY{year}-{n:02}'"
_FORMS = {"year": "'FY{year}'", "day": "'{date}' or 'FY{year}-D{n:03}'"}


def level_faults(levels: Sequence[Level], rule: Rule, listed: Set[str]) -> Iterator[CalendarFault]:
    """All faults of the levels; `listed` names the levels that have listed periods."""
    if not levels:
        yield CalendarFault(("levels",), "a calendar needs at least one level")
    for place, level in enumerate(levels):
        yield from _name_faults(levels, place, rule, listed)
        yield from _parent_faults(levels, place, rule)
        yield from _identifier_faults(place, level, rule)
    yield from _clashes(levels)


def _name_faults(
    levels: Sequence[Level], place: int, rule: Rule, listed: Set[str]
) -> Iterator[CalendarFault]:
    name = levels[place].name
    path = ("levels", place, "name")
    if not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
        hint = "use letters, digits, '_', '-' and '.' only"
        yield CalendarFault(path, f"'{name}' cannot be the name of a level", hint)
    elif name in (level.name for level in levels[:place]):
        yield CalendarFault(path, f"level '{name}' stands twice", "keep one of the two")
    elif name not in rule.numbers and name not in listed:
        made = tuple(rule.numbers)
        yield CalendarFault(
            path,
            f"level '{name}' has no periods",
            f"list them under periods; the rule makes only: {listing(made)}"
            if made
            else "list them under periods, or give the calendar a rule",
        )


def _parent_faults(levels: Sequence[Level], place: int, rule: Rule) -> Iterator[CalendarFault]:
    level = levels[place]
    path = ("levels", place, "parent")
    before = [each.name for each in levels[:place]]
    made = list(rule.numbers)
    if level.parent is None:
        if place > 0:
            hint = f"only the first level stands alone; levels before it: {listing(before)}"
            yield CalendarFault(path, f"level '{level.name}' has no parent", hint)
    elif level.parent not in before:
        known = suggestion(level.parent, before, "levels before it")
        yield CalendarFault(
            path,
            f"the parent '{level.parent}' of level '{level.name}' is not a level before it",
            known or "the first level is the coarsest and has no parent",
        )
    elif level.name in made and level.parent not in made:
        yield CalendarFault(
            path,
            f"level '{level.name}' is made by the rule, and its parent '{level.parent}' is not",
            f"name one that the rule makes: {listing(made)}",
        )
    elif level.name in made and made.index(level.parent) > made.index(level.name):
        yield CalendarFault(
            path,
            f"a {level.name} is not part of a {level.parent}",
            f"from coarse to fine: {listing(made)}",
        )


def _identifier_faults(place: int, level: Level, rule: Rule) -> Iterator[CalendarFault]:
    path = ("levels", place, "identifier")
    try:
        pattern = compile_pattern(level.identifier)
    except PatternError as fault:
        message = f"identifier '{level.identifier}' of level '{level.name}': {fault}"
        yield CalendarFault(path, message, fault.hint)
        return
    if level.name in rule.numbers and set(pattern.says) not in _SAYS.get(level.name, _YEAR_AND_N):
        yield CalendarFault(
            path,
            f"identifier '{level.identifier}' does not tell one {level.name} from another",
            f"write it like {_FORMS.get(level.name, _FORM)}",
        )


def _clashes(levels: Sequence[Level]) -> Iterator[CalendarFault]:
    patterns = [_pattern(level) for level in levels]
    for place, (level, pattern) in enumerate(zip(levels, patterns, strict=True)):
        for other, earlier in zip(levels[:place], patterns[:place], strict=True):
            if pattern and earlier and pattern.clashes(earlier):
                yield CalendarFault(
                    ("levels", place, "identifier"),
                    f"identifiers of level '{level.name}' ('{level.identifier}') can look like "
                    f"those of level '{other.name}' ('{other.identifier}')",
                    "let a letter tell them apart, such as 'FY{year}-Q{n}' and 'FY{year}-{n:02}'",
                )


def _pattern(level: Level) -> Pattern | None:
    try:
        return compile_pattern(level.identifier)
    except PatternError:
        return None
