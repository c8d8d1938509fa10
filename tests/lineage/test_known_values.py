"""What of an expression is certain of rows of which some columns are known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Bound, Column, Constant
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.lineage.known_values import is_always_true, is_never_true, simplified

FIELDS = [
    Field("a", t.INTEGER),
    Field("b", t.BOOLEAN),
    Field("s", t.STRING),
    Field("seq", t.INTEGER),
    Field("empty", t.INTEGER),
]
ROWS = Scope(Table.of(FIELDS), "rows")
GROUPS = replace(ROWS, keys=frozenset())
KNOWN = {"seq": Constant(90, t.INTEGER), "empty": Constant(None, t.INTEGER)}
"""All rows have 90 in `seq`, and NULL in `empty`."""


def bound(text: str, scope: Scope = ROWS) -> Bound:
    found = bind(text, scope)
    assert not found.faults
    return found.tree


def known(column: Column) -> Constant | None:
    return KNOWN.get(column.name)


def of_rows(text: str) -> Bound:
    return simplified(bound(text), known)


@pytest.mark.parametrize(
    ("text", "same_as"),
    [
        ("IF(seq = 90, a, 0)", "a"),
        ("IF(seq = 91, a, 0)", "0"),
        ("CASE WHEN b THEN 1 WHEN seq = 90 THEN 2 ELSE 3 END", "CASE WHEN b THEN 1 ELSE 2 END"),
        ("b AND seq = 90", "b"),
        ("b AND seq <> 90", "FALSE"),
        ("b OR seq = 90", "TRUE"),
        ("b OR seq <> 90", "b"),
        ("seq IN (10, 90)", "TRUE"),
        ("IF(empty = 0, a, 7)", "7"),
        ("COALESCE(empty, a)", "a"),
        ("a + 1", "a + 1"),
    ],
)
def test_what_known_columns_decide_is_put_in(text: str, same_as: str) -> None:
    assert of_rows(text) == bound(same_as)


def test_a_number_of_known_columns_is_computed() -> None:
    assert of_rows("seq + 2") == Constant(92, t.INTEGER)


def test_null_is_known_too_and_never_true() -> None:
    found = of_rows("empty = 1")
    assert found == Constant(None, t.BOOLEAN)
    assert is_never_true(found)
    assert not is_always_true(found)


def test_beside_a_null_the_others_do_not_matter() -> None:
    assert of_rows("a + empty") == Constant(None, t.INTEGER)
    assert of_rows("a > empty") == Constant(None, t.BOOLEAN)


def test_false_decides_what_null_does_not() -> None:
    assert of_rows("empty = 1 AND seq = 1") == Constant(False, t.BOOLEAN)
    assert of_rows("empty = 1 OR seq = 90") == Constant(True, t.BOOLEAN)


def test_what_an_unknown_column_decides_is_neither_always_nor_never_true() -> None:
    found = of_rows("b AND empty = 1")
    assert not is_always_true(found)
    assert not is_never_true(found)


def test_what_does_not_fit_is_left_to_the_run() -> None:
    assert not isinstance(of_rows("seq + 9223372036854775807"), Constant)


def test_floats_are_not_computed() -> None:
    assert not isinstance(of_rows("SQRT(seq)"), Constant)


def test_the_clock_is_not_known_before_the_run() -> None:
    assert of_rows("TODAY()") == bound("TODAY()")


def test_what_is_required_is_looked_at_by_the_run() -> None:
    required = replace(ROWS, requires=())
    tree = bound("REQUIRE(empty)", required)
    assert not isinstance(simplified(tree, known), Constant)


def test_the_smallest_of_equal_values_is_the_value() -> None:
    assert simplified(bound("MIN_AGG(seq)", GROUPS), known) == Constant(90, t.INTEGER)
    assert simplified(bound("MAX_AGG(empty)", GROUPS), known) == Constant(None, t.INTEGER)


def test_a_sum_of_equal_values_depends_on_how_many_there_are() -> None:
    assert simplified(bound("SUM(seq)", GROUPS), known) == bound("SUM(seq)", GROUPS)
    assert simplified(bound("COUNT(*)", GROUPS), known) == bound("COUNT(*)", GROUPS)
