"""TO_STRING, TO_INTEGER, TO_DECIMAL and TO_DATE, evaluated in Python."""

from __future__ import annotations

from datetime import date

from rowbook.expressions.evaluate import Value
from tests.expressions.evaluating import INF, LEAST, MOST, NAN, Given, cases, check, dec, row, utc


@cases(
    ("TO_STRING(b)", row(b=True), "true"),
    ("TO_STRING(b)", row(b=False), "false"),
    ("TO_STRING(i)", row(i=-42), "-42"),
    ("TO_STRING(s)", row(s=" a "), " a "),
    ("TO_STRING(d)", row(d=dec("5")), "5.00"),
    ("TO_STRING(w)", row(w=dec("1E-10")), "0.0000000001"),
    ("TO_STRING(n)", row(n=dec("1E+20")), "100000000000000000000"),
    ("TO_STRING(-d)", row(d=dec("0")), "0.00"),
    ("TO_STRING(IF(b, 5, 1.25))", row(b=True), "5.00"),
    ("TO_STRING(d / 4)", row(d=dec("1")), "0.250000"),
    ("TO_STRING(day)", row(day=date(26, 1, 31)), "0026-01-31"),
    ("TO_STRING(at)", row(at=utc(2026, 1, 31, 10)), "2026-01-31T10:00:00Z"),
    ("TO_STRING(at)", row(at=utc(2026, 1, 31, 10, 0, 0, 120)), "2026-01-31T10:00:00.00012Z"),
    ("TO_STRING(at)", row(at=utc(1, 1, 1)), "0001-01-01T00:00:00Z"),
    ("TO_STRING(f)", row(f=1.0), "1.0"),
    ("TO_STRING(f)", row(f=-0.0), "-0.0"),
    ("TO_STRING(f)", row(f=0.001), "0.001"),
    ("TO_STRING(f)", row(f=0.0001), "1.0E-4"),
    ("TO_STRING(f)", row(f=0.00012345), "1.2345E-4"),
    ("TO_STRING(f)", row(f=9999999.5), "9999999.5"),
    ("TO_STRING(f)", row(f=10000000.0), "1.0E7"),
    ("TO_STRING(f)", row(f=-12345678.0), "-1.2345678E7"),
    ("TO_STRING(f)", row(f=1e22), "1.0E22"),
    ("TO_STRING(f)", row(f=1.7976931348623157e308), "1.7976931348623157E308"),
    ("TO_STRING(f)", row(f=NAN), "NaN"),
    ("TO_STRING(f)", row(f=INF), "Infinity"),
    ("TO_STRING(f)", row(f=-INF), "-Infinity"),
    ("TO_STRING(f)", row(), None),
    ("TO_STRING(NULL)", row(), None),
)
def test_to_string(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@cases(
    ("TO_INTEGER(i)", row(i=5), 5),
    ("TO_INTEGER(d)", row(d=dec("-1.99")), -1),
    ("TO_INTEGER(n)", row(n=dec(MOST)), MOST),
    ("TO_INTEGER(n)", row(n=dec(MOST + 1)), None),
    ("TO_INTEGER(f)", row(f=-1.99), -1),
    ("TO_INTEGER(f)", row(f=2.0**63), None),
    ("TO_INTEGER(f)", row(f=-(2.0**63)), LEAST),
    ("TO_INTEGER(f)", row(f=1e300), None),
    ("TO_INTEGER(f)", row(f=NAN), None),
    ("TO_INTEGER(f)", row(f=INF), None),
    ("TO_INTEGER(s)", row(s="  -12.99 "), -12),
    ("TO_INTEGER(s)", row(s="+007"), 7),
    ("TO_INTEGER(s)", row(s="-0.9"), 0),
    ("TO_INTEGER(s)", row(s=str(LEAST)), LEAST),
    ("TO_INTEGER(s)", row(s=f"{MOST}.9"), MOST),
    ("TO_INTEGER(s)", row(s=str(MOST + 1)), None),
    ("TO_INTEGER(s)", row(s="9" * 6000), None),
    ("TO_INTEGER(s)", row(s="0" * 6000 + "7"), 7),
    *(
        ("TO_INTEGER(s)", row(s=bad), None)
        for bad in ("", " ", "-", "1e3", ".5", "5.", "1,000", "1_000", "0x1", "٤٢", "\t1", "12 3")
    ),
    ("TO_INTEGER(s)", row(), None),
)
def test_to_integer(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@cases(
    ("TO_DECIMAL(d, 5, 1)", row(d=dec("2.25")), dec("2.3")),
    ("TO_DECIMAL(d, 5, 1)", row(d=dec("-2.25")), dec("-2.3")),
    ("TO_DECIMAL(d, 3, 1)", row(d=dec("99.95")), None),
    ("TO_DECIMAL(i, 10, 2)", row(i=7), dec("7.00")),
    ("TO_DECIMAL(i, 2, 2)", row(i=1), None),
    ("TO_DECIMAL(f, 10, 2)", row(f=1.005), dec("1.01")),
    ("TO_DECIMAL(f, 38, 30)", row(f=0.1), dec("0.100000000000000000000000000000")),
    ("TO_DECIMAL(f, 38, 0)", row(f=1e300), None),
    ("TO_DECIMAL(f, 10, 2)", row(f=-0.0), dec("0.00")),
    ("TO_DECIMAL(f, 10, 2)", row(f=NAN), None),
    ("TO_DECIMAL(f, 10, 2)", row(f=-INF), None),
    ("TO_DECIMAL(s, 10, 2)", row(s=" -12.345 "), dec("-12.35")),
    ("TO_DECIMAL(s, 10, 2)", row(s="+5"), dec("5.00")),
    ("TO_DECIMAL(s, 10, 2)", row(s="1.5e3"), dec("1500.00")),
    ("TO_DECIMAL(s, 10, 2)", row(s="150E-2"), dec("1.50")),
    ("TO_DECIMAL(s, 10, 2)", row(s="0e999"), dec("0.00")),
    ("TO_DECIMAL(s, 10, 2)", row(s="1e-999"), dec("0.00")),
    ("TO_DECIMAL(s, 10, 2)", row(s="1e999"), None),
    ("TO_DECIMAL(s, 10, 2)", row(s="1e1000"), None),
    ("TO_DECIMAL(s, 10, 2)", row(s="99999999.99"), dec("99999999.99")),
    ("TO_DECIMAL(s, 10, 2)", row(s="99999999.995"), None),
    ("TO_DECIMAL(s, 10, 2)", row(s="0." + "3" * 6000), dec("0.33")),
    *(
        ("TO_DECIMAL(s, 10, 2)", row(s=bad), None)
        for bad in ("", "-", ".5", "5.", "1,5", "1e", "NaN", "Infinity", "1_0", "٤٢", "5\n")
    ),
    ("TO_DECIMAL(s, 10, 2)", row(), None),
    ("TO_DECIMAL(NULL, 10, 2)", row(), None),
)
def test_to_decimal(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@cases(
    ("TO_DATE(s, 'yyyy-MM-dd')", row(s="2026-01-31"), date(2026, 1, 31)),
    ("TO_DATE(s, 'dd.MM.yyyy')", row(s="31.01.2026"), date(2026, 1, 31)),
    ("TO_DATE(s, 'yyyyMMdd')", row(s="20260131"), date(2026, 1, 31)),
    ("TO_DATE(s, 'MM/dd/yyyy')", row(s="01/31/2026"), date(2026, 1, 31)),
    ("TO_DATE(s, 'yyyy年MM月dd日')", row(s="2026年01月31日"), date(2026, 1, 31)),
    *(
        ("TO_DATE(s, 'dd.MM.yyyy')", row(s=bad), None)
        for bad in (
            *("", "1.1.2026", "31-01-2026", "31x01x2026", "31.01.26", "٣١.01.2026"),
            *(" 31.01.2026", "31.01.2026 10:00", "30.02.2026", "01.01.0000"),
        )
    ),
    ("TO_DATE(s, 'yyyy-MM-dd')", row(), None),
)
def test_to_date(text: str, given: Given, value: Value) -> None:
    check(text, given, value)
