from __future__ import annotations

import pytest

from rowbook.periods import GREGORIAN, Calendar
from tests.periods.samples import APPLE, FISCAL, WITH_13, names
from tests.support.refusal import refusal


@pytest.mark.parametrize(
    ("calendar", "identifier", "level", "count", "first", "last"),
    [
        (GREGORIAN, "2026", "quarter", 4, "2026-Q1", "2026-Q4"),
        (GREGORIAN, "2026", "month", 12, "2026-01", "2026-12"),
        (GREGORIAN, "2026", "week", 53, "2026-W01", "2026-W53"),
        (GREGORIAN, "2027", "week", 52, "2027-W01", "2027-W52"),
        (GREGORIAN, "2026", "day", 365, "2026-01-01", "2026-12-31"),
        (GREGORIAN, "2024", "day", 366, "2024-01-01", "2024-12-31"),
        (GREGORIAN, "2026-Q2", "month", 3, "2026-04", "2026-06"),
        (GREGORIAN, "2024-Q1", "day", 91, "2024-01-01", "2024-03-31"),
        (GREGORIAN, "2024-02", "day", 29, "2024-02-01", "2024-02-29"),
        (GREGORIAN, "2026-W01", "day", 7, "2025-12-29", "2026-01-04"),
        (FISCAL, "FY2026", "month", 12, "FY2026-01", "FY2026-12"),
        (FISCAL, "FY2026-Q3", "month", 3, "FY2026-07", "FY2026-09"),
        (FISCAL, "FY2026-Q3", "day", 90, "2026-01-01", "2026-03-31"),
        (APPLE, "FY2023-Q4", "week", 14, "FY2023-W40", "FY2023-W53"),
        (APPLE, "FY2023-W53", "day", 7, "2023-09-24", "2023-09-30"),
    ],
)
def test_a_period_expands_to_a_finer_level_in_time_order(
    calendar: Calendar, identifier: str, level: str, count: int, first: str, last: str
) -> None:
    found = calendar.expand(calendar.parse(identifier), level)
    assert len(found) == count
    assert names(found[0], found[-1]) == [first, last]
    assert list(found) == sorted(found, key=lambda p: p.start)


def test_a_period_expands_to_itself_at_its_own_level() -> None:
    month = GREGORIAN.parse("2026-01")
    assert GREGORIAN.expand(month, "month") == (month,)


@pytest.mark.parametrize(
    ("identifier", "level", "message", "hint"),
    [
        (
            "2026-01",
            "quarter",
            "month '2026-01' cannot be expanded to 'quarter': a quarter is not part of a month",
            "levels below month: day",
        ),
        (
            "2026-Q1",
            "week",
            "quarter '2026-Q1' cannot be expanded to 'week': a week is not part of a quarter",
            "levels below quarter: month, day",
        ),
        (
            "2026-W05",
            "month",
            "week '2026-W05' cannot be expanded to 'month': a month is not part of a week",
            "levels below week: day",
        ),
        (
            "2026-01-31",
            "year",
            "day '2026-01-31' cannot be expanded to 'year': a year is not part of a day",
            "levels below day: none",
        ),
    ],
)
def test_a_level_that_is_not_part_of_the_period_is_refused(
    identifier: str, level: str, message: str, hint: str
) -> None:
    found = refusal(lambda: GREGORIAN.expand(GREGORIAN.parse(identifier), level))
    assert (found.code, found.message, found.hint) == ("PERIOD_005", message, hint)


def test_an_unknown_level_is_refused_with_the_nearest() -> None:
    found = refusal(lambda: GREGORIAN.expand(GREGORIAN.parse("2026"), "mnth"))
    assert (found.code, found.message, found.hint) == (
        "PERIOD_004",
        "calendar 'gregorian' has no level 'mnth'",
        "did you mean 'month'?  levels: year, quarter, month, week, day",
    )


@pytest.mark.parametrize(
    ("level", "finer"),
    [
        ("year", ("quarter", "month", "week", "day")),
        ("quarter", ("month", "day")),
        ("month", ("day",)),
        ("week", ("day",)),
        ("day", ()),
    ],
)
def test_finer_names_the_levels_to_expand_to(level: str, finer: tuple[str, ...]) -> None:
    assert GREGORIAN.finer(level) == finer


def test_the_descendants_of_a_quarter_are_its_months_and_days() -> None:
    found = names(*GREGORIAN.descendants(GREGORIAN.parse("2026-Q1")))
    assert found[:4] == ["2026-01", "2026-02", "2026-03", "2026-01-01"]
    assert found[-1] == "2026-03-31"
    assert len(found) == 3 + 90


def test_the_descendants_of_a_year_are_its_iso_weeks_but_only_its_own_days() -> None:
    found = names(*GREGORIAN.descendants(GREGORIAN.parse("2026")))
    assert len(found) == 4 + 12 + 53 + 365
    assert "2026-W01" in found
    assert "2025-12-29" not in found


def test_the_descendants_of_a_day_are_none() -> None:
    assert GREGORIAN.descendants(GREGORIAN.parse("2026-01-31")) == ()


def test_a_period_13_is_a_descendant_of_its_year_but_not_of_the_last_quarter() -> None:
    assert "FY2026-13" in names(*WITH_13.descendants(WITH_13.parse("FY2026")))
    assert "FY2026-13" not in names(*WITH_13.descendants(WITH_13.parse("FY2026-Q4")))
