from __future__ import annotations

import pytest

from rowbook.periods import GREGORIAN, Calendar, period_at, same_last_year, year_to_date
from tests.periods.samples import FISCAL, WITH_13, names


@pytest.mark.parametrize(
    ("calendar", "identifier", "offset", "expected"),
    [
        (GREGORIAN, "2026-01", 0, "2026-01"),
        (GREGORIAN, "2026-01", -1, "2025-12"),
        (GREGORIAN, "2026-01", -13, "2024-12"),
        (GREGORIAN, "2026-12", 2, "2027-02"),
        (GREGORIAN, "2026-Q1", -1, "2025-Q4"),
        (GREGORIAN, "2026-W01", -1, "2025-W52"),
        (GREGORIAN, "2026-03-01", -1, "2026-02-28"),
        (GREGORIAN, "2026", 1, "2027"),
        (GREGORIAN, "1900-01", -1, None),
        (GREGORIAN, "2999", 1, None),
        (FISCAL, "FY2026-01", -1, "FY2025-12"),
        (FISCAL, "FY2026-Q1", -1, "FY2025-Q4"),
        (WITH_13, "FY2026-13", -1, "FY2026-12"),
        (WITH_13, "FY2026-13", 1, "FY2027-01"),
        (WITH_13, "FY2027-01", -1, "FY2026-12"),
    ],
)
def test_periods_are_counted_at_their_level_and_adjustments_are_not(
    calendar: Calendar, identifier: str, offset: int, expected: str | None
) -> None:
    found = period_at(calendar, calendar.parse(identifier), offset)
    assert (found and found.identifier) == expected


@pytest.mark.parametrize(
    ("calendar", "identifier", "expected"),
    [
        (GREGORIAN, "2026-03", "2025-03"),
        (GREGORIAN, "2026-Q2", "2025-Q2"),
        (GREGORIAN, "2026-W53", None),
        (GREGORIAN, "2025-03-01", "2024-03-01"),
        (GREGORIAN, "2024-02-29", None),
        (GREGORIAN, "2026", "2025"),
        (GREGORIAN, "1900-05", None),
        (FISCAL, "FY2026-07", "FY2025-07"),
        (WITH_13, "FY2026-13", None),
    ],
)
def test_the_same_period_of_last_year_has_the_same_number(
    calendar: Calendar, identifier: str, expected: str | None
) -> None:
    found = same_last_year(calendar, calendar.parse(identifier))
    assert (found and found.identifier) == expected


@pytest.mark.parametrize(
    ("calendar", "identifier", "expected"),
    [
        (GREGORIAN, "2026-01", ["2026-01"]),
        (GREGORIAN, "2026-03", ["2026-01", "2026-02", "2026-03"]),
        (GREGORIAN, "2026-Q2", ["2026-Q1", "2026-Q2"]),
        (GREGORIAN, "2026-W02", ["2026-W01", "2026-W02"]),
        (GREGORIAN, "2026", ["2026"]),
        (FISCAL, "FY2026-02", ["FY2026-01", "FY2026-02"]),
        (WITH_13, "FY2026-13", [*(f"FY2026-{n:02}" for n in range(1, 13)), "FY2026-13"]),
        (WITH_13, "FY2026-12", [f"FY2026-{n:02}" for n in range(1, 13)]),
    ],
)
def test_a_year_to_date_is_the_periods_of_the_year_so_far(
    calendar: Calendar, identifier: str, expected: list[str]
) -> None:
    assert names(*year_to_date(calendar, calendar.parse(identifier))) == expected
