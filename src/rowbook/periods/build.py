"""Custom calendars, from their definition to a `Calendar`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import get_args

from rowbook.errors import RowbookError, listing
from rowbook.periods.calendar import Calendar
from rowbook.periods.explicit import ExplicitPeriod, list_periods
from rowbook.periods.gregorian import GREGORIAN
from rowbook.periods.level_checks import level_faults
from rowbook.periods.listed_checks import nesting_faults, own_faults
from rowbook.periods.period import YEARS, CalendarFault, Level
from rowbook.periods.rule_periods import RulePeriods
from rowbook.periods.rules import MonthsRule, NoRule, Rule, WeekPattern, WeeksRule

CalendarRule = MonthsRule | WeeksRule


def build_calendar(
    name: str,
    levels: Sequence[Level],
    rule: CalendarRule | None = None,
    periods: Sequence[ExplicitPeriod] = (),
) -> Calendar:
    """The calendar; a RowbookError with every fault (PERIOD_003) where the definition has any.

    A rule makes the levels it has a meaning for: year, half, quarter, month and day, by weeks also
    week. The periods of any other level are listed in `periods`, as are all without a rule, and
    those beside the rule's, such as a period 13."""
    faults = check_calendar(name, levels, rule, periods)
    if faults:
        diagnostics = (fault.diagnostic() for fault in faults)
        raise RowbookError(
            *(replace(d, message=f"calendar '{name}': {d.message}") for d in diagnostics)
        )
    made = _made(name, levels, rule or NoRule())
    return Calendar(name, tuple(levels), made, list_periods(levels, made, periods))


def check_calendar(
    name: str,
    levels: Sequence[Level],
    rule: CalendarRule | None = None,
    periods: Sequence[ExplicitPeriod] = (),
) -> list[CalendarFault]:
    """Every fault of a definition, in the order of name, rule, levels, periods.

    Where the listed periods belong is looked at only when levels and rule are sound: before that,
    there is nothing they could belong to."""
    listed = {period.level for period in periods}
    faults = [
        *_name_faults(name),
        *_rule_faults(rule, bool(periods)),
        *level_faults(levels, rule or NoRule(), listed),
    ]
    own = list(own_faults(levels, periods))
    if faults:
        return [*faults, *own]
    return [*own, *nesting_faults(levels, _made(name, levels, rule or NoRule()), periods)]


def _made(name: str, levels: Sequence[Level], rule: Rule) -> RulePeriods:
    return RulePeriods(name, rule, tuple(level for level in levels if level.name in rule.numbers))


def _name_faults(name: str) -> Iterator[CalendarFault]:
    if name == GREGORIAN.name:
        hint = "give yours another name"
        yield CalendarFault(("name",), f"the calendar '{name}' is built in", hint)


def _rule_faults(rule: CalendarRule | None, has_periods: bool) -> Iterator[CalendarFault]:
    match rule:
        case None:
            if not has_periods:
                message = "a calendar needs a rule, or a list of its periods"
                hint = "write a rule, such as {type: months, start_month: 7}"
                yield CalendarFault(("rule",), message, hint)
        case MonthsRule(start_month):
            if not 1 <= start_month <= 12:
                message = f"start_month {start_month} is not a month"
                yield CalendarFault(("rule", "start_month"), message, "use 1 to 12")
        case WeeksRule(pattern, start):
            known = get_args(WeekPattern)
            if pattern not in known:
                message = f"unknown pattern '{pattern}' of weeks"
                yield CalendarFault(("rule", "pattern"), message, f"use one of {listing(known)}")
            if start.year not in YEARS:
                message = f"start {start} is beyond the years of a calendar"
                hint = f"years go from {YEARS[0]} to {YEARS[-1]}"
                yield CalendarFault(("rule", "start"), message, hint)
