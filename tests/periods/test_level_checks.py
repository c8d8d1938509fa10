"""Faults of definitions: where each is, what it says, and that all are found at once."""

from __future__ import annotations

from collections.abc import Sequence
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
from tests.periods.samples import DAY, HALF, MONTH, PERIOD_13, QUARTER, WEEK, YEAR

_JULY = MonthsRule(7)
_LAST = date(2026, 6, 30)
_FISCAL = [YEAR, QUARTER, MONTH]


def _fault(
    levels: Sequence[Level],
    rule: CalendarRule | None = None,
    periods: Sequence[ExplicitPeriod] = (),
) -> CalendarFault:
    """The only fault of a definition."""
    (fault,) = check_calendar("fiscal", levels, rule, periods)
    return fault


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


@pytest.mark.parametrize(
    ("levels", "place", "key", "message", "hint"),
    [
        (
            [YEAR, Level("semester", "FY{year}-S{n}", "year")],
            1,
            "name",
            "level 'semester' has no periods",
            "list them under periods; the rule makes only: year, half, quarter, month, day",
        ),
        (
            [YEAR, Level("week", "FY{year}-W{n:02}", "year")],
            1,
            "name",
            "level 'week' has no periods",
            "list them under periods; the rule makes only: year, half, quarter, month, day",
        ),
        (
            [YEAR, Level("year", "Y{year}", "year")],
            1,
            "name",
            "level 'year' stands twice",
            "keep one of the two",
        ),
        (
            [Level("a year", "FY{year}")],
            0,
            "name",
            "'a year' cannot be the name of a level",
            "use letters, digits, '_', '-' and '.' only",
        ),
        (
            [YEAR, Level("month", "FY{year}-{n:02}")],
            1,
            "parent",
            "level 'month' has no parent",
            "only the first level stands alone; levels before it: year",
        ),
        (
            [YEAR, Level("month", "FY{year}-{n:02}", "yaer")],
            1,
            "parent",
            "the parent 'yaer' of level 'month' is not a level before it",
            "did you mean 'year'?  levels before it: year",
        ),
        (
            [Level("year", "FY{year}", "year")],
            0,
            "parent",
            "the parent 'year' of level 'year' is not a level before it",
            "the first level is the coarsest and has no parent",
        ),
        (
            [Level("month", "FY{year}-{n:02}"), Level("quarter", "FY{year}-Q{n}", "month")],
            1,
            "parent",
            "a quarter is not part of a month",
            "from coarse to fine: year, half, quarter, month, day",
        ),
        (
            [Level("year", "FY{yeer}")],
            0,
            "identifier",
            "identifier 'FY{yeer}' of level 'year': unknown placeholder '{yeer}'",
            "did you mean '{year}'?  placeholders: {year}, {yy}, {n}, {n:02}, {n:03}, {date}",
        ),
        (
            [Level("year", "FY{year}{yy}")],
            0,
            "identifier",
            "identifier 'FY{year}{yy}' of level 'year': the year stands twice",
            "keep one of the two",
        ),
        (
            [Level("year", "FY")],
            0,
            "identifier",
            "identifier 'FY' does not tell one year from another",
            "write it like 'FY{year}'",
        ),
        (
            [YEAR, Level("month", "M{n:02}", "year")],
            1,
            "identifier",
            "identifier 'M{n:02}' does not tell one month from another",
            "write it like 'FY{year}-{n:02}'",
        ),
        (
            [YEAR, Level("day", "D{year}", "year")],
            1,
            "identifier",
            "identifier 'D{year}' does not tell one day from another",
            "write it like '{date}' or 'FY{year}-D{n:03}'",
        ),
        (
            [Level("year", "FY/{year}")],
            0,
            "identifier",
            "identifier 'FY/{year}' of level 'year': an identifier cannot hold '/' or '\\', "
            "because it stands in paths",
            None,
        ),
        (
            [Level("year", "")],
            0,
            "identifier",
            "identifier '' of level 'year': an identifier cannot be empty",
            None,
        ),
        (
            [
                YEAR,
                Level("quarter", "FY{year}-{n}", "year"),
                Level("month", "FY{year}-{n}", "year"),
            ],
            2,
            "identifier",
            "identifiers of level 'month' ('FY{year}-{n}') can look like those of level 'quarter' "
            "('FY{year}-{n}')",
            "let a letter tell them apart, such as 'FY{year}-Q{n}' and 'FY{year}-{n:02}'",
        ),
    ],
)
def test_a_fault_of_a_level_says_where_and_what(
    levels: list[Level], place: int, key: str, message: str, hint: str | None
) -> None:
    assert _fault(levels, _JULY) == CalendarFault(("levels", place, key), message, hint)


def test_a_level_that_the_rule_makes_cannot_be_part_of_a_listed_one() -> None:
    season = Level("season", "S{year}-{n}", "year")
    month = Level("month", "FY{year}-{n:02}", "season")
    listed = ExplicitPeriod("S2026-1", "season", date(2025, 7, 1), _LAST, "FY2026")
    assert _fault([YEAR, season, month], _JULY, [listed]) == CalendarFault(
        ("levels", 2, "parent"),
        "level 'month' is made by the rule, and its parent 'season' is not",
        "name one that the rule makes: year, half, quarter, month, day",
    )


def test_a_calendar_needs_levels() -> None:
    assert _fault([], _JULY) == CalendarFault(("levels",), "a calendar needs at least one level")


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
    assert _fault([YEAR], rule) == CalendarFault(("rule", key), message, hint)


@pytest.mark.parametrize(
    ("period", "key", "message", "hint"),
    [
        (
            ExplicitPeriod("FY2026-13", "mnth", _LAST, _LAST, "FY2026"),
            "level",
            "period 'FY2026-13' has the unknown level 'mnth'",
            "did you mean 'month'?  levels: year, quarter, month",
        ),
        (
            ExplicitPeriod("FY2026-13", "month", _LAST, date(2026, 6, 29), "FY2026"),
            "end",
            "period 'FY2026-13' ends on 2026-06-29, before its start 2026-06-30",
            "end is the last day of the period",
        ),
        (
            ExplicitPeriod("FY2026-13", "month", _LAST, _LAST),
            "parent",
            "period 'FY2026-13' of level 'month' has no parent",
            "name the quarter or year that it belongs to",
        ),
        (
            ExplicitPeriod("FY2026-13", "month", _LAST, _LAST, "2026"),
            "parent",
            "the parent '2026' of period 'FY2026-13' of level 'month' is not a period of the "
            "calendar",
            "such as FY2026-Q1, FY2026",
        ),
        (
            ExplicitPeriod("FY2026-13", "month", _LAST, _LAST, "FY26"),
            "parent",
            "the parent 'FY26' of period 'FY2026-13' of level 'month' is not a period of the "
            "calendar",
            "did you mean 'FY2026'?",
        ),
        (
            ExplicitPeriod("FY2026-13", "month", _LAST, _LAST, "FY2026-12"),
            "parent",
            "period 'FY2026-13' of level 'month' cannot be part of month 'FY2026-12'",
            "levels above month: quarter, year",
        ),
        (
            ExplicitPeriod("FY2026-13", "month", _LAST, date(2026, 7, 1), "FY2026"),
            "end",
            "period 'FY2026-13' of level 'month' (2026-06-30 to 2026-07-01) is not within its "
            "parent 'FY2026' (2025-07-01 to 2026-06-30)",
            "a period lies within its parent; it may overlap the others in there",
        ),
        (
            ExplicitPeriod("FY2026-13", "month", date(2025, 6, 30), _LAST, "FY2026"),
            "start",
            "period 'FY2026-13' of level 'month' (2025-06-30 to 2026-06-30) is not within its "
            "parent 'FY2026' (2025-07-01 to 2026-06-30)",
            "a period lies within its parent; it may overlap the others in there",
        ),
        (
            ExplicitPeriod("FY2026-12", "month", _LAST, _LAST, "FY2026"),
            "identifier",
            "period 'FY2026-12' of level 'month' is made by the rule already: 2026-06-01 to "
            "2026-06-30",
            "remove it, or give it another number",
        ),
        (
            ExplicitPeriod("FY2026-ADJ", "month", _LAST, _LAST, "FY2026"),
            "identifier",
            "period 'FY2026-ADJ' of level 'month' does not have the form 'FY{year}-{n:02}'",
            "number it on from the rule's periods, or give it a level of its own",
        ),
        (
            ExplicitPeriod("FY2025-13", "month", _LAST, _LAST, "FY2026"),
            "identifier",
            "period 'FY2025-13' names the year 2025, its parent 'FY2026' belongs to 2026",
            "correct the identifier or the parent",
        ),
        (
            ExplicitPeriod("", "year", _LAST, _LAST),
            "identifier",
            "period '': an identifier cannot be empty",
            None,
        ),
    ],
)
def test_a_fault_of_a_listed_period_says_where_and_what(
    period: ExplicitPeriod, key: str, message: str, hint: str | None
) -> None:
    assert _fault(_FISCAL, _JULY, [period]) == CalendarFault(("periods", 0, key), message, hint)


def test_a_period_that_is_listed_twice_is_refused_at_the_second() -> None:
    fault = _fault(_FISCAL, _JULY, [PERIOD_13, PERIOD_13])
    assert fault.path == ("periods", 1, "identifier")
    assert fault.message == "period 'FY2026-13' stands twice"


def test_a_listed_name_must_not_look_like_one_of_the_rules() -> None:
    season = Level("season", "season-{n}", "year")
    listed = ExplicitPeriod("FY2026-Q9", "season", date(2025, 7, 1), _LAST, "FY2026")
    fault = _fault([*_FISCAL, season], _JULY, [listed])
    assert fault.path == ("periods", 0, "identifier")
    assert fault.message == (
        "period 'FY2026-Q9' of level 'season' has the form of level 'quarter' ('FY{year}-Q{n}')"
    )


def test_a_period_of_the_coarsest_level_has_no_parent() -> None:
    levels = [Level("year", "{year}")]
    periods = [
        ExplicitPeriod("2025", "year", date(2025, 1, 1), date(2026, 12, 31)),
        ExplicitPeriod("2026", "year", date(2026, 1, 1), date(2026, 12, 31), "2025"),
    ]
    fault = _fault(levels, None, periods)
    assert fault.path == ("periods", 1, "parent")
    assert fault.hint == "year is the coarsest level: leave the parent out"


def test_an_unknown_parent_is_told_the_listed_periods_above() -> None:
    levels = [Level("year", "Y{year}"), Level("term", "T{n}", "year")]
    periods = [
        ExplicitPeriod("Y2026", "year", date(2026, 1, 1), date(2026, 12, 31)),
        ExplicitPeriod("T1", "term", date(2026, 1, 1), date(2026, 5, 31), "Y2062"),
    ]
    fault = _fault(levels, None, periods)
    assert fault.path == ("periods", 1, "parent")
    assert fault.hint == "did you mean 'Y2026'?  listed above it: Y2026"


def test_a_listed_day_lies_in_the_years_of_a_calendar() -> None:
    periods = [ExplicitPeriod("Y1", "year", date(1800, 1, 1), date(1900, 1, 1))]
    fault = _fault([Level("year", "Y{n}")], None, periods)
    assert (fault.path, fault.hint) == (("periods", 0, "start"), "years go from 1900 to 2999")


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


def test_a_fault_of_one_listed_period_does_not_hide_the_parent_of_another() -> None:
    faults = check_calendar(
        "fiscal",
        _FISCAL,
        _JULY,
        [
            ExplicitPeriod("FY2026-13", "month", _LAST, date(2026, 6, 29), "FY2026"),
            ExplicitPeriod("FY2026-14", "month", _LAST, _LAST, "FY26"),
        ],
    )
    assert [fault.path for fault in faults] == [("periods", 0, "end"), ("periods", 1, "parent")]


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


def test_a_fault_becomes_a_diagnostic_that_the_caller_gives_a_place() -> None:
    fault = _fault([YEAR], MonthsRule(13))
    diagnostic = fault.diagnostic()
    assert (diagnostic.code, diagnostic.message) == ("PERIOD_003", "start_month 13 is not a month")
    assert diagnostic.position is None
