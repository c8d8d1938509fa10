"""The parts of an amount: laws of any weights, and what they are."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.reference.entries.spreads import spread_units, weight_fault
from tests.reference.small_projects import Computed, entry

SPREAD = (
    "type: append, arguments: {source: working, joins: [{alias: b, dataset_id: budget,"
    ' on: "e.account = b.account", many: true}], spread: {column: amount, weight: "b.amount",'
    " scale: %s}, assignments: [{column: id, expression: b.id}]}"
)

weights = st.lists(st.integers(0, 10**12), min_size=1, max_size=40).filter(any)


@given(st.integers(0, 10**25), weights)
def test_parts_add_up_to_the_amount(units: int, shares: list[int]) -> None:
    order = sorted(range(len(shares)), key=lambda i: -shares[i])
    assert sum(spread_units(units, shares, order)) == units


@given(st.integers(0, 10**25), weights)
def test_a_part_is_within_one_unit_of_its_share(units: int, shares: list[int]) -> None:
    order = sorted(range(len(shares)), key=lambda i: -shares[i])
    total = sum(shares)
    for part, weight in zip(spread_units(units, shares, order), shares, strict=True):
        assert abs(part * total - units * weight) <= Decimal("1.5") * total
        assert part >= 0
        assert weight or not part


@pytest.mark.parametrize(
    ("units", "shares", "parts"),
    [
        (100, [1, 1, 1], [34, 33, 33]),
        (5, [1, 1, 1, 1, 6], [0, 1, 1, 1, 2]),
        (1, [1, 1], [0, 1]),
        (0, [3, 4], [0, 0]),
        (7, [0, 2, 0], [0, 7, 0]),
    ],
)
def test_what_is_left_goes_to_the_largest(units: int, shares: list[int], parts: list[int]) -> None:
    order = sorted(range(len(shares)), key=lambda i: -shares[i])
    assert spread_units(units, shares, order) == parts


@pytest.mark.parametrize(
    ("shares", "fault"),
    [
        ([0, 0], "all weights are zero"),
        ([1, -1], "weights are positive and negative"),
        ([-1, 0, -2], None),
        ([0, 1], None),
    ],
)
def test_weights_must_be_of_one_sign(shares: list[int], fault: str | None) -> None:
    assert weight_fault(shares) == fault


def budget(*amounts: str | None) -> list[dict[str, object]]:
    return [
        {"id": f"b{i}", "account": 1, "amount": None if each is None else Decimal(each)}
        for i, each in enumerate(amounts)
    ]


@pytest.mark.parametrize(
    ("amount", "scale", "parts"),
    [
        ("10.00", 2, ["6.67", "3.33", "0.00"]),
        ("-10.00", 2, ["-6.67", "-3.33", "0.00"]),
        ("10.01", 0, ["7.01", "3.00", "0.00"]),
        (None, 2, [None, None, None]),
        ("0.00", 2, ["0.00", "0.00", "0.00"]),
    ],
)
def test_the_parts_of_an_amount(
    computed: Computed, amount: str | None, scale: int, parts: list[str | None]
) -> None:
    rows = computed.rows(
        [entry("a", 1, amount)],
        SPREAD % scale,
        budget=budget("2.00", "1.00", None),  # type: ignore[arg-type]
    )
    expected = [None if each is None else Decimal(each) for each in parts]
    assert [each for _, each in rows[1:]] == expected
    assert [name for name, _ in rows[1:]] == ["b0", "b1", "b2"]


def test_of_equal_weights_the_first_by_its_columns_gets_the_rest(computed: Computed) -> None:
    found = computed.rows(
        [entry("a", 1, "0.01")],
        SPREAD % 2,
        budget=list(reversed(budget("5.00", "5.00"))),  # type: ignore[arg-type]
    )
    assert found[1:] == [("b1", Decimal("0.01")), ("b0", Decimal("0.00"))]


def test_the_row_is_named_whose_weights_are_wrong(computed: Computed) -> None:
    (found,) = computed.errors(
        [entry("a", 1, "1.00"), entry("b", 1, "2.00")],
        SPREAD % 2,
        budget=budget("1.00", "-1.00"),  # type: ignore[arg-type]
    )
    assert found.startswith(
        "RUN_012  operation 1 'op 1': 'amount' cannot be spread over 'b': row 0"
    )
    assert found.endswith(": weights are positive and negative (and 1 more row)")


def test_an_amount_without_value_asks_nothing_of_weights(computed: Computed) -> None:
    zeros = budget("0.00")
    rows = computed.rows([entry("a", 1, None)], SPREAD % 2, budget=zeros)  # type: ignore[arg-type]
    assert rows == [("a", None), ("b0", None)]
