"""The periods that a rule makes, computed when asked for: found, placed, counted, divided."""

from __future__ import annotations

from datetime import date

import pytest

from rowbook.periods.patterns import Reading
from rowbook.periods.period import Level
from rowbook.periods.rule_periods import RulePeriods, real_date
from rowbook.periods.rules import MonthsRule, WeeksRule
from tests.periods.samples import DAY, MONTH, QUARTER, WEEK, YEAR, names

FISCAL = RulePeriods("fiscal", MonthsRule(7), (YEAR, QUARTER, MONTH, DAY))
WEEKS = RulePeriods("weeks", WeeksRule("4-4-5", date(2025, 12, 29)), (YEAR, MONTH, WEEK))
SHORT = RulePeriods("short", MonthsRule(1), (Level("year", "Y{yy}"),))


def test_a_period_is_found_with_its_days_parent_and_numbers() -> None:
    found = FISCAL.find("FY2026-07")
    assert found is not None
    assert (found.calendar, found.level, found.parent) == ("fiscal", "month", "FY2026-Q3")
    assert (found.start, found.end) == (date(2026, 1, 1), date(2026, 1, 31))
    assert (found.year, found.number, found.quarter, found.month) == (2026, 7, 3, 7)


@pytest.mark.parametrize("text", ["FY2026-13", "FY2026-00", "FY1899", "FY3000-01", "2026-02-30"])
def test_what_has_the_form_but_does_not_exist_is_not_found(text: str) -> None:
    assert FISCAL.find(text) is None


@pytest.mark.parametrize(
    ("text", "meant"), [("fy2026", "FY2026"), ("FY26-7", "FY2026-07"), ("nothing", None)]
)
def test_a_text_of_nearly_the_right_form(text: str, meant: str | None) -> None:
    found = FISCAL.find_loosely(text)
    assert (found and found.identifier) == meant


def test_a_reading_without_year_has_no_place() -> None:
    assert FISCAL.place(MONTH, Reading(n=3)) is None


def test_two_digits_name_the_years_of_this_century() -> None:
    assert (SHORT.years[0], SHORT.years[-1]) == (2000, 2099)
    assert (FISCAL.years[0], FISCAL.years[-1]) == (1900, 2999)
    assert SHORT.covering(SHORT.levels[0], date(1999, 12, 31)) is None


@pytest.mark.parametrize(
    ("day", "identifier"),
    [
        (date(2026, 6, 30), "FY2026-12"),
        (date(2026, 7, 1), "FY2027-01"),
        (date(1899, 7, 1), "FY1900-01"),
        (date(1899, 6, 30), None),
        (date(2999, 7, 1), None),
        (date(1, 1, 1), None),
        (date(9999, 12, 31), None),
    ],
)
def test_a_day_lies_in_a_period_within_the_years(day: date, identifier: str | None) -> None:
    found = FISCAL.covering(MONTH, day)
    assert (found and found.identifier) == identifier


def test_a_quarter_has_the_parts_that_begin_in_it() -> None:
    quarter = FISCAL.find("FY2026-Q3")
    assert quarter is not None
    assert names(*FISCAL.within(quarter, MONTH)) == ["FY2026-07", "FY2026-08", "FY2026-09"]
    assert len(FISCAL.within(quarter, DAY)) == 31 + 28 + 31


def test_a_year_has_the_parts_that_the_rule_counts_in_it() -> None:
    year = WEEKS.find("FY2026")
    assert year is not None
    assert WEEKS.count(WEEK, 2026) == len(WEEKS.within(year, WEEK)) == 52
    assert (WEEKS.count(YEAR, 2026), WEEKS.count(MONTH, 2026)) == (1, 12)


def test_a_level_of_the_rule_has_an_example_and_no_other_is_known() -> None:
    assert [FISCAL.example(level) for level in FISCAL.levels] == [
        *("FY2026", "FY2026-Q1", "FY2026-01", "2025-07-01"),
    ]
    assert (FISCAL.level("month"), FISCAL.level("week")) == (MONTH, None)


def test_a_parent_that_the_rule_does_not_make_is_left_out() -> None:
    alone = RulePeriods("alone", MonthsRule(1), (MONTH,))
    found = alone.find("FY2026-05")
    assert found is not None
    assert found.parent is None


@pytest.mark.parametrize("parts", [(2026, 2, 29), (2026, 13, 1), (0, 1, 1), (2026, 1, 0)])
def test_a_day_that_does_not_exist_is_no_date(parts: tuple[int, int, int]) -> None:
    assert real_date(*parts) is None
    assert real_date(2024, 2, 29) == date(2024, 2, 29)
