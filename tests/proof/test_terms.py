"""Numbers as terms add them up: exactly."""

from __future__ import annotations

import math
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

from rowbook.expressions.values import Value
from rowbook.proof.terms import exact


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (7, Fraction(7)),
        (0, Fraction()),
        (Decimal("-0.00"), Fraction()),
        (Decimal("0.10"), Fraction(1, 10)),
        (Decimal("-12345678901234567890.123456"), Fraction(-12345678901234567890123456, 10**6)),
        (0.5, Fraction(1, 2)),
        (-0.0, Fraction()),
    ],
)
def test_a_number_is_taken_as_it_is(value: Value, number: Fraction) -> None:
    assert exact(value) == number


def test_a_float_is_what_it_is_and_not_what_it_looks_like() -> None:
    assert exact(0.1) != Fraction(1, 10)
    assert sum(exact(each) or 0 for each in (0.1, 0.2)) != exact(0.3)


@pytest.mark.parametrize(
    "value", [None, True, False, "1", date(2026, 1, 31), math.nan, math.inf, -math.inf]
)
def test_what_is_no_number_adds_nothing(value: Value) -> None:
    assert exact(value) is None
