"""Which periods lie between two."""

from __future__ import annotations

import pytest

from rowbook.periods import GREGORIAN
from rowbook.runs.prepare.project_version import periods_between
from tests.support.refusal import refusal


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("2026-01", "2026-01", ["2026-01"]),
        ("2025-11", "2026-02", ["2025-11", "2025-12", "2026-01", "2026-02"]),
        ("2026-Q1", "2026-Q3", ["2026-Q1", "2026-Q2", "2026-Q3"]),
        ("2026-W52", "2027-W01", ["2026-W52", "2026-W53", "2027-W01"]),
    ],
)
def test_periods_of_a_level_follow_each_other(first: str, last: str, expected: list[str]) -> None:
    found = periods_between(GREGORIAN, first, last)
    assert [each.identifier for each in found] == expected


def test_a_month_and_a_quarter_have_nothing_between_them() -> None:
    found = refusal(lambda: periods_between(GREGORIAN, "2026-01", "2026-Q2"), "USAGE_001")
    assert found.message == "2026-01 is a month, but 2026-Q2 is a quarter"


def test_the_last_is_not_before_the_first() -> None:
    found = refusal(lambda: periods_between(GREGORIAN, "2026-03", "2026-01"), "USAGE_001")
    assert found.message == "2026-01 is before 2026-03"
