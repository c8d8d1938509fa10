"""Calendars from their definition: faults of name and rule, and that all are found at once."""

from __future__ import annotations

from datetime import date
from typing import cast

import pytest

from rowbook.errors import RowbookError
from rowbook.periods import (
    CalendarFault,
    CalendarRule,
    ExplicitPeriod,
    Level,
    MonthsRule,
    WeekPattern,
    WeeksRule,
    build_calendar,
    check_calendar,
)
from tests.periods.samples import DAY, HALF, MONTH, QUARTER, WEEK, YEAR, only_fault

_JULY = MonthsRule(7)
_LAST = date(2026, 6, 30)
_FISCAL = [YEAR, QUARTER, MONTH]


@pytest.mark.parametrize(
    ("levels", "rule"),
    [
        (_FISCAL, _JULY),
        ([YEAR, HALF, QUARTER, MONTH, DAY], MonthsRule(1)),
        ([YEAR, QUARTER, MONTH, WEEK, DAY], WeeksRule("4-4-5", date(2025, 12, 29))),
        ([Level("year", "{yy}"), Level("month", "{yy}.{n}", "year")], _JULY),
        (
            [YEAR, Level("week", "{n:02}.{year}", "year")],
            WeeksRule("5-4-4", _LAST),
        ),
    ],
)
def test_a_sound_definition_has_no_faults(levels: list[Level], rule: CalendarRule) -> None:
    assert check_calendar("fiscal", levels, rule) == []


def test_a_calendar_needs_a_rule_or_periods() -> None:
    rule, level = check_calendar("fiscal", [YEAR])
    assert rule.path == ("rule",)
    assert rule.message == "a calendar needs a rule, or a list of its periods"
    assert level.path == ("levels", 0, "name")
    assert level.hint == "list them under periods, or give the calendar a rule"


def test_the_built_in_calendar_cannot_be_defined_again() -> None:
    (fault,) = check_calendar("gregorian", [YEAR], _JULY)
    assert (fault.path, fault.message) == (("name",), "the calendar 'gregorian' is built in")


@pytest.mark.parametrize(
    ("rule", "key", "message", "hint"),
    [
        (MonthsRule(0), "start_month", "start_month 0 is not a month", "use 1 to 12"),
        (MonthsRule(13), "start_month", "start_month 13 is not a month", "use 1 to 12"),
        (
            WeeksRule(cast("WeekPattern", "4-4-4"), date(2025, 12, 29)),
            "pattern",
            "unknown pattern '4-4-4' of weeks",
            "use one of 4-4-5, 4-5-4, 5-4-4",
        ),
        (
            WeeksRule("4-4-5", date(1, 1, 1)),
            "start",
            "start 0001-01-01 is beyond the years of a calendar",
            "years go from 1900 to 2999",
        ),
    ],
)
def test_a_fault_of_the_rule_says_where_and_what(
    rule: CalendarRule, key: str, message: str, hint: str
) -> None:
    assert only_fault([YEAR], rule) == CalendarFault(("rule", key), message, hint)


def test_all_faults_are_found_at_once() -> None:
    faults = check_calendar(
        "fiscal",
        [Level("year", "FY{yeer}"), Level("month", "FY{year}-{n:02}")],
        MonthsRule(13),
        [ExplicitPeriod("FY2026-13", "mnth", _LAST, date(2026, 6, 29), "FY2026")],
    )
    assert [fault.path for fault in faults] == [
        ("rule", "start_month"),
        ("levels", 0, "identifier"),
        ("levels", 1, "parent"),
        ("periods", 0, "level"),
        ("periods", 0, "end"),
    ]


def test_building_refuses_with_every_fault_and_names_the_calendar() -> None:
    with pytest.raises(RowbookError) as caught:
        build_calendar("fiscal", [Level("year", "FY")], MonthsRule(13))
    assert [(d.code, d.message, d.hint) for d in caught.value.diagnostics] == [
        ("PERIOD_003", "calendar 'fiscal': start_month 13 is not a month", "use 1 to 12"),
        (
            "PERIOD_003",
            "calendar 'fiscal': identifier 'FY' does not tell one year from another",
            "write it like 'FY{year}'",
        ),
    ]
