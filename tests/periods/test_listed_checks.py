"""Faults of the periods that a calendar lists: where each is, and what it says."""

from __future__ import annotations

from datetime import date

import pytest

from rowbook.periods import CalendarFault, ExplicitPeriod, Level, MonthsRule, check_calendar
from tests.periods.samples import MONTH, PERIOD_13, QUARTER, YEAR, only_fault

_JULY = MonthsRule(7)
_LAST = date(2026, 6, 30)
_FISCAL = [YEAR, QUARTER, MONTH]


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
    assert only_fault(_FISCAL, _JULY, [period]) == CalendarFault(("periods", 0, key), message, hint)


def test_a_period_that_is_listed_twice_is_refused_at_the_second() -> None:
    fault = only_fault(_FISCAL, _JULY, [PERIOD_13, PERIOD_13])
    assert fault.path == ("periods", 1, "identifier")
    assert fault.message == "period 'FY2026-13' stands twice"


def test_a_listed_name_must_not_look_like_one_of_the_rules() -> None:
    season = Level("season", "season-{n}", "year")
    listed = ExplicitPeriod("FY2026-Q9", "season", date(2025, 7, 1), _LAST, "FY2026")
    fault = only_fault([*_FISCAL, season], _JULY, [listed])
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
    fault = only_fault(levels, None, periods)
    assert fault.path == ("periods", 1, "parent")
    assert fault.hint == "year is the coarsest level: leave the parent out"


def test_an_unknown_parent_is_told_the_listed_periods_above() -> None:
    levels = [Level("year", "Y{year}"), Level("term", "T{n}", "year")]
    periods = [
        ExplicitPeriod("Y2026", "year", date(2026, 1, 1), date(2026, 12, 31)),
        ExplicitPeriod("T1", "term", date(2026, 1, 1), date(2026, 5, 31), "Y2062"),
    ]
    fault = only_fault(levels, None, periods)
    assert fault.path == ("periods", 1, "parent")
    assert fault.hint == "did you mean 'Y2026'?  listed above it: Y2026"


def test_a_listed_day_lies_in_the_years_of_a_calendar() -> None:
    periods = [ExplicitPeriod("Y1", "year", date(1800, 1, 1), date(1900, 1, 1))]
    fault = only_fault([Level("year", "Y{n}")], None, periods)
    assert (fault.path, fault.hint) == (("periods", 0, "start"), "years go from 1900 to 2999")


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
