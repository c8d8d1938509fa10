from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest

from rowbook.periods import WeekPattern, WeeksRule, build_calendar
from tests.periods.samples import APPLE, HALF, MONTH, QUARTER, RETAIL, YEAR, days, names


@pytest.mark.parametrize(
    ("identifier", "start", "end", "weeks"),
    [
        ("FY2017", "2016-09-25", "2017-09-30", 53),
        ("FY2022", "2021-09-26", "2022-09-24", 52),
        ("FY2023", "2022-09-25", "2023-09-30", 53),
        ("FY2024", "2023-10-01", "2024-09-28", 52),
        ("FY2025", "2024-09-29", "2025-09-27", 52),
        ("FY2026", "2025-09-28", "2026-09-26", 52),
    ],
)
def test_years_that_end_on_the_last_saturday_of_september(
    identifier: str, start: str, end: str, weeks: int
) -> None:
    assert days(APPLE, identifier) == (start, end)
    assert len(APPLE.expand(APPLE.parse(identifier), "week")) == weeks


@pytest.mark.parametrize(
    ("identifier", "start", "end", "parent"),
    [
        ("FY2025-Q1", "2024-09-29", "2024-12-28", "FY2025"),
        ("FY2025-Q2", "2024-12-29", "2025-03-29", "FY2025"),
        ("FY2025-Q3", "2025-03-30", "2025-06-28", "FY2025"),
        ("FY2025-Q4", "2025-06-29", "2025-09-27", "FY2025"),
        ("FY2025-01", "2024-09-29", "2024-10-26", "FY2025-Q1"),
        ("FY2025-02", "2024-10-27", "2024-11-23", "FY2025-Q1"),
        ("FY2025-03", "2024-11-24", "2024-12-28", "FY2025-Q1"),
        ("FY2025-W13", "2024-12-22", "2024-12-28", "FY2025-03"),
        ("FY2025-W14", "2024-12-29", "2025-01-04", "FY2025-04"),
        ("2025-01-04", "2025-01-04", "2025-01-04", "FY2025-04"),
        ("FY2023-12", "2023-08-20", "2023-09-30", "FY2023-Q4"),
        ("FY2023-W53", "2023-09-24", "2023-09-30", "FY2023-12"),
    ],
)
def test_4_4_5_weeks_divide_each_quarter(
    identifier: str, start: str, end: str, parent: str
) -> None:
    assert days(APPLE, identifier) == (start, end)
    assert APPLE.parse(identifier).parent == parent


@pytest.mark.parametrize(
    ("month", "start", "end"),
    [
        ("FY2023-01", "2023-01-29", "2023-02-25"),
        ("FY2023-02", "2023-02-26", "2023-04-01"),
        ("FY2023-03", "2023-04-02", "2023-04-29"),
        ("FY2023-04", "2023-04-30", "2023-05-27"),
        ("FY2023-05", "2023-05-28", "2023-07-01"),
        ("FY2023-06", "2023-07-02", "2023-07-29"),
        ("FY2023-07", "2023-07-30", "2023-08-26"),
        ("FY2023-08", "2023-08-27", "2023-09-30"),
        ("FY2023-09", "2023-10-01", "2023-10-28"),
        ("FY2023-10", "2023-10-29", "2023-11-25"),
        ("FY2023-11", "2023-11-26", "2023-12-30"),
        ("FY2023-12", "2023-12-31", "2024-02-03"),
        ("FY2024-01", "2024-02-04", "2024-03-02"),
    ],
)
def test_the_4_5_4_calendar_of_retailers_in_its_year_of_53_weeks(
    month: str, start: str, end: str
) -> None:
    assert days(RETAIL, month) == (start, end)


def test_retail_years_of_53_weeks_are_every_fifth_or_sixth() -> None:
    years = [RETAIL.parse(f"FY{year}") for year in range(2000, 2031)]
    long = [year.year for year in years if len(RETAIL.expand(year, "week")) == 53]
    assert long == [2000, 2006, 2012, 2017, 2023, 2028]


@pytest.mark.parametrize(
    ("pattern", "second", "third"),
    [
        ("4-4-5", "2026-01-26", "2026-02-23"),
        ("4-5-4", "2026-01-26", "2026-03-02"),
        ("5-4-4", "2026-02-02", "2026-03-02"),
    ],
)
def test_the_pattern_says_how_long_the_months_of_a_quarter_are(
    pattern: WeekPattern, second: str, third: str
) -> None:
    calendar = build_calendar("w", [YEAR, QUARTER, MONTH], WeeksRule(pattern, date(2025, 12, 29)))
    assert [days(calendar, f"FY2026-0{n}")[0] for n in (1, 2, 3, 4)] == [
        "2025-12-29",
        second,
        third,
        "2026-03-30",
    ]


def test_the_extra_week_belongs_to_the_last_month_quarter_and_half() -> None:
    calendar = build_calendar(
        "w", [YEAR, HALF, QUARTER, MONTH], WeeksRule("4-4-5", date(2025, 12, 29))
    )
    for identifier, start in {
        "FY2028": "2027-12-27",
        "FY2028-H2": "2028-06-26",
        "FY2028-Q4": "2028-09-25",
        "FY2028-12": "2028-11-20",
    }.items():
        assert days(calendar, identifier) == (start, "2028-12-31")


@pytest.mark.parametrize(
    ("start", "year"),
    [
        (date(2025, 12, 29), 2026),
        (date(2026, 1, 5), 2026),
        (date(2026, 2, 1), 2026),
        (date(2025, 9, 28), 2026),
        (date(2026, 7, 2), 2026),
        (date(2025, 7, 3), 2026),
    ],
)
def test_a_year_is_named_after_the_calendar_year_with_most_of_its_days(
    start: date, year: int
) -> None:
    calendar = build_calendar("w", [YEAR], WeeksRule("4-4-5", start))
    assert calendar.parse(f"FY{year}").start == start


def test_years_that_begin_around_the_middle_of_a_year_skip_no_name() -> None:
    calendar = build_calendar("w", [YEAR], WeeksRule("4-4-5", date(2025, 7, 2)))
    years = [calendar.parse(f"FY{year}") for year in range(2020, 2041)]
    for year, following in pairwise(years):
        assert (following.start - year.end).days == 1


def test_a_start_on_a_leap_day_has_its_anniversary_on_february_28() -> None:
    calendar = build_calendar("w", [YEAR], WeeksRule("4-4-5", date(2024, 2, 29)))
    assert days(calendar, "FY2024") == ("2024-02-29", "2025-02-26")
    assert days(calendar, "FY2025") == ("2025-02-27", "2026-02-25")
    assert days(calendar, "FY2027") == ("2027-02-25", "2028-03-01")


def test_a_week_has_the_numbers_of_its_month_and_quarter() -> None:
    week = APPLE.parse("FY2023-W53")
    assert (week.year, week.quarter, week.month, week.week, week.day) == (2023, 4, 12, 53, None)


def test_a_day_counts_within_its_fiscal_month_so_that_no_two_share_a_number() -> None:
    first, last = APPLE.parse("2023-08-20"), APPLE.parse("2023-09-30")
    assert (first.month, first.week, first.day) == (12, 48, 1)
    assert (last.month, last.week, last.day) == (12, 53, 42)


@pytest.mark.parametrize(
    ("day", "week"),
    [
        (date(2023, 9, 30), "FY2023-W53"),
        (date(2023, 10, 1), "FY2024-W01"),
        (date(2024, 12, 31), "FY2025-W14"),
    ],
)
def test_covers_finds_the_fiscal_week(day: date, week: str) -> None:
    assert APPLE.covers("week", day).identifier == week


def test_a_week_expands_to_its_days_although_their_parent_is_the_month() -> None:
    assert names(*RETAIL.expand(RETAIL.parse("FY2023-W53"), "day")) == [
        "2024-01-28",
        "2024-01-29",
        "2024-01-30",
        "2024-01-31",
        "2024-02-01",
        "2024-02-02",
        "2024-02-03",
    ]
