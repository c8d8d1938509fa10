"""What conditions say of some columns alone."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Bound
from rowbook.expressions.folding import FALSE, TRUE
from rowbook.expressions.implication import Implied, implied
from rowbook.expressions.scope import Field, Scope, Table

SCOPE = Scope(Table.of([Field("k", t.STRING), Field("j", t.STRING), Field("x", t.STRING)]), "rows")


def bound(text: str) -> Bound:
    found = bind(text, SCOPE)
    assert not found.faults
    return found.tree


def of_keys(text: str) -> Implied:
    return implied(bound(text), lambda column: column.name != "x")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("k = 'a' AND x = 'b'", "k = 'a'"),
        ("(k = 'a' AND x = 'b') OR (k = 'c' AND x = 'd')", "k = 'a' OR k = 'c'"),
        ("NOT (k = 'a' OR x = 'b')", "NOT k = 'a'"),
        ("IF(x = 'b', 'a', k) = 'a'", "TRUE"),
        ("IF(x = 'b', 'c', k) = 'a'", "k = 'a'"),
        ("IF(k = 'b', x, 'c') = 'a'", "k = 'b'"),
        ("IF(x = 'b', 'c', k) IN ('a', 'd')", "k IN ('a', 'd')"),
        ("k = 'a' OR x = 'b'", "TRUE"),
    ],
)
def test_parts_about_other_columns_are_left_out(text: str, says: str) -> None:
    assert of_keys(text) == Implied(bound(says), exact=False)


@pytest.mark.parametrize("text", ["k = 'a'", "k = 'a' AND j IS NULL", "NOT (k = j)"])
def test_a_condition_about_them_alone_says_all(text: str) -> None:
    assert of_keys(text) == Implied(bound(text), exact=True)


def test_what_is_never_true_is_false() -> None:
    assert of_keys("NULL = k AND x = 'b'") == Implied(FALSE, exact=True)
    assert of_keys("TRUE") == Implied(TRUE, exact=True)
