"""TO_STRING and TO_DATE by patterns of dates, evaluated in Python."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from rowbook.expressions.evaluate import Value
from rowbook.expressions.scalars.date_patterns import (
    MONTHS,
    SHORT_MONTHS,
    WRITTEN_OF_DATES,
    PatternError,
    format_date,
    parse_pattern,
    read_date,
)
from tests.expressions.evaluating import Given, cases, check, row, utc


@cases(
    *(
        (f"TO_STRING(day, '{pattern}')", row(day=date(2026, 3, 5)), text)
        for pattern, text in (
            ("yyyy-MM", "2026-03"),
            ("dd.MM.yyyy", "05.03.2026"),
            ("d.M.yy", "5.3.26"),
            ("MMM yyyy", "Mar 2026"),
            ("d MMMM yyyy", "5 March 2026"),
            ("yyyyMMdd", "20260305"),
            ("''Q''Q yyyy", "Q1 2026"),
            ("yyyy''年''M''月''", "2026年3月"),
            ("MM/MM", "03/03"),
        )
    ),
    ("TO_STRING(day, 'yyyy-MM-dd')", row(day=date(1, 1, 1)), "0001-01-01"),
    ("TO_STRING(day, 'yy')", row(day=date(1905, 1, 1)), "05"),
    ("TO_STRING(day, 'yyyy')", row(), None),
    (
        "TO_STRING(at, 'yyyy-MM-dd HH:mm:ss.SSS')",
        row(at=utc(2026, 1, 31, 4, 5, 6, 7089)),
        "2026-01-31 04:05:06.007",
    ),
    ("TO_STRING(at, 'HHmm''h''')", row(at=utc(1969, 12, 31, 23, 59, 59, 1)), "2359h"),
    ("TO_STRING(at, 'SSSSSS')", row(at=utc(1969, 12, 31, 23, 59, 59, 1)), "000001"),
)
def test_dates_are_written_by_patterns(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@cases(
    *(
        (f"TO_DATE(s, '{pattern}')", row(s=text), date(2026, 3, 5))
        for pattern, text in (
            ("yyyy-MM-dd", "2026-03-05"),
            ("d.M.yyyy", "5.3.2026"),
            ("d.M.yyyy", "05.03.2026"),
            ("dd/MM/yy", "05/03/26"),
            ("d MMM yy", "5 Mar 26"),
            ("ddMMMyyyy", "05MAR2026"),
            ("MMMM d, yyyy", "march 5, 2026"),
            ("''on'' yyyyMMdd", "on 20260305"),
        )
    ),
    ("TO_DATE(s, 'yyyy-MM')", row(s="2026-03"), date(2026, 3, 1)),
    ("TO_DATE(s, 'MMM yy')", row(s="Dec 99"), date(2099, 12, 1)),
    *(
        (f"TO_DATE(s, '{pattern}')", row(s=text), None)
        for pattern, text in (
            ("d.M.yyyy", "005.3.2026"),
            ("d.M.yyyy", "31.4.2026"),
            ("d.M.yyyy", " 5.3.2026"),
            ("d.M.yyyy", "5.3.0000"),
            ("dd.MM.yyyy", "5.3.2026"),
            ("d MMM yyyy", "5 Mär 2026"),
            ("d MMM yyyy", "5 March 2026"),
            ("d MMMM yyyy", "5 Mar 2026"),
            ("d MMM yyyy", "5 ſep 2026"),
            ("yyyy-MM", "2026-13"),
            ("yyyy-MM-dd", "٢٠٢٦-03-05"),
        )
    ),
)
def test_dates_are_read_by_patterns(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("", "it has no field"),
        ("yyy", "'yyy' is no part of it"),
        ("yyyy-mm", "'mm' is no part of it"),
        ("yyyy'", "''' stands in it only between single quotes"),
        ("{yyyy}", "'{' stands in it only between single quotes"),
    ],
)
def test_what_is_no_pattern(pattern: str, fault: str) -> None:
    with pytest.raises(PatternError) as found:
        parse_pattern(pattern, WRITTEN_OF_DATES)
    assert str(found.value) == fault


def test_the_place_of_a_short_name_tells_the_month() -> None:
    names = SHORT_MONTHS.lower()
    places = [names.index(month[:3].lower()) for month in MONTHS]
    assert places == list(range(0, 36, 3))


@drawn(st.dates(min_value=date(2000, 1, 1), max_value=date(2099, 12, 31)))
def test_what_is_written_by_a_pattern_is_read_by_it(day: date) -> None:
    for pattern in ("yyyy-MM-dd", "d.M.yyyy", "dd/MM/yy", "d MMM yyyy", "MMMM d, yyyy", "yyyyMMdd"):
        assert read_date(format_date(day, pattern), pattern) == day
