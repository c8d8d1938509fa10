"""Faults of levels: where each is, and what it says."""

from __future__ import annotations

from datetime import date

import pytest

from rowbook.periods import CalendarFault, ExplicitPeriod, Level, MonthsRule
from tests.periods.samples import YEAR, only_fault

_JULY = MonthsRule(7)
_LAST = date(2026, 6, 30)


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
    assert only_fault(levels, _JULY) == CalendarFault(("levels", place, key), message, hint)


def test_a_level_that_the_rule_makes_cannot_be_part_of_a_listed_one() -> None:
    season = Level("season", "S{year}-{n}", "year")
    month = Level("month", "FY{year}-{n:02}", "season")
    listed = ExplicitPeriod("S2026-1", "season", date(2025, 7, 1), _LAST, "FY2026")
    assert only_fault([YEAR, season, month], _JULY, [listed]) == CalendarFault(
        ("levels", 2, "parent"),
        "level 'month' is made by the rule, and its parent 'season' is not",
        "name one that the rule makes: year, half, quarter, month, day",
    )


def test_a_calendar_needs_levels() -> None:
    assert only_fault([], _JULY) == CalendarFault(
        ("levels",), "a calendar needs at least one level"
    )
