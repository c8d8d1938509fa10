"""Functions of dates and timestamps, evaluated in Python."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

from hypothesis import given as drawn
from hypothesis import strategies as st

from rowbook.expressions.evaluate import Moment, Value, evaluate
from rowbook.expressions.scalars import dates
from tests.expressions.evaluating import Given, cases, check, row, tree_of, utc, value_of


@cases(
    ("NOW()", row(), utc(2026, 2, 1, 0, 30, 15)),
    ("TODAY()", row(), date(2026, 2, 1)),
    ("PERIOD()", row(), "2026-01"),
    ("PERIOD(0)", row(), "2026-01"),
    ("PERIOD(-1)", row(), "2025-12"),
    ("PERIOD(12)", row(), "2027-01"),
    ("PERIOD(-20000)", row(), None),
    ("PERIOD_START()", row(), date(2026, 1, 1)),
    ("PERIOD_START(-1)", row(), date(2025, 12, 1)),
    ("PERIOD_START(-20000)", row(), None),
    ("PERIOD_END()", row(), date(2026, 1, 31)),
    ("PERIOD_END(1)", row(), date(2026, 2, 28)),
    ("PERIOD_END(20000)", row(), None),
    ("DATE(s)", row(s="2026-01-31"), date(2026, 1, 31)),
    ("DATE(s)", row(s="2026-02-30"), None),
    ("DATE(s)", row(s=" 2026-01-31"), None),
    ("DATE(s)", row(s="0000-01-01"), None),
    ("DATE(s)", row(s="2026-1-31"), None),
    ("DATE(s)", row(), None),
    ("DATE(i, 1, 31)", row(i=2026), date(2026, 1, 31)),
    ("DATE(2024, 2, i)", row(i=29), date(2024, 2, 29)),
    ("DATE(2026, 2, i)", row(i=29), None),
    ("DATE(i, 1, 1)", row(i=0), None),
    ("DATE(i, 1, 1)", row(i=10000), None),
    ("DATE(2026, i, 1)", row(i=13), None),
    ("DATE(2026, i, 1)", row(i=-1), None),
    ("DATE(i, 1, 1)", row(i=26), date(26, 1, 1)),
    ("DATE(i, 1, 1)", row(), None),
    ("TIMESTAMP(s)", row(s="2026-01-31"), utc(2026, 1, 31)),
    ("TIMESTAMP(s)", row(s="2026-01-31T10:00:00.25Z"), utc(2026, 1, 31, 10, 0, 0, 250000)),
    ("TIMESTAMP(s)", row(s="2026-01-31T00:30:00+01:00"), utc(2026, 1, 30, 23, 30)),
    ("TIMESTAMP(s)", row(s="yesterday"), None),
    ("TIMESTAMP(s)", row(), None),
    ("YEAR(day)", row(day=date(2026, 5, 31)), 2026),
    ("QUARTER(day)", row(day=date(2026, 3, 31)), 1),
    ("QUARTER(day)", row(day=date(2026, 4, 1)), 2),
    ("QUARTER(day)", row(day=date(2026, 12, 31)), 4),
    ("MONTH(day)", row(day=date(2026, 5, 31)), 5),
    ("DAY(day)", row(day=date(2026, 5, 31)), 31),
    ("WEEKDAY(day)", row(day=date(2026, 1, 5)), 1),
    ("WEEKDAY(day)", row(day=date(2026, 1, 4)), 7),
    ("YEAR(at)", row(at=utc(2026, 12, 31, 23, 59)), 2026),
    ("QUARTER(at)", row(at=utc(2026, 12, 31, 23, 59)), 4),
    ("MONTH(at)", row(at=utc(2026, 12, 31, 23, 59)), 12),
    ("DAY(at)", row(at=utc(2026, 12, 31, 23, 59)), 31),
    ("WEEKDAY(at)", row(at=utc(2026, 12, 31, 23, 59)), 4),
    *((f"{part}(day)", row(), None) for part in ("YEAR", "QUARTER", "MONTH", "DAY", "WEEKDAY")),
)
def test_dates_and_their_parts(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


def test_a_timestamp_of_another_zone_counts_as_its_day_in_utc() -> None:
    at = datetime(2026, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=2)))
    assert value_of("YEAR(at)", row(at=at)) == 2025
    assert evaluate(tree_of("TODAY()"), row(), Moment(at, "2026-01")) == date(2025, 12, 31)


@cases(
    ("DATEDIFF(day, DATE('2026-01-31'))", row(day=date(2026, 3, 1)), 29),
    ("DATEDIFF(DATE('2026-01-01'), day)", row(day=date(2026, 1, 2)), -1),
    ("DATEDIFF(at, day)", row(at=utc(2026, 1, 2, 0, 1), day=date(2026, 1, 1)), 1),
    ("DATEDIFF(day, at)", row(at=utc(2026, 1, 1, 23, 59), day=date(2026, 1, 1)), 0),
    ("DATEDIFF(day, at)", row(day=date(2026, 1, 1)), None),
    *(
        (f"DATEDIFF(day, DATE('{start}'), '{unit}')", row(day=end), number)
        for start, end, unit, number in (
            ("2026-01-31", date(2026, 2, 27), "month", 0),
            ("2026-01-31", date(2026, 2, 28), "month", 1),
            ("2026-01-31", date(2026, 3, 30), "month", 1),
            ("2026-01-31", date(2026, 3, 31), "month", 2),
            ("2026-01-15", date(2026, 2, 14), "month", 0),
            ("2026-01-15", date(2026, 2, 15), "month", 1),
            ("2026-02-28", date(2026, 3, 28), "month", 1),
            ("2026-02-28", date(2026, 1, 31), "month", -1),
            ("2026-02-15", date(2026, 1, 16), "month", 0),
            ("2026-01-31", date(2026, 1, 31), "month", 0),
            ("2024-02-29", date(2025, 2, 27), "year", 0),
            ("2024-02-29", date(2025, 2, 28), "year", 1),
            ("2025-02-28", date(2024, 2, 29), "year", -1),
            ("2026-01-31", date(2028, 1, 30), "year", 1),
            ("2026-01-31", date(2026, 2, 1), "day", 1),
            ("0001-01-01", date(9999, 12, 31), "month", 119987),
        )
    ),
    ("DATEDIFF(at, day, 'month')", row(at=utc(2026, 2, 1, 23), day=date(2026, 1, 1)), 1),
    ("DATEDIFF(day, DATE('2026-01-31'), 'month')", row(), None),
    ("day + 1", row(day=date(2024, 2, 28)), date(2024, 2, 29)),
    ("day - 1", row(day=date(2026, 1, 1)), date(2025, 12, 31)),
    ("day + i", row(day=date(2026, 1, 1)), None),
    ("DATEADD(day, 30)", row(day=date(2026, 1, 1)), date(2026, 1, 31)),
    ("DATEADD(day, i, 'day')", row(day=date(9999, 12, 31), i=-3652058), date(1, 1, 1)),
    ("DATEADD(day, 1, 'month')", row(day=date(2026, 1, 31)), date(2026, 2, 28)),
    ("DATEADD(day, 1, 'month')", row(day=date(2024, 2, 29)), date(2024, 3, 29)),
    ("DATEADD(day, -1, 'month')", row(day=date(2026, 1, 31)), date(2025, 12, 31)),
    ("DATEADD(day, -13, 'month')", row(day=date(2026, 1, 15)), date(2024, 12, 15)),
    ("DATEADD(day, 11, 'month')", row(day=date(2026, 1, 15)), date(2026, 12, 15)),
    ("DATEADD(day, 1, 'year')", row(day=date(2024, 2, 29)), date(2025, 2, 28)),
    ("DATEADD(day, -4, 'year')", row(day=date(2024, 2, 29)), date(2020, 2, 29)),
    ("DATEADD(day, 11, 'month')", row(day=date(9999, 1, 31)), date(9999, 12, 31)),
    ("DATEADD(day, i, 'month')", row(day=date(2026, 1, 1)), None),
    ("EOMONTH(day)", row(day=date(2024, 2, 1)), date(2024, 2, 29)),
    ("EOMONTH(day)", row(day=date(9999, 12, 1)), date(9999, 12, 31)),
    ("EOMONTH(at)", row(at=utc(2026, 1, 31, 23, 59)), date(2026, 1, 31)),
    ("EOMONTH(day)", row(), None),
    ("EOMONTH(day, 1)", row(day=date(2026, 1, 31)), date(2026, 2, 28)),
    ("EOMONTH(day, -1)", row(day=date(2026, 3, 31)), date(2026, 2, 28)),
    ("EOMONTH(at, 12)", row(at=utc(2023, 2, 28, 23, 59)), date(2024, 2, 29)),
    ("EOMONTH(day, i)", row(day=date(2026, 1, 1)), None),
)
def test_days_are_counted(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


DAYS = st.dates(min_value=date(1900, 1, 1), max_value=date(2200, 12, 31))


@drawn(DAYS, DAYS, st.sampled_from(("month", "year")))
def test_whole_months_and_years_are_what_can_be_added(one: date, other: date, unit: str) -> None:
    start, end = sorted((one, other))
    number = dates.between(end, start, unit)
    assert dates.add(start, number, unit) <= end < dates.add(start, number + 1, unit)
    assert dates.between(start, end, unit) == -number


@drawn(DAYS, st.integers(-1000, 1000))
def test_the_end_of_a_month_is_the_day_before_the_next(day: date, months: int) -> None:
    end = dates.end_of_month(day, months)
    assert (end + timedelta(days=1)).day == 1
    assert (end.year - day.year) * 12 + end.month - day.month == months
