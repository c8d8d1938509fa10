"""Ranges of values, and the cells that they make."""

from __future__ import annotations

from bisect import bisect_right
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.engine.strategy.rules.value_sets import (
    ValueSet,
    cells,
    comparison_values,
    cuts,
    prefix_values,
)
from rowbook.expressions.evaluate import Value
from rowbook.expressions.types import BOOLEAN, DATE, INTEGER, STRING, TIMESTAMP, Type, decimal

MOST = decimal(38, 2)


@pytest.mark.parametrize(
    ("function", "value", "kind", "expected"),
    [
        (">", "a", STRING, ("a\0", None)),
        ("<=", "a", STRING, (None, "a\0")),
        (">=", "a", STRING, ("a", None)),
        (">", 1, INTEGER, (2, None)),
        ("<=", 2**63 - 1, INTEGER, (None, None)),
        (">", Decimal("9.98"), decimal(3, 2), (Decimal("9.99"), None)),
        ("<=", Decimal("9.99"), decimal(3, 2), (None, None)),
        (">", Decimal("9" * 35 + ".01"), MOST, (Decimal("9" * 35 + ".02"), None)),
        (">", date(2026, 12, 31), DATE, (date(2027, 1, 1), None)),
        ("<=", date(9999, 12, 31), DATE, (None, None)),
        (
            *(">", datetime(2026, 1, 1, tzinfo=UTC), TIMESTAMP),
            (datetime(2026, 1, 1, 0, 0, 0, 1, tzinfo=UTC), None),
        ),
    ],
)
def test_a_comparison_is_a_range(
    function: str, value: Value, kind: Type, expected: tuple[Value, Value]
) -> None:
    assert comparison_values(function, value, kind) == ValueSet(ranges=(expected,))


def test_nothing_is_above_the_last_value_and_nothing_compares_with_null() -> None:
    assert comparison_values(">", 2**63 - 1, INTEGER) == ValueSet()
    assert comparison_values("<", None, INTEGER) == ValueSet()
    assert comparison_values("<", True, BOOLEAN) is None
    assert comparison_values("<>", 1, INTEGER) is None


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ("4", ("4", "5")),
        ("", ("", None)),
        ("a\ud7ff", ("a\ud7ff", "a\ue000")),
        ("a\U0010ffff", ("a\U0010ffff", "b")),
        ("\U0010ffff", ("\U0010ffff", None)),
    ],
)
def test_texts_that_begin_alike_are_a_range(prefix: str, expected: tuple[Value, Value]) -> None:
    assert prefix_values(prefix) == ValueSet(ranges=(expected,))


VALUES = st.text("ab\0\U0010ffff", max_size=3)
FUNCTIONS = st.sampled_from(("<", "<=", ">", ">="))
SIMPLE = st.one_of(
    st.builds(lambda values: ValueSet(frozenset(values)), st.sets(VALUES, max_size=2)),
    st.builds(
        lambda function, value: comparison_values(function, value, STRING), FUNCTIONS, VALUES
    ),
    st.builds(prefix_values, VALUES),
)
WANTED = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a & b, inner, inner), st.builds(lambda a, b: a | b, inner, inner)
    ),
    max_leaves=4,
)
ASKED = {"<": str.__lt__, "<=": str.__le__, ">": str.__gt__, ">=": str.__ge__}


@given(st.lists(WANTED, min_size=1, max_size=4), VALUES)
def test_the_cell_of_a_value_tells_who_wants_it(wanted: list[ValueSet], value: str) -> None:
    found: Any = cuts(wanted, STRING)
    for each in wanted:
        assert (value in each) == (bisect_right(found, value) in cells(each, found))


@given(FUNCTIONS, VALUES, VALUES, VALUES)
def test_what_is_wanted_is_what_holds(function: str, limit: str, prefix: str, value: str) -> None:
    one, two = comparison_values(function, limit, STRING), prefix_values(prefix)
    assert one is not None
    holds, begins = ASKED[function](value, limit), value.startswith(prefix)
    assert [value in one, value in two] == [holds, begins]
    assert [value in (one & two), value in (one | two)] == [holds and begins, holds or begins]
