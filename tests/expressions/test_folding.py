"""Expressions with what their literals decide put in."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Bound
from rowbook.expressions.folding import folded
from rowbook.expressions.scope import Field, Scope, Table

SCOPE = Scope(
    Table.of([Field("a", t.INTEGER), Field("b", t.BOOLEAN), Field("s", t.STRING)]), "rows"
)


def bound(text: str) -> Bound:
    found = bind(text, SCOPE)
    assert not found.faults
    return found.tree


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("b AND 1 = 2", "FALSE"),
        ("b AND 1 = 1", "b"),
        ("b OR 1 = 1", "TRUE"),
        ("b OR 1 = 2", "b"),
        ("NOT 1 = 2", "TRUE"),
        ("IF(1 = 2, a, 3)", "3"),
        ("CASE WHEN b THEN 1 WHEN TRUE THEN 2 ELSE 3 END", "CASE WHEN b THEN 1 ELSE 2 END"),
        ("COALESCE(NULL, s, 'x', 'y')", "COALESCE(s, 'x')"),
        ("IF(b, 1, IF(a > 1, 2, 3))", "CASE WHEN b THEN 1 WHEN a > 1 THEN 2 ELSE 3 END"),
        ("'x' IN ('y', 'x')", "TRUE"),
        ("b AND b", "b"),
    ],
)
def test_what_literals_decide_is_put_in(text: str, same_as: str) -> None:
    assert folded(bound(text)) == bound(same_as)


def test_a_comparison_with_null_is_null() -> None:
    found = folded(bound("a = NULL"))
    assert found == folded(bound("NULL = a"))
    assert getattr(found, "value", "") is None


def test_what_does_not_fit_stays_as_it_is() -> None:
    tree = bound("a > 9223372036854775807 + 1")
    assert folded(tree) == tree
