"""Values of the language: how they fit their types, how one becomes another, how they order."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.values import (
    EvaluationError,
    converted,
    fit,
    float_as_decimal,
    in_order,
    rounded,
    rounded_to,
)


def test_a_decimal_is_rounded_half_up_to_its_scale() -> None:
    assert str(fit(Decimal("1.005"), t.decimal(5, 2))) == "1.01"
    assert str(fit(Decimal("-1.005"), t.decimal(5, 2))) == "-1.01"
    assert str(fit(Decimal("-0.001"), t.decimal(5, 2))) == "0.00"


@pytest.mark.parametrize("text", ["1000", "999.995"])
def test_a_decimal_with_too_many_digits_is_an_overflow(text: str) -> None:
    assert rounded(Decimal(text), 5, 2) is None
    with pytest.raises(EvaluationError) as caught:
        fit(Decimal(text), t.decimal(5, 2))
    assert (caught.value.code, caught.value.message) == (
        "RUN_001",
        f"{text} does not fit decimal(5,2)",
    )


def test_an_integer_has_64_bits() -> None:
    assert fit(2**63 - 1, t.INTEGER) == 9223372036854775807
    assert fit(None, t.INTEGER) is None
    with pytest.raises(EvaluationError, match="needs more than 64 bits"):
        fit(2**63, t.INTEGER)


def test_a_digit_before_the_point_can_be_rounded_at() -> None:
    assert rounded_to(Decimal(1250), -2) == Decimal(1300)
    assert str(rounded_to(Decimal("2.345"), 2)) == "2.35"


def test_conversions() -> None:
    assert converted(None, t.FLOAT) is None
    assert str(converted(7, t.decimal(5, 2))) == "7.00"
    assert converted(Decimal("0.5"), t.FLOAT) == 0.5
    assert converted(date(2026, 1, 31), t.TIMESTAMP) == datetime(2026, 1, 31, tzinfo=UTC)


def test_nan_is_above_every_number_and_equal_to_itself() -> None:
    assert in_order(math.nan) > in_order(math.inf)
    assert in_order(math.nan) == in_order(math.nan)
    assert in_order(0.0) == in_order(-0.0)


def test_a_float_is_its_shortest_decimal() -> None:
    assert float_as_decimal(0.1) == Decimal("0.1")
