"""Cells compare by their column's type."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.expressions.types import Type
from rowbook.expressions.values import Value
from rowbook.scenarios.assignment import left_over
from rowbook.scenarios.cell_comparison import Compared
from tests.scenarios.samples import rows_compared, table, text_of

NOON = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "written", "value"),
    [
        (t.STRING, "4000", "4000"),
        (t.STRING, "'4000'", "4000"),
        (t.STRING, "10.50", "10.50"),
        (t.STRING, "true", "true"),
        (t.STRING, "''", ""),
        (t.INTEGER, "42", 42),
        (t.INTEGER, "'42'", 42),
        (t.INTEGER, "9223372036854775807", 2**63 - 1),
        (t.decimal(18, 2), "10.5", Decimal("10.50")),
        (t.decimal(18, 6), "10.5", Decimal("10.500000")),
        (t.decimal(18, 2), "10", Decimal("10.00")),
        (t.decimal(18, 2), "'1e1'", Decimal("10.00")),
        (t.decimal(18, 2), "-0.00", Decimal("0.00")),
        (t.decimal(30, 0), "5", Decimal(5)),
        (t.decimal(38, 0), "9" * 38, Decimal("9" * 38)),
        (t.FLOAT, "0.1", 0.1),
        (t.FLOAT, "1", 1.0),
        (t.FLOAT, "1e300", 1e300),
        (t.FLOAT, "0", -0.0),
        (t.BOOLEAN, "true", True),
        (t.BOOLEAN, "FALSE", False),
        (t.DATE, "2026-01-31", date(2026, 1, 31)),
        (t.DATE, "'2026-01-31'", date(2026, 1, 31)),
        (t.TIMESTAMP, "2026-01-31T12:00:00Z", NOON),
        (t.TIMESTAMP, "2026-01-31 12:00", NOON),
        (t.TIMESTAMP, "2026-01-31T13:00:00+01:00", NOON),
        (t.TIMESTAMP, "2026-01-31", datetime(2026, 1, 31, tzinfo=UTC)),
        (t.STRING, "null", None),
        (t.INTEGER, "~", None),
        (t.DATE, "", None),
    ],
    ids=str,
)
def test_a_value_equals_what_is_written(kind: Type, written: str, value: Value) -> None:
    assert rows_compared(f"[{{cell: {written}}}]", table({"cell": kind}, (value,))) == []


@pytest.mark.parametrize(
    ("kind", "written", "value", "shown"),
    [
        (t.STRING, "'null'", None, "expected 'null', got NULL"),
        (t.STRING, "NO", "no", "expected 'NO', got 'no'"),
        (t.STRING, "'a '", "a", "expected 'a ', got 'a'"),
        (t.STRING, "é", "e\u0301", r"expected '\xe9', got 'e\u0301'"),
        (t.STRING, '"a\\tb"', "a b", r"expected 'a\tb', got 'a b'"),
        (t.INTEGER, "42", 41, "expected 42, got 41"),
        (t.INTEGER, "4.2", 4, "expected '4.2' (no integer), got 4"),
        (t.decimal(18, 2), "10.50", Decimal("10.55"), "expected 10.50, got 10.55"),
        (t.decimal(30, 0), "9" * 30, Decimal(10**29), f"expected {'9' * 30}, got 1{'0' * 29}"),
        (t.FLOAT, "0.3", 0.1 + 0.2, "expected 0.3, got 0.30000000000000004"),
        (t.FLOAT, "1", math.nan, "expected 1.0, got NaN"),
        (t.FLOAT, "1", -math.inf, "expected 1.0, got -Infinity"),
        (t.BOOLEAN, "true", False, "expected true, got false"),
        (t.BOOLEAN, "1", True, "expected '1' (no boolean), got true"),
        (t.DATE, "2026-01-31", date(2026, 1, 30), "expected 2026-01-31, got 2026-01-30"),
        (
            t.TIMESTAMP,
            "2026-01-31T12:00:01Z",
            NOON,
            "expected 2026-01-31T12:00:01Z, got 2026-01-31T12:00:00Z",
        ),
    ],
    ids=str,
)
def test_a_value_that_differs_is_shown_beside_the_expected_one(
    kind: Type, written: str, value: Value, shown: str
) -> None:
    found = rows_compared(f"[{{cell: {written}}}]", table({"cell": kind}, (value,)))
    assert f"cell: {shown}" in text_of(found)


def test_nan_equals_itself_and_no_number() -> None:
    rates = Compared((Field("rate", t.FLOAT),), (Decimal(1),))
    assert rates.same_row((math.nan,), (math.nan,))
    assert not rates.same_row((math.nan,), (1.0,))
    assert left_over([(math.nan,), (1.0,)], [(1.0,), (math.nan,)], rates) == ([], [])
