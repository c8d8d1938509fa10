"""Numbers within a tolerance: what counts as near, and which row is which."""

from __future__ import annotations

from decimal import Decimal

import pytest

from rowbook.expressions import types as t
from rowbook.reference.outputs import WrittenTable
from tests.scenarios.samples import J1, ledger, only, rows_compared, table, text_of

AMOUNTS = {"id": t.STRING, "amount": t.decimal(18, 2)}


def amounts(*values: str | None) -> WrittenTable:
    """Rows of one entry, J1, with these amounts."""
    return table(AMOUNTS, *(("J1", None if v is None else Decimal(v)) for v in values))


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("10.50", "10.51"),
        ("10.50", "10.49"),
        ("10.505", "10.50"),
        ("-0.01", "0"),
        ("99999999999999999.99", "100000000000000000.00"),
    ],
)
def test_a_number_within_it_is_as_expected(expected: str, actual: str) -> None:
    rows = f"[{{id: J1, amount: {expected}}}]"
    assert rows_compared(rows, amounts(actual), "tolerance: {amount: 0.01}") == []


@pytest.mark.parametrize(
    ("expected", "actual"),
    [("10.50", "10.52"), ("10.505", "10.52"), ("null", "0"), ("0", None)],
)
def test_a_number_beyond_it_is_not(expected: str, actual: str | None) -> None:
    rows = f"[{{id: J1, amount: {expected}}}]"
    assert len(rows_compared(rows, amounts(actual), "tolerance: {amount: 0.01}")) == 1


def test_null_equals_null() -> None:
    match = "tolerance: {amount: 0.01}"
    assert rows_compared("[{id: J1, amount: null}]", amounts(None), match) == []


def test_it_is_for_its_column_only() -> None:
    match = "tolerance: {amount: 100}"
    assert len(rows_compared("[{line: 2, amount: 10}]", ledger(J1), match)) == 1


def test_a_column_of_texts_cannot_have_one() -> None:
    found = only(rows_compared("[{id: J1}]", ledger(J1), "tolerance: {id: 1}"))
    assert found.message == "a tolerance is for numbers, but 'id' is string"


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (("0", "1"), ("0", "-1")),
        (("1", "0"), ("-1", "0")),
        (("0", "1", "2"), ("1", "0", "-1")),
        (("0.5", "1.5", "1"), ("1", "0", "2")),
    ],
)
def test_rows_are_assigned_so_that_all_are_met(
    expected: tuple[str, ...], actual: tuple[str, ...]
) -> None:
    """Pairing equal rows for good would leave others without a partner."""
    rows = "[" + ", ".join(f"{{amount: {value}}}" for value in expected) + "]"
    assert rows_compared(rows, amounts(*actual), "tolerance: {amount: 1}") == []


def test_a_float_is_near_as_it_is_written() -> None:
    rate = table({"rate": t.FLOAT}, (0.1 + 0.2,))
    assert rows_compared("[{rate: 0.3}]", rate, "tolerance: {rate: 0.000001}") == []
    exact = table({"rate": t.FLOAT}, (0.1,))
    assert rows_compared("[{rate: 0.2}]", exact, "tolerance: {rate: 0.1}") == []


def test_an_integer_may_be_near_too() -> None:
    counts = table({"count": t.INTEGER}, (9,))
    assert rows_compared("[{count: 10}]", counts, "tolerance: {count: 1}") == []
    assert len(rows_compared("[{count: 11}]", counts, "tolerance: {count: 1}")) == 1


def test_a_text_in_place_of_a_number_is_shown() -> None:
    found = rows_compared("[{id: J1, amount: much}]", amounts("1"), "tolerance: {amount: 1}")
    assert "amount: expected 'much' (no decimal(18,2)), got 1" in text_of(found)


def test_order_goes_with_it() -> None:
    rows, match = "[{amount: 1.01}, {amount: 1}]", "order: true, tolerance: {amount: 0.01}"
    assert rows_compared(rows, amounts("1.00", "1.01"), match) == []
