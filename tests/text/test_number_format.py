"""How values look in a report."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from rowbook.expressions.values import Value
from rowbook.text.number_format import duration, format_signed, format_value, size


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "NULL"),
        (True, "true"),
        (1234567, "1,234,567"),
        (Decimal("-1234.50"), "−1,234.50"),
        (Decimal("1E+3"), "1,000"),
        (0.5, "0.5"),
        (1234.0, "1,234"),
        ("a-b", "a-b"),
        ("x" * 200, "x" * 119 + "…"),
        (date(2026, 1, 31), "2026-01-31"),
        (datetime(2026, 1, 31, 8, 30, tzinfo=UTC), "2026-01-31 08:30:00 UTC"),
    ],
)
def test_a_value(value: Value, text: str) -> None:
    assert format_value(value) == text


def test_a_change_has_its_sign() -> None:
    assert [format_signed(Decimal(n)) for n in ("1.50", "-1.50", "0.00")] == [
        "+1.50",
        "−1.50",
        "0.00",
    ]


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(0, "0 ms"), (999, "999 ms"), (12_340, "12.3 s"), (245_000, "4 min 5 s")],
)
def test_a_duration(milliseconds: int, text: str) -> None:
    assert duration(milliseconds) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (12_345, "12.3 kB"),
        (1_234_567_890_123_456, "1,234.6 TB"),
    ],
)
def test_a_size(count: int, text: str) -> None:
    assert size(count) == text
