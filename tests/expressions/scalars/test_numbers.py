"""Arithmetic and the functions of numbers, evaluated in Python."""

from __future__ import annotations

from datetime import date

import pytest

from rowbook.expressions.evaluate import EvaluationError, Value
from tests.expressions.evaluating import (
    INF,
    LEAST,
    MOST,
    NAN,
    Given,
    cases,
    check,
    dec,
    row,
    utc,
    value_of,
)

LONG = "1234567890123456789012345678.9012345678"


@cases(
    ("i + j", row(i=MOST, j=-1), MOST - 1),
    ("i - j", row(i=1, j=3), -2),
    ("i * j", row(i=-2, j=3), -6),
    ("i + j", row(i=1), None),
    ("NULL + 1", row(), None),
    ("-i", row(i=5), -5),
    ("-i", row(), None),
    ("--i", row(i=5), 5),
    ("-d", row(d=dec("0.00")), dec("0.00")),
    ("-f", row(f=0.0), -0.0),
    ("-w", row(w=dec(LONG)), dec(f"-{LONG}")),
    ("ABS(w)", row(w=dec(f"-{LONG}")), dec(LONG)),
    ("w - 0.0000000001", row(w=dec(LONG)), dec("1234567890123456789012345678.901234568")),
    ("0.1 + 0.2", row(), dec("0.3")),
    ("d + 1", row(d=dec("1.50")), dec("2.50")),
    ("d - 1.005", row(d=dec("1.00")), dec("-0.005")),
    ("d * -0.5", row(d=dec("1.25")), dec("-0.625")),
    ("d * 0", row(d=dec("-1.25")), dec("0.00")),
    ("w * w", row(w=dec("1.0000005")), dec("1.000001")),
    ("w * w", row(w=dec("0.00070711")), dec("0.000001")),
    ("w * w", row(w=dec("-0.0007")), dec("0.000000")),
    ("w + w", row(w=dec(9 * 10**27)), dec("18000000000000000000000000000.000000000")),
    ("i / j", row(i=1, j=3), dec("0.333333333333333333")),
    ("i / j", row(i=-2, j=3), dec("-0.666666666666666667")),
    ("2 / 3", row(), dec("0.666667")),
    ("-1 / 8", row(), dec("-0.125000")),
    ("d / 3", row(d=dec("10")), dec("3.333333")),
    ("i / j", row(i=1, j=0), None),
    ("d / 0", row(d=dec("1")), None),
    ("0 / d", row(d=dec("0")), None),
    ("d / i", row(d=dec("1")), None),
    ("f + g", row(f=0.1, g=0.2), 0.30000000000000004),
    ("f + d", row(f=0.5, d=dec("0.25")), 0.75),
    ("f * g", row(f=1e308, g=10.0), INF),
    ("f - g", row(f=INF, g=INF), NAN),
    ("f / g", row(f=1.0, g=4.0), 0.25),
    ("f / g", row(f=1.0, g=0.0), None),
    ("f / g", row(f=NAN, g=-0.0), None),
    ("f / 3", row(f=1.0), 1 / 3),
)
def test_arithmetic(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@cases(
    ("i % j", row(i=7, j=3), 1),
    ("i % j", row(i=-7, j=3), -1),
    ("i % j", row(i=7, j=-3), 1),
    ("i % j", row(i=-7, j=-3), -1),
    ("i % j", row(i=LEAST, j=-1), 0),
    ("MOD(i, j)", row(i=5, j=0), None),
    ("MOD(i, j)", row(j=2), None),
    ("MOD(d, 2)", row(d=dec("-7.50")), dec("-1.50")),
    ("d % 0.3", row(d=dec("1.00")), dec("0.10")),
    ("d % 0.0", row(d=dec("1.00")), None),
    ("w % 0.0000000003", row(w=dec(10**27)), dec("0.0000000001")),
    ("f % g", row(f=-7.5, g=2.0), -1.5),
    ("f % g", row(f=7.5, g=-2.0), 1.5),
    ("f % g", row(f=7.5, g=0.0), None),
    ("f % g", row(f=7.5, g=INF), 7.5),
    ("f % g", row(f=INF, g=2.0), NAN),
    ("f % g", row(f=NAN, g=2.0), NAN),
)
def test_a_remainder_has_the_sign_of_the_dividend(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@cases(
    ("ROUND(d)", row(d=dec("2.50")), dec("3")),
    ("ROUND(d)", row(d=dec("-2.50")), dec("-3")),
    ("ROUND(d)", row(d=dec("-0.49")), dec("0")),
    ("ROUND(d, 1)", row(d=dec("2.25")), dec("2.3")),
    ("ROUND(d, 9)", row(d=dec("2.25")), dec("2.25")),
    ("ROUND(d, -1)", row(d=dec("15.00")), dec("20")),
    ("ROUND(d, -2)", row(d=dec("-149.99")), dec("-100")),
    ("ROUND(d, -5)", row(d=dec("999.99")), dec("0")),
    ("ROUND(d, -500)", row(d=dec("999.99")), dec("0")),
    ("ROUND(9.99, 1)", row(), dec("10.0")),
    ("ROUND(i)", row(i=5), 5),
    ("ROUND(i, 2)", row(i=5), 5),
    ("ROUND(i, -1)", row(i=-15), -20),
    ("ROUND(i, -3)", row(i=499), 0),
    ("ROUND(i, -30)", row(i=MOST), 0),
    ("ROUND(f)", row(f=2.5), 3.0),
    ("ROUND(f)", row(f=-2.5), -3.0),
    ("ROUND(f)", row(f=-0.3), 0.0),
    ("ROUND(f, 2)", row(f=1.005), 1.01),
    ("ROUND(f, 2)", row(f=2.675), 2.68),
    ("ROUND(f, -2)", row(f=150.0), 200.0),
    ("ROUND(f, -308)", row(f=1.7e308), INF),
    ("ROUND(f, -999999999)", row(f=1.7e308), 0.0),
    ("ROUND(f, 999999999)", row(f=5e-324), 5e-324),
    ("ROUND(f, 999999999)", row(f=1.7e308), 1.7e308),
    ("ROUND(f)", row(f=NAN), NAN),
    ("ROUND(f)", row(f=-INF), -INF),
    ("ROUND(i)", row(), None),
    ("ABS(i)", row(i=-5), 5),
    ("ABS(d)", row(d=dec("-5.5")), dec("5.50")),
    ("ABS(f)", row(f=-0.0), 0.0),
    ("ABS(i)", row(), None),
    ("FLOOR(d)", row(d=dec("-1.50")), -2),
    ("FLOOR(f)", row(f=1.5), 1),
    ("FLOOR(f)", row(f=-1.5), -2),
    ("FLOOR(i)", row(i=LEAST), LEAST),
    ("FLOOR(f)", row(f=float(LEAST)), LEAST),
    ("FLOOR(d)", row(), None),
    ("CEIL(d)", row(d=dec("1.01")), 2),
    ("CEIL(d)", row(d=dec("-1.50")), -1),
    ("CEIL(f)", row(f=-0.5), 0),
    ("CEIL(f)", row(), None),
    ("SIGN(i)", row(i=-9), -1),
    ("SIGN(d)", row(d=dec("0.01")), 1),
    ("SIGN(f)", row(f=-0.0), 0),
    ("SIGN(f)", row(f=-INF), -1),
    ("SIGN(f)", row(), None),
)
def test_rounding(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@cases(
    ("MIN(i, j, 3)", row(i=5, j=4), 3),
    ("MAX(i, j)", row(i=5, j=4), 5),
    ("MIN(i, j)", row(i=5), None),
    ("LEAST(i, j)", row(i=5), 5),
    ("LEAST(i, j, 3)", row(i=5, j=4), 3),
    ("LEAST(i, j)", row(), None),
    ("GREATEST(i, NULL, j)", row(i=5, j=7), 7),
    ("GREATEST(f, g)", row(f=NAN, g=INF), NAN),
    ("GREATEST(s, u)", row(s="b"), "b"),
    ("GREATEST(s, u)", row(), None),
    ("MAX(j, i)", row(i=5), None),
    ("MAX(i, 2.5)", row(i=2), dec("2.5")),
    ("MIN(s, u)", row(s="b", u="B"), "B"),
    ("MAX(day, at)", row(day=date(2026, 1, 2), at=utc(2026, 1, 1)), utc(2026, 1, 2)),
    ("MAX(b, c)", row(b=False, c=True), True),
    ("MAX(f, g)", row(f=INF, g=NAN), NAN),
    ("MIN(f, g)", row(f=NAN, g=INF), INF),
    ("MIN(f, g)", row(f=-0.0, g=0.0), -0.0),
    ("POWER(i, 2)", row(i=3), 9.0),
    ("POWER(i, 0.5)", row(i=4), 2.0),
    ("POWER(i, -1)", row(i=2), 0.5),
    ("POWER(f, 0)", row(f=NAN), 1.0),
    ("POWER(f, 0.5)", row(f=-8.0), None),
    ("POWER(f, g)", row(f=NAN, g=1.0), None),
    ("POWER(f, g)", row(f=1.0, g=NAN), None),
    ("POWER(f, g)", row(f=1.0, g=INF), None),
    ("POWER(f, g)", row(f=-1.0, g=-INF), None),
    ("POWER(f, g)", row(f=2.0, g=INF), INF),
    ("POWER(f, g)", row(f=-2.0, g=-INF), 0.0),
    ("POWER(f, g)", row(f=0.0, g=-1.0), INF),
    ("POWER(f, g)", row(f=-0.0, g=-1.0), -INF),
    ("POWER(f, g)", row(f=-0.0, g=-2.0), INF),
    ("POWER(f, g)", row(f=10.0, g=400.0), INF),
    ("POWER(f, g)", row(f=-10.0, g=401.0), -INF),
    ("POWER(f, g)", row(f=10.0, g=-400.0), 0.0),
    ("POWER(f, g)", row(f=2.0), None),
    ("SQRT(d)", row(d=dec("2.25")), 1.5),
    ("SQRT(i)", row(i=0), 0.0),
    ("SQRT(-1)", row(), None),
    ("SQRT(f)", row(f=NAN), None),
    ("SQRT(f)", row(f=INF), INF),
    ("SQRT(f)", row(), None),
)
def test_functions_of_numbers(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


OVERFLOWS = [
    ("i + 1", row(i=MOST), "9223372036854775808 does not fit integer"),
    ("i - 1", row(i=LEAST), "-9223372036854775809 does not fit integer"),
    ("i * i", row(i=2**32), "18446744073709551616 does not fit integer"),
    ("-i", row(i=LEAST), "9223372036854775808 does not fit integer"),
    ("ABS(i)", row(i=LEAST), "9223372036854775808 does not fit integer"),
    ("ROUND(i, -1)", row(i=MOST), "9223372036854775810 does not fit integer"),
    ("n + n", row(n=dec(10**37 * 9)), "does not fit decimal(38,0)"),
    ("w * w", row(w=dec(10**20)), "does not fit decimal(38,6)"),
    ("n / d", row(n=dec(10**37), d=dec("0.01")), "does not fit decimal(38,6)"),
    ("ROUND(n, -37)", row(n=dec("9" * 38)), "does not fit decimal(38,0)"),
    ("FLOOR(n)", row(n=dec(10**30)), "does not fit integer"),
    ("FLOOR(f)", row(f=2.0**63), "9223372036854775808 does not fit integer"),
    ("CEIL(f)", row(f=-1e30), "does not fit integer"),
    ("CEIL(f)", row(f=INF), "CEIL of inf is no integer"),
    ("FLOOR(f)", row(f=NAN), "FLOOR of nan is no integer"),
    ("SIGN(f)", row(f=NAN), "SIGN of NaN is no integer"),
    ("day + 1", row(day=date.max), "9999-12-31 and 1 days is outside the years 0001 to 9999"),
    ("day - i", row(day=date.min, i=1), "outside the years"),
    ("day - i", row(day=date.min, i=LEAST), "does not fit integer"),
    ("day + i", row(day=date.min, i=MOST), "outside the years"),
    ("DATEADD(day, i, 'month')", row(day=date.min, i=-1), "outside the years"),
    ("DATEADD(day, i, 'year')", row(day=date.min, i=9999), "outside the years"),
    ("DATEADD(day, i, 'year')", row(day=date.min, i=MOST), "outside the years"),
    ("LPAD(s, i)", row(s="", i=2**31), "2147483648 characters"),
    ("RPAD(s, i)", row(s="", i=MOST), "characters is too long"),
]


@pytest.mark.parametrize(("text", "given", "message"), OVERFLOWS)
def test_an_overflow_is_an_error(text: str, given: Given, message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        value_of(text, given)
    assert caught.value.code == "RUN_001"
    assert message in caught.value.message
    assert str(caught.value) == f"RUN_001  {caught.value.message}"


@cases(
    ("b AND i + 1 > 0", row(b=False, i=MOST), False),
    ("b OR i + 1 > 0", row(b=True, i=MOST), True),
    ("IF(b, i + 1, 0)", row(b=False, i=MOST), 0),
    ("CASE WHEN b THEN 1 WHEN i + 1 > 0 THEN 2 END", row(b=True, i=MOST), 1),
    ("COALESCE(j, i + 1)", row(j=1, i=MOST), 1),
    ("NULLIF(j, i + 1)", row(i=MOST), None),
    ("j IN (1, i + 1)", row(j=1, i=MOST), True),
    ("j + (i + 1)", row(i=MOST), None),
    ("CONCAT(s, TO_STRING(i + 1))", row(i=MOST), None),
)
def test_what_is_not_needed_does_not_fail(text: str, given: Given, value: Value) -> None:
    check(text, given, value)
