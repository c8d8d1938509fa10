"""Dates and timestamps written as text, and the date formats TO_DATE understands."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from rowbook.expressions import bound as b
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.literals import is_date_format, parse_date, parse_timestamp
from tests.expressions.samples import SCOPE, bound, marked


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2026-01-31", date(2026, 1, 31)),
        ("2024-02-29", date(2024, 2, 29)),
        ("0001-01-01", date(1, 1, 1)),
        ("9999-12-31", date(9999, 12, 31)),
    ],
)
def test_an_iso_text_is_a_date(text: str, value: date) -> None:
    assert parse_date(text) == value
    assert bound(f"DATE('{text}')").tree == b.Constant(value, bound("booked").tree.type)


NO_DATES = [
    *("", "2026", "2026-1-31", "2026-02-30", "2025-02-29", "2026-13-01", "0000-01-01"),
    *("31.01.2026", "20260131", "2026-W05-1", " 2026-01-31", "2026-01-31T00:00:00"),
    "٢٠٢٦-01-31",
]


@pytest.mark.parametrize("text", NO_DATES)
def test_a_bad_date_literal_is_a_compile_time_error(text: str) -> None:
    assert parse_date(text) is None
    expression = f"booked > DATE('{text}')"
    (fault,) = bind(expression, SCOPE).faults
    assert (fault.code, fault.message) == ("EXPR_006", f"'{text}' is not a date")
    assert fault.hint == "write DATE('2026-01-31')"
    assert marked(expression, fault) == f"'{text}'"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2026-01-31", datetime(2026, 1, 31, tzinfo=UTC)),
        ("2026-01-31T10:00:00Z", datetime(2026, 1, 31, 10, tzinfo=UTC)),
        ("2026-01-31t10:00:00z", datetime(2026, 1, 31, 10, tzinfo=UTC)),
        ("2026-01-31T10:00:00", datetime(2026, 1, 31, 10, tzinfo=UTC)),
        ("2026-01-31 10:00", datetime(2026, 1, 31, 10, tzinfo=UTC)),
        ("2026-01-31T10:00:00+02:00", datetime(2026, 1, 31, 8, tzinfo=UTC)),
        ("2026-01-31T22:00:00-05:30", datetime(2026, 2, 1, 3, 30, tzinfo=UTC)),
        ("2026-01-31T10:00:00.5Z", datetime(2026, 1, 31, 10, 0, 0, 500_000, UTC)),
        ("2026-01-31T10:00:00.123456Z", datetime(2026, 1, 31, 10, 0, 0, 123_456, UTC)),
    ],
)
def test_an_iso_text_is_an_instant_in_utc(text: str, value: datetime) -> None:
    assert parse_timestamp(text) == value
    assert bound(f"TIMESTAMP('{text}')").tree == b.Constant(value, bound("made").tree.type)


@pytest.mark.parametrize(
    "text",
    [
        *("", "10:00", "2026-01-31T", "2026-01-31T25:00:00Z", "2026-01-31T10:61", "2026-02-30"),
        *("2026-01-31T10:00:00.1234567Z", "2026-01-31T10:00+99:99", "2026-01-31Z", "now"),
        *("0001-01-01T00:00:00+10:00", "9999-12-31T23:00:00-10:00"),
    ],
)
def test_a_bad_timestamp_literal_is_a_compile_time_error(text: str) -> None:
    assert parse_timestamp(text) is None
    (fault,) = bind(f"made > TIMESTAMP('{text}')", SCOPE).faults
    assert (fault.code, fault.message) == ("EXPR_006", f"'{text}' is not a timestamp")
    assert fault.hint == "write TIMESTAMP('2026-01-31T10:00:00Z')"


@pytest.mark.parametrize(
    "text", ["yyyy-MM-dd", "dd.MM.yyyy", "MM/dd/yyyy", "yyyyMMdd", "dd MM yyyy", "(yyyy) MM, dd"]
)
def test_a_date_format_has_year_month_and_day(text: str) -> None:
    assert is_date_format(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "yyyy-MM", "yyyy-MM-dd HH", "yy-MM-dd", "YYYY-MM-DD", "yyyy-mm-dd", "dd MMM yyyy"),
        *("yyyy-MM-dd-yyyy", "yyyy-MM-ddd", "yyyy'x'MM-dd", "[yyyy]-MM-dd", "d.M.yyyy"),
    ],
)
def test_any_other_format_is_refused(text: str) -> None:
    assert not is_date_format(text)
