"""Laws that hold for every calendar, period and day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from rowbook.errors import RowbookError
from rowbook.periods import (
    GREGORIAN,
    Calendar,
    MonthsRule,
    Period,
    WeekPattern,
    WeeksRule,
    build_calendar,
)
from tests.periods.samples import DAY, MONTH, QUARTER, WEEK, YEAR

_PATTERNS: tuple[WeekPattern, ...] = ("4-4-5", "4-5-4", "5-4-4")
_ONE_DAY = timedelta(days=1)

_days = st.dates(date(1910, 1, 1), date(2980, 12, 31))
_month_rules = st.builds(MonthsRule, st.integers(1, 12))
_week_rules = st.builds(
    WeeksRule, st.sampled_from(_PATTERNS), st.dates(date(1990, 1, 1), date(2040, 12, 31))
)
_ruled = st.one_of(
    _month_rules.map(lambda rule: build_calendar("m", [YEAR, QUARTER, MONTH, DAY], rule)),
    _week_rules.map(lambda rule: build_calendar("w", [YEAR, QUARTER, MONTH, WEEK, DAY], rule)),
)
_calendars = st.one_of(st.just(GREGORIAN), _ruled)


def _is_leap_day(day: date) -> bool:
    return (day.month, day.day) == (2, 29)


@st.composite
def _periods(
    draw: st.DrawFn, calendars: st.SearchStrategy[Calendar] = _calendars
) -> tuple[Calendar, Period]:
    calendar = draw(calendars)
    level = draw(st.sampled_from(calendar.levels))
    return calendar, calendar.covers(level.name, draw(_days))


@given(_periods())
def test_an_identifier_parses_to_its_period(found: tuple[Calendar, Period]) -> None:
    calendar, period = found
    assert calendar.parse(period.identifier) == period


@given(_calendars, st.one_of(st.text(), st.from_regex(r"(FY)?[0-9]{2,4}-?[QW]?[0-9-]{0,6}\Z")))
def test_any_text_is_parsed_or_refused(calendar: Calendar, text: str) -> None:
    answer = _answer(lambda: calendar.parse(text))
    assert answer == "PERIOD_001" or (isinstance(answer, Period) and answer.identifier == text)


@given(_calendars, st.dates())
def test_any_day_is_covered_or_refused(calendar: Calendar, day: date) -> None:
    for level in calendar.levels:
        answer = _answer(partial(calendar.covers, level.name, day))
        assert answer == "PERIOD_001" or (
            isinstance(answer, Period) and answer.start <= day <= answer.end
        )


@given(_calendars, _days)
def test_every_day_is_in_exactly_one_period_of_each_level(calendar: Calendar, day: date) -> None:
    for level in calendar.levels:
        period = calendar.covers(level.name, day)
        assert period.start <= day <= period.end
        assert calendar.covers(level.name, period.start) == period
        assert calendar.covers(level.name, period.end) == period
        assert calendar.covers(level.name, period.end + _ONE_DAY).start == period.end + _ONE_DAY


@given(_periods())
def test_the_parent_of_each_child_is_the_period(found: tuple[Calendar, Period]) -> None:
    calendar, period = found
    assert all(calendar.parent(child) == period for child in calendar.children(period))


@given(_periods())
def test_a_period_is_among_the_children_of_its_parent(found: tuple[Calendar, Period]) -> None:
    calendar, period = found
    parent = calendar.parent(period)
    assert parent is None or period in calendar.children(parent)


@given(_periods())
def test_expanding_is_ordered_without_gap_or_overlap(found: tuple[Calendar, Period]) -> None:
    calendar, period = found
    for level in calendar.finer(period.level):
        for one, following in pairwise(calendar.expand(period, level)):
            assert following.start == one.end + _ONE_DAY


@given(_periods(_ruled))
def test_the_parts_of_a_rules_period_have_exactly_its_days(found: tuple[Calendar, Period]) -> None:
    calendar, period = found
    for level in calendar.finer(period.level):
        parts = calendar.expand(period, level)
        assert (parts[0].start, parts[-1].end) == (period.start, period.end)


@settings(max_examples=25)
@given(_periods(_ruled).filter(lambda found: found[1].level != "week"))
def test_descendants_are_the_children_and_theirs(found: tuple[Calendar, Period]) -> None:
    calendar, period = found

    def below(ancestor: Period) -> set[str]:
        children = calendar.children(ancestor)
        return {c.identifier for c in children}.union(*(below(c) for c in children))

    assert {p.identifier for p in calendar.descendants(period)} == below(period)


@given(_periods())
def test_numbers_count_the_periods_of_a_year(found: tuple[Calendar, Period]) -> None:
    calendar, period = found
    year = calendar.parse(f"{period.year}" if calendar is GREGORIAN else f"FY{period.year}")
    assert calendar.expand(year, period.level)[period.number - 1] == period


@given(_week_rules.filter(lambda rule: not _is_leap_day(rule.start)), st.integers(1950, 2900))
def test_a_year_of_weeks_begins_within_three_days_of_the_anniversary(
    rule: WeeksRule, number: int
) -> None:
    calendar = build_calendar("w", [YEAR], rule)
    year = calendar.parse(f"FY{number}")
    assert year.start.weekday() == rule.start.weekday()
    assert (year.end - year.start).days + 1 in (364, 371)
    anniversaries = [rule.start.replace(year=y) for y in (number - 1, number)]
    assert min(abs((year.start - day).days) for day in anniversaries) <= 3


@given(_periods())
def test_two_days_of_a_month_never_share_a_day_number(found: tuple[Calendar, Period]) -> None:
    calendar, period = found
    month = calendar.covers("month", period.start)
    numbers = [day.day for day in calendar.expand(month, "day")]
    assert numbers == list(range(1, len(numbers) + 1))


def _answer(call: Callable[[], Period]) -> Period | str:
    """The period, or the code of the refusal."""
    try:
        return call()
    except RowbookError as error:
        return error.diagnostics[0].code
