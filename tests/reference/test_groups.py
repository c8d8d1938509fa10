"""Rows by their keys, which compare as expressions compare them."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from rowbook.expressions.values import Value
from rowbook.reference.groups import group_rows
from tests.reference.small_projects import Computed, entry
from tests.support.small_plans import total, update

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def grouped(*keys: Value) -> list[tuple[str, list[int]]]:
    """The text of each key, and the places of its rows."""
    found = group_rows(range(len(keys)), [(key,) for key in keys])
    return [(str(key), rows) for (key,), rows in found.items()]


@pytest.mark.parametrize(
    ("keys", "groups"),
    [
        ([], []),
        (["b", "a", "b"], [("b", [0, 2]), ("a", [1])]),
        (["a", "A", "a "], [("a", [0]), ("A", [1]), ("a ", [2])]),
        ([None, "", None], [("None", [0, 2]), ("", [1])]),
        ([Decimal("1.0"), Decimal("1.00")], [("1.0", [0, 1])]),
        ([0.0, -0.0], [("0.0", [0, 1])]),
        ([-0.0, 0.0], [("0.0", [0, 1])]),
        ([math.nan, float("nan"), 1.0], [("nan", [0, 1]), ("1.0", [2])]),
        (
            [NOON, NOON.astimezone(timezone(timedelta(hours=2)))],
            [("2026-01-01 12:00:00+00:00", [0, 1])],
        ),
    ],
)
def test_equal_keys_are_one_group_in_the_order_of_their_first_rows(
    keys: list[Value], groups: list[tuple[str, list[int]]]
) -> None:
    assert grouped(*keys) == groups


def test_all_parts_of_a_key_count() -> None:
    keys: list[tuple[Value, ...]] = [("a", None), ("a", 1), (None, "a"), ("a", None)]
    assert group_rows("wxyz", keys) == {
        ("a", None): ["w", "z"],
        ("a", 1): ["x"],
        (None, "a"): ["y"],
    }


def test_without_keys_all_rows_are_one_group_and_no_rows_none() -> None:
    assert group_rows("ab", [(), ()]) == {(): ["a", "b"]}
    assert group_rows("", []) == {}


def test_a_key_that_does_not_fit_fails_the_run(computed: Computed) -> None:
    rows = [entry("a", 1, "9999.99")]
    steps = update("amount", "amount + 1"), total("amount", "n")
    assert computed.errors(rows, *steps) == [
        "RUN_001  operation 1 'op 1': a value of column 'amount' does not fit decimal(6,2)"
    ]


def test_a_result_that_does_not_fit_names_its_operation(computed: Computed) -> None:
    rows = [entry("a", 1, "9999.99"), entry("b", 1, "0.01")]
    assert computed.errors(rows, total("account", "amount", "SUM(amount)")) == [
        "RUN_001  operation 1 'op 1': a value of column 'amount' does not fit decimal(6,2)"
    ]
