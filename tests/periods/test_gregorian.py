from __future__ import annotations

from datetime import date

import pytest

from rowbook.periods import GREGORIAN, Level, Period
from tests.periods.samples import names


def test_levels_go_from_coarse_to_fine() -> None:
    assert GREGORIAN.levels == (
        Level("year", "{year}"),
        Level("quarter", "{year}-Q{n}", parent="year"),
        Level("month", "{year}-{n:02}", parent="quarter"),
        Level("week", "{year}-W{n:02}", parent="year"),
        Level("day", "{date}", parent="month"),
    )


@pytest.mark.parametrize(
    ("identifier", "level", "start", "end", "parent"),
    [
        ("2026", "year", "2026-01-01", "2026-12-31", None),
        ("2026-Q1", "quarter", "2026-01-01", "2026-03-31", "2026"),
        ("2026-Q4", "quarter", "2026-10-01", "2026-12-31", "2026"),
        ("2026-01", "month", "2026-01-01", "2026-01-31", "2026-Q1"),
        ("2026-02", "month", "2026-02-01", "2026-02-28", "2026-Q1"),
        ("2024-02", "month", "2024-02-01", "2024-02-29", "2024-Q1"),
        ("2000-02", "month", "2000-02-01", "2000-02-29", "2000-Q1"),
        ("2100-02", "month", "2100-02-01", "2100-02-28", "2100-Q1"),
        ("2026-12", "month", "2026-12-01", "2026-12-31", "2026-Q4"),
        ("2026-W05", "week", "2026-01-26", "2026-02-01", "2026"),
        ("2026-W01", "week", "2025-12-29", "2026-01-04", "2026"),
        ("2026-W53", "week", "2026-12-28", "2027-01-03", "2026"),
        ("2020-W53", "week", "2020-12-28", "2021-01-03", "2020"),
        ("2021-W01", "week", "2021-01-04", "2021-01-10", "2021"),
        ("2026-01-31", "day", "2026-01-31", "2026-01-31", "2026-01"),
        ("2024-02-29", "day", "2024-02-29", "2024-02-29", "2024-02"),
        ("1900", "year", "1900-01-01", "1900-12-31", None),
        ("2999-12-31", "day", "2999-12-31", "2999-12-31", "2999-12"),
    ],
)
def test_an_identifier_names_its_days_and_parent(
    identifier: str, level: str, start: str, end: str, parent: str | None
) -> None:
    period = GREGORIAN.parse(identifier)
    assert (period.calendar, period.identifier) == ("gregorian", identifier)
    assert (period.level, str(period.start), str(period.end)) == (level, start, end)
    assert period.parent == parent


@pytest.mark.parametrize(
    ("identifier", "number", "quarter", "month", "week", "day"),
    [
        ("2026", 1, None, None, None, None),
        ("2026-Q2", 2, 2, None, None, None),
        ("2026-05", 5, 2, 5, None, None),
        ("2026-W05", 5, None, None, 5, None),
        ("2026-05-09", 129, 2, 5, None, 9),
    ],
)
def test_a_period_has_the_numbers_that_its_level_fixes(
    identifier: str,
    number: int,
    quarter: int | None,
    month: int | None,
    week: int | None,
    day: int | None,
) -> None:
    p = GREGORIAN.parse(identifier)
    assert (p.year, p.number) == (2026, number)
    assert (p.quarter, p.month, p.week, p.day) == (quarter, month, week, day)


def test_a_period_is_a_plain_value() -> None:
    assert GREGORIAN.parse("2026-01") == Period(
        calendar="gregorian",
        level="month",
        identifier="2026-01",
        start=date(2026, 1, 1),
        end=date(2026, 1, 31),
        parent="2026-Q1",
        year=2026,
        number=1,
        quarter=1,
        month=1,
    )


@pytest.mark.parametrize(
    ("day", "week"),
    [
        (date(2027, 1, 1), "2026-W53"),
        (date(2027, 1, 4), "2027-W01"),
        (date(2025, 12, 28), "2025-W52"),
        (date(2025, 12, 29), "2026-W01"),
        (date(2021, 1, 3), "2020-W53"),
        (date(2021, 1, 4), "2021-W01"),
    ],
)
def test_a_day_near_new_year_lies_in_a_week_of_its_iso_year(day: date, week: str) -> None:
    assert GREGORIAN.covers("week", day).identifier == week


@pytest.mark.parametrize(
    ("level", "identifier"),
    [
        ("year", "2024"),
        ("quarter", "2024-Q1"),
        ("month", "2024-02"),
        ("week", "2024-W09"),
        ("day", "2024-02-29"),
    ],
)
def test_covers_finds_the_period_of_each_level(level: str, identifier: str) -> None:
    assert GREGORIAN.covers(level, date(2024, 2, 29)).identifier == identifier


def test_parents_lead_from_a_day_to_its_year() -> None:
    day = GREGORIAN.parse("2026-05-09")
    month = GREGORIAN.parent(day)
    assert month == GREGORIAN.parse("2026-05")
    quarter = GREGORIAN.parent(month)
    assert quarter == GREGORIAN.parse("2026-Q2")
    year = GREGORIAN.parent(quarter)
    assert year == GREGORIAN.parse("2026")
    assert GREGORIAN.parent(year) is None


def test_the_children_of_a_year_are_its_quarters_and_weeks() -> None:
    children = GREGORIAN.children(GREGORIAN.parse("2025"))
    assert names(*children[:5]) == ["2025-Q1", "2025-Q2", "2025-Q3", "2025-Q4", "2025-W01"]
    assert names(*children[-1:]) == ["2025-W52"]
    assert len(children) == 4 + 52


def test_the_children_of_a_quarter_are_its_months() -> None:
    children = GREGORIAN.children(GREGORIAN.parse("2026-Q2"))
    assert names(*children) == ["2026-04", "2026-05", "2026-06"]


def test_a_week_has_days_but_no_children_because_a_day_belongs_to_its_month() -> None:
    week = GREGORIAN.parse("2026-W53")
    assert GREGORIAN.children(week) == ()
    assert names(*GREGORIAN.expand(week, "day")) == [
        "2026-12-28",
        "2026-12-29",
        "2026-12-30",
        "2026-12-31",
        "2027-01-01",
        "2027-01-02",
        "2027-01-03",
    ]
