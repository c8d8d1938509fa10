"""TO_STRING by patterns of numbers, evaluated in Python."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from rowbook.expressions.evaluate import Value
from rowbook.expressions.scalars.date_patterns import PatternError
from rowbook.expressions.scalars.number_patterns import format_number_by, parse_number_pattern
from tests.expressions.evaluating import INF, LEAST, MOST, NAN, Given, cases, check, dec, row


@cases(
    *(
        (f"TO_STRING(d, '{pattern}')", row(d=dec(number)), text)
        for number, pattern, text in (
            ("1234567.80", "#,##0.00", "1,234,567.80"),
            ("-1234.50", "#,##0.00", "-1,234.50"),
            ("-1234.50", "#,##0.00;(#,##0.00)", "(1,234.50)"),
            ("1234.50", "#,##0.00;(#,##0.00)", "1,234.50"),
            ("0.00", "#,##0.00", "0.00"),
            ("0.05", "0.0", "0.1"),
            ("-0.05", "0.0", "-0.1"),
            ("-0.04", "0.0", "0.0"),
            ("-0.04", "0.0;(0.0)", "0.0"),
            ("0.50", "#.00", ".50"),
            ("0.50", "0.###", "0.5"),
            ("3.00", "0.###", "3"),
            ("3.00", "0.0##", "3.0"),
            ("7.00", "000", "007"),
            ("1234.00", "000", "1234"),
            ("999.99", "#,##0", "1,000"),
            ("999999.99", "#,##0.0", "1,000,000.0"),
            ("0.13", "0%", "13%"),
            ("-1.20", "0.0%", "-120.0%"),
            ("0.00", "0.0%", "0.0%"),
            ("12.00", "€ #,##0.00", "€ 12.00"),
            ("12.00", "0.00 ''EUR''", "12.00 EUR"),
            ("12.00", "''100%'' 0", "100% 12"),
            ("5.00", "0,000", "0,005"),
        )
    ),
    ("TO_STRING(i, '#,##0')", row(i=MOST), "9,223,372,036,854,775,807"),
    ("TO_STRING(i, '#,##0')", row(i=LEAST), "-9,223,372,036,854,775,808"),
    ("TO_STRING(i, '0.0%')", row(i=MOST), "922337203685477580700.0%"),
    ("TO_STRING(n, '0')", row(n=dec("9" * 38)), "9" * 38),
    ("TO_STRING(w, '0.0')", row(w=dec("9" * 28 + ".95")), f"1{'0' * 28}.0"),
    ("TO_STRING(w, '0%')", row(w=dec("9" * 28)), f"{'9' * 28}00%"),
    ("TO_STRING(f, '0.00')", row(f=0.125), "0.13"),
    ("TO_STRING(f, '0.0')", row(f=0.25), "0.3"),
    ("TO_STRING(f, '0.00')", row(f=-1e-300), "0.00"),
    ("TO_STRING(f, '#,##0')", row(f=1e20), "100,000,000,000,000,000,000"),
    ("TO_STRING(f, '0')", row(f=1e38), None),
    ("TO_STRING(f, '0')", row(f=NAN), None),
    ("TO_STRING(f, '0')", row(f=-INF), None),
    ("TO_STRING(d, '0')", row(), None),
)
def test_numbers_are_written_by_patterns(text: str, given: Given, value: Value) -> None:
    check(text, given, value)


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("", "it is not made of # and 0, with letters in single quotes"),
        ("0 EUR", "it is not made of # and 0, with letters in single quotes"),
        ("0.0.0", "it is not made of # and 0, with letters in single quotes"),
        ("0#", "before the point stand first #, then 0, and a comma before three digits"),
        ("#,#0", "before the point stand first #, then 0, and a comma before three digits"),
        ("#.##", "it has no 0: a zero would have no digit at all"),
        ("0.0;", "it is not made of # and 0, with letters in single quotes"),
        (f"0.{'0' * 19}", "it has more than 18 digits after the point"),
    ],
)
def test_what_is_no_pattern(pattern: str, fault: str) -> None:
    with pytest.raises(PatternError) as found:
        parse_number_pattern(pattern)
    assert str(found.value) == fault


@drawn(
    st.decimals(
        allow_nan=False, allow_infinity=False, places=4, min_value=-(10**12), max_value=10**12
    )
)
def test_separators_and_signs_aside_it_is_the_rounded_number(number: Decimal) -> None:
    text = format_number_by(number, "#,##0.00")
    assert text is not None
    assert abs(Decimal(text.replace(",", "")) - number) <= Decimal("0.005")
    assert text.startswith("-") == (Decimal(text.replace(",", "")) < 0)
