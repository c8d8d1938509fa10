"""The assignment is a largest one: checked against all possible assignments of small tables."""

from __future__ import annotations

import time
from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.scenarios.assignment import Numbers, assign, left_over
from rowbook.scenarios.cell_comparison import Compared

few = st.integers(0, 4).map(Decimal)
some_rows = st.lists(st.tuples(few, few), max_size=5)


def is_near(a: Numbers, b: Numbers, bounds: Numbers) -> bool:
    return all(abs(x - y) <= bound for x, y, bound in zip(a, b, bounds, strict=True))


def most(expected: list[Numbers], actual: list[Numbers], bounds: Numbers) -> int:
    """The size of a largest assignment, found by trying them all."""
    if len(expected) > len(actual):
        expected, actual = actual, expected
    return max(
        sum(is_near(a, b, bounds) for a, b in zip(expected, order, strict=False))
        for order in permutations(actual, len(expected))
    )


@given(some_rows, some_rows, st.tuples(few, few))
def test_as_many_rows_as_possible_are_paired(
    expected: list[Numbers], actual: list[Numbers], bounds: Numbers
) -> None:
    pairs = assign(expected, actual, bounds)
    assert len(set(pairs.values())) == len(pairs)
    assert all(is_near(expected[i], actual[j], bounds) for i, j in pairs.items())
    assert len(pairs) == most(expected, actual, bounds)


ONE = Compared((Field("amount", t.decimal(18, 2)),), (Decimal("0.05"),))
N = 3000
CENTS = [(Decimal(i) / 100,) for i in range(N)]
ZERO = [(Decimal(0),)] * N


@pytest.mark.parametrize(
    ("expected", "actual", "left"),
    [
        (CENTS, CENTS[::-1], 0),
        (CENTS, [(n + Decimal("0.05"),) for (n,) in CENTS], 0),
        (CENTS, [(n + Decimal("0.06"),) for (n,) in CENTS], 1),
        (ZERO, ZERO[1:], 1),
        (ZERO, [*ZERO[1:], (Decimal(1),)], 1),
        ([(n / 1000,) for (n,) in CENTS], [*((n / 1000,) for (n,) in CENTS[1:]), (Decimal(9),)], 1),
    ],
    ids=["shuffled", "shifted", "shifted too far", "one less", "one off", "dense, one off"],
)
def test_thousands_of_rows_take_no_time(
    expected: list[Numbers], actual: list[Numbers], left: int
) -> None:
    start = time.process_time()
    missing, _ = left_over(expected, actual, ONE)
    assert len(missing) == left
    assert time.process_time() - start < 5
