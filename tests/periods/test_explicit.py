from __future__ import annotations

from datetime import date

import pytest

from rowbook.periods import Calendar, ExplicitPeriod, Level, MonthsRule, build_calendar
from tests.periods.samples import DAY, MONTH, QUARTER, WITH_13, YEAR, names
from tests.support.refusal import refusal


def _span(identifier: str, level: str, start: str, end: str, parent: str | None) -> ExplicitPeriod:
    return ExplicitPeriod(
        identifier, level, date.fromisoformat(start), date.fromisoformat(end), parent
    )


SCHOOL = build_calendar(
    "school",
    [
        Level("year", "S{year}"),
        Level("term", "S{year}-T{n}", parent="year"),
        Level("block", "S{year}-B{n}", parent="term"),
    ],
    periods=[
        _span("S2026-summer", "term", "2026-04-20", "2026-07-10", "S2026"),
        _span("S2026", "year", "2025-09-01", "2026-07-10", None),
        _span("S2026-T1", "term", "2025-09-01", "2025-12-19", "S2026"),
        _span("S2026-T2", "term", "2026-01-07", "2026-04-02", "S2026"),
        _span("S2026-B2", "block", "2026-02-16", "2026-04-02", "S2026-T2"),
        _span("S2026-B1", "block", "2026-01-07", "2026-02-13", "S2026-T2"),
        _span("S2026-exams", "block", "2026-07-01", "2026-07-10", "S2026"),
    ],
)


def _with(*periods: ExplicitPeriod) -> Calendar:
    return build_calendar("fiscal", [YEAR, QUARTER, MONTH], MonthsRule(7), periods)


def test_listed_periods_are_parsed_by_their_identifier() -> None:
    term = SCHOOL.parse("S2026-T2")
    assert (term.calendar, term.level, term.parent) == ("school", "term", "S2026")
    assert (str(term.start), str(term.end)) == ("2026-01-07", "2026-04-02")
    assert (term.year, term.number) == (2026, 2)


def test_the_year_is_the_one_that_the_identifier_names() -> None:
    assert SCHOOL.parse("S2026-T1").end == date(2025, 12, 19)
    assert SCHOOL.parse("S2026-T1").year == 2026


def test_a_name_without_number_takes_its_place_among_its_siblings() -> None:
    assert SCHOOL.parse("S2026-summer").number == 3


def test_a_name_without_year_takes_the_year_of_its_parent() -> None:
    advent = _span("advent", "season", "2025-11-30", "2025-12-24", "FY2026")
    season = Level("season", "season-{n}", parent="year")
    calendar = build_calendar("church", [YEAR, season], MonthsRule(7), [advent])
    assert calendar.parse("advent").year == 2026


def test_a_name_without_year_or_parent_takes_the_year_in_which_it_ends() -> None:
    period = _span("pilot", "phase", "2025-11-01", "2026-02-28", None)
    calendar = build_calendar("phases", [Level("phase", "phase-{n}")], periods=[period])
    assert (calendar.parse("pilot").year, calendar.parse("pilot").number) == (2026, 1)


def test_listed_children_come_in_time_order_and_level_by_level() -> None:
    children = SCHOOL.children(SCHOOL.parse("S2026"))
    assert names(*children) == ["S2026-T1", "S2026-T2", "S2026-summer", "S2026-exams"]


def test_a_listed_period_expands_through_all_levels_below_it() -> None:
    blocks = SCHOOL.expand(SCHOOL.parse("S2026"), "block")
    assert names(*blocks) == ["S2026-B1", "S2026-B2", "S2026-exams"]


def test_the_descendants_of_a_listed_period_are_listed_ones() -> None:
    assert names(*SCHOOL.descendants(SCHOOL.parse("S2026-T2"))) == ["S2026-B1", "S2026-B2"]


def test_a_listed_period_without_parts_cannot_be_expanded() -> None:
    found = refusal(lambda: SCHOOL.expand(SCHOOL.parse("S2026-T1"), "block"))
    assert (found.code, found.message, found.hint) == (
        "PERIOD_005",
        "term 'S2026-T1' cannot be expanded to 'block': no block is listed below it",
        "a listed period consists of those whose parent is 'S2026-T1'",
    )


def test_a_day_in_a_gap_is_in_no_period() -> None:
    found = refusal(lambda: SCHOOL.covers("term", date(2025, 12, 24)))
    assert (found.code, found.message, found.hint) == (
        "PERIOD_001",
        "2025-12-24 is in no term of calendar 'school'",
        "listed are 2025-09-01 to 2026-07-10",
    )


def test_a_day_beyond_the_years_is_in_no_period() -> None:
    found = refusal(lambda: WITH_13.covers("month", date(3100, 1, 1)))
    assert (found.message, found.hint) == (
        "3100-01-01 is in no month of calendar 'fiscal'",
        "years go from 1900 to 2999",
    )


def test_an_unknown_name_is_told_the_nearest_listed_one() -> None:
    assert refusal(lambda: SCHOOL.parse("S2026-sommer")).hint == (
        "did you mean 'S2026-summer'?  forms: year S2026, term S2026-T1, block S2026-B1"
    )


def test_a_period_13_belongs_to_its_year_and_has_no_quarter() -> None:
    period = WITH_13.parse("FY2026-13")
    assert (period.level, period.parent) == ("month", "FY2026")
    assert (period.year, period.number, period.month, period.quarter) == (2026, 13, 13, None)


def test_a_period_13_follows_the_twelve_months_of_its_year() -> None:
    year = WITH_13.parse("FY2026")
    assert names(*WITH_13.expand(year, "month"))[-3:] == ["FY2026-11", "FY2026-12", "FY2026-13"]
    assert names(*WITH_13.children(year)) == [
        "FY2026-Q1",
        "FY2026-Q2",
        "FY2026-Q3",
        "FY2026-Q4",
        "FY2026-13",
    ]


def test_other_years_have_no_period_13() -> None:
    assert len(WITH_13.expand(WITH_13.parse("FY2027"), "month")) == 12


def test_the_last_day_of_the_year_is_in_the_month_not_in_its_adjustment() -> None:
    assert WITH_13.covers("month", date(2026, 6, 30)).identifier == "FY2026-12"


def test_a_period_13_has_no_days_of_its_own_because_its_data_are_not_theirs() -> None:
    adjustment = WITH_13.parse("FY2026-13")
    assert WITH_13.descendants(adjustment) == ()
    assert refusal(lambda: WITH_13.expand(adjustment, "day")).code == "PERIOD_005"


@pytest.mark.parametrize(
    ("start", "end"),
    [("2026-06-01", "2026-06-30"), ("2025-07-01", "2026-06-30"), ("2026-06-30", "2026-06-30")],
)
def test_an_adjustment_comes_last_however_many_days_it_spans(start: str, end: str) -> None:
    calendar = _with(_span("FY2026-13", "month", start, end, "FY2026"))
    assert names(*calendar.expand(calendar.parse("FY2026"), "month"))[-1] == "FY2026-13"


def test_an_opening_period_0_comes_first() -> None:
    calendar = _with(_span("FY2026-00", "month", "2025-07-01", "2025-07-31", "FY2026-Q1"))
    months = names(*calendar.children(calendar.parse("FY2026-Q1")))
    assert months == ["FY2026-00", "FY2026-01", "FY2026-02", "FY2026-03"]
    assert calendar.parse("FY2026-00").quarter == 1


def test_several_special_periods_keep_the_order_of_their_numbers() -> None:
    special = [
        _span(f"FY2026-{n}", "month", "2026-06-30", "2026-06-30", "FY2026") for n in (15, 13, 14)
    ]
    calendar = _with(*special)
    months = names(*calendar.expand(calendar.parse("FY2026"), "month"))
    assert months[-4:] == ["FY2026-12", "FY2026-13", "FY2026-14", "FY2026-15"]


def test_a_period_13_below_a_quarter_is_part_of_quarter_and_year() -> None:
    calendar = _with(_span("FY2026-13", "month", "2026-06-30", "2026-06-30", "FY2026-Q4"))
    assert names(*calendar.children(calendar.parse("FY2026-Q4")))[-1] == "FY2026-13"
    assert names(*calendar.expand(calendar.parse("FY2026"), "month"))[-1] == "FY2026-13"
    assert calendar.parse("FY2026-13").quarter == 4


def test_a_rule_may_stand_beside_a_level_that_is_listed() -> None:
    season = Level("season", "{year}-season-{n}", parent="year")
    christmas = _span("xmas-2025", "season", "2025-11-24", "2026-01-06", "FY2026")
    levels = [YEAR, QUARTER, MONTH, season, DAY]
    calendar = build_calendar("shop", levels, MonthsRule(7), [christmas])
    assert calendar.finer("season") == ()
    assert names(*calendar.expand(calendar.parse("FY2026"), "season")) == ["xmas-2025"]
    assert calendar.covers("season", date(2025, 12, 24)).identifier == "xmas-2025"
    assert refusal(lambda: calendar.expand(calendar.parse("xmas-2025"), "month")).message == (
        "season 'xmas-2025' cannot be expanded to 'month': a month is not part of a season"
    )


def test_listed_levels_that_are_named_like_the_rules_have_their_numbers() -> None:
    calendar = build_calendar(
        "listed",
        [
            Level("quarter", "{year}-Q{n}"),
            Level("month", "{year}-{n:02}", parent="quarter"),
            Level("week", "{year}-W{n:02}", parent="month"),
            Level("day", "{date}", parent="month"),
        ],
        periods=[
            _span("2026-Q1", "quarter", "2026-01-04", "2026-04-04", None),
            _span("2026-01", "month", "2026-01-04", "2026-01-31", "2026-Q1"),
            _span("2026-W02", "week", "2026-01-11", "2026-01-17", "2026-01"),
            _span("2026-01-17", "day", "2026-01-17", "2026-01-17", "2026-01"),
        ],
    )
    week, day = calendar.parse("2026-W02"), calendar.parse("2026-01-17")
    assert (week.quarter, week.month, week.week, week.day) == (1, 1, 2, None)
    assert (day.quarter, day.month, day.week, day.day) == (1, 1, None, 14)
