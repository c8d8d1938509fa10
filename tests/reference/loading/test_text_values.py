"""Text as values of declared types. That Spark reads text by the same rules is tested in
tests/engine/loading/test_text_parsing.py."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.values import Value
from rowbook.reference.loading.text_values import value_of_text

MONEY = t.decimal(6, 2)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        (" as it is ", t.STRING, " as it is "),
        ("-007", t.INTEGER, -7),
        ("9223372036854775807", t.INTEGER, 2**63 - 1),
        ("10.5", MONEY, Decimal("10.50")),
        ("0010.500", MONEY, Decimal("10.50")),
        ("1.5E+3", MONEY, Decimal("1500.00")),
        ("0E-18", MONEY, Decimal("0.00")),
        ("1e-3", t.FLOAT, 0.001),
        ("-Infinity", t.FLOAT, -math.inf),
        ("TRUE", t.BOOLEAN, True),
        ("2026-01-31", t.DATE, date(2026, 1, 31)),
        ("2026-01-31T10:00:00+02:00", t.TIMESTAMP, datetime(2026, 1, 31, 8, tzinfo=UTC)),
    ],
)
def test_text_that_is_a_value(text: str, kind: t.Type, value: Value) -> None:
    found = value_of_text(text, kind)
    assert (type(found), repr(found)) == (type(value), repr(value))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", t.INTEGER),
        (" 7", t.INTEGER),
        ("7.0", t.INTEGER),
        ("1E3", t.INTEGER),
        ("9223372036854775808", t.INTEGER),
        ("٧", t.INTEGER),
        ("10.555", MONEY),
        ("12345.00", MONEY),
        (".5", MONEY),
        ("1.005E0", MONEY),
        ("inf", t.FLOAT),
        ("1e999", t.FLOAT),
        ("yes", t.BOOLEAN),
        ("2026-02-30", t.DATE),
        ("31.01.2026", t.DATE),
    ],
)
def test_text_that_is_none(text: str, kind: t.Type) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        value_of_text(text, kind)


def test_an_integer_may_have_an_exponent_where_the_source_writes_them() -> None:
    assert value_of_text("1E+3", t.INTEGER, exponents=True) == 1000
    with pytest.raises(ValueError, match="does not fit"):
        value_of_text("1.5E0", t.INTEGER, exponents=True)
