"""What parse says about a text that is no identifier."""

from __future__ import annotations

from datetime import date

import pytest

from rowbook.periods import GREGORIAN, Calendar, Level, MonthsRule, build_calendar
from tests.periods.samples import APPLE, FISCAL, WITH_13
from tests.support.refusal import refusal

_GREGORIAN_FORMS = "forms: year 2026, quarter 2026-Q1, month 2026-01, week 2026-W01, day 2026-01-01"
_FISCAL_FORMS = "forms: year FY2026, quarter FY2026-Q1, month FY2026-01, day 2025-07-01"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2026-13", "level 'month' of 2026 goes from 2026-01 to 2026-12"),
        ("2026-00", "level 'month' of 2026 goes from 2026-01 to 2026-12"),
        ("2026-Q5", "level 'quarter' of 2026 goes from 2026-Q1 to 2026-Q4"),
        ("2026-Q0", "level 'quarter' of 2026 goes from 2026-Q1 to 2026-Q4"),
        ("2026-W54", "level 'week' of 2026 goes from 2026-W01 to 2026-W53"),
        ("2025-W53", "level 'week' of 2025 goes from 2025-W01 to 2025-W52"),
        ("2026-02-30", "2026-02 has the days 01 to 28"),
        ("2024-02-30", "2024-02 has the days 01 to 29"),
        ("2026-04-31", "2026-04 has the days 01 to 30"),
        ("2026-01-00", "2026-01 has the days 01 to 31"),
        ("2026-13-01", "there is no month 13"),
        ("1899", "years go from 1900 to 2999"),
        ("3000-01", "years go from 1900 to 2999"),
        ("0000-01-01", "years go from 1900 to 2999"),
    ],
)
def test_an_identifier_out_of_range_is_told_the_range(text: str, reason: str) -> None:
    found = refusal(lambda: GREGORIAN.parse(text))
    assert found.code == "PERIOD_001"
    assert found.message == f"'{text}' is not a period of calendar 'gregorian': {reason}"
    assert found.hint == _GREGORIAN_FORMS


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2026-1", "2026-01"),
        ("2026/01", "2026-01"),
        ("202601", "2026-01"),
        ("26-01", "2026-01"),
        (" 2026-01", "2026-01"),
        ("2026-001", "2026-01"),
        ("2026Q1", "2026-Q1"),
        ("2026-q1", "2026-Q1"),
        ("2026-Q01", "2026-Q1"),
        ("2026-w5", "2026-W05"),
        ("2026-1-31", "2026-01-31"),
        ("20260131", "2026-01-31"),
    ],
)
def test_a_near_miss_is_told_what_it_may_mean(text: str, meant: str) -> None:
    found = refusal(lambda: GREGORIAN.parse(text))
    assert found.code == "PERIOD_001"
    assert found.message == f"'{text}' is not a period of calendar 'gregorian'"
    assert found.hint == f"did you mean '{meant}'?  {_GREGORIAN_FORMS}"


@pytest.mark.parametrize("text", ["", "january", "2026-1-32", "01.2026", "２０２６", "2026-01\n"])
def test_any_other_text_is_told_the_forms(text: str) -> None:
    found = refusal(lambda: GREGORIAN.parse(text))
    assert found.code == "PERIOD_001"
    assert (found.hint or "").endswith(_GREGORIAN_FORMS)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("fy2026-1", f"did you mean 'FY2026-01'?  {_FISCAL_FORMS}"),
        ("FY26-Q1", f"did you mean 'FY2026-Q1'?  {_FISCAL_FORMS}"),
        ("2026-01", _FISCAL_FORMS),
    ],
)
def test_a_fiscal_calendar_shows_its_own_forms(text: str, hint: str) -> None:
    assert refusal(lambda: FISCAL.parse(text)).hint == hint


@pytest.mark.parametrize("text", ["0001-01-01", "9999-12-31", "2999-12-31", "FY0000", "FY9999-Q1"])
@pytest.mark.parametrize("calendar", [FISCAL, APPLE])
def test_a_day_beyond_the_fiscal_years_is_told_the_years(calendar: Calendar, text: str) -> None:
    found = refusal(lambda: calendar.parse(text))
    assert found.message.endswith(": years go from 1900 to 2999")


def test_the_range_of_a_level_names_its_listed_periods() -> None:
    assert refusal(lambda: WITH_13.parse("FY2026-14")).message == (
        "'FY2026-14' is not a period of calendar 'fiscal': "
        "level 'month' of 2026 goes from FY2026-01 to FY2026-12, and FY2026-13"
    )


def test_a_listed_period_of_another_number_is_no_suggestion() -> None:
    assert refusal(lambda: WITH_13.parse("2026-01")).hint == _FISCAL_FORMS


def test_the_range_of_another_year_does_not_name_them() -> None:
    assert refusal(lambda: WITH_13.parse("FY2025-13")).message == (
        "'FY2025-13' is not a period of calendar 'fiscal': "
        "level 'month' of 2025 goes from FY2025-01 to FY2025-12"
    )


def test_a_two_digit_year_is_in_this_century() -> None:
    calendar = build_calendar(
        "short", [Level("year", "FY{yy}"), Level("month", "P{n:02}.{yy}", "year")], MonthsRule(7)
    )
    period = calendar.parse("P01.26")
    assert (str(period.start), period.year, period.parent) == ("2025-07-01", 2026, "FY26")
    assert refusal(lambda: calendar.covers("year", date(1999, 6, 30))).hint == (
        "years go from 2000 to 2099"
    )
    assert refusal(lambda: calendar.parse("FY2026")).hint == (
        "did you mean 'FY26'?  forms: year FY26, month P01.26"
    )
