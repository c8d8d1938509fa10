"""REQUIRE: on which rows an expression asks for a value that is not there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Bound, Call, Column, is_literal
from rowbook.expressions.english.sentences import value_in_words
from rowbook.expressions.evaluate import evaluate
from rowbook.expressions.requirements import unmet
from tests.expressions.evaluating import MOMENT, SCOPE, Given, row

UPDATE = replace(SCOPE, requires=("s", "absent"))


def tree_of(text: str) -> Bound:
    binding = bind(text, UPDATE)
    assert binding.usable, binding.faults
    return binding.tree


@pytest.mark.parametrize(
    ("text", "given", "fails"),
    [
        ("REQUIRE(i)", row(i=1), False),
        ("REQUIRE(i)", row(), True),
        ("REQUIRE(TO_DECIMAL(s, 18, 2))", row(s="1.5"), False),
        ("REQUIRE(TO_DECIMAL(s, 18, 2))", row(s="1,5"), True),
        ("REQUIRE(i) + REQUIRE(j)", row(i=1), True),
        ("COALESCE(REQUIRE(i), 0)", row(), True),
        ("COALESCE(i, REQUIRE(j))", row(i=1), False),
        ("COALESCE(i, REQUIRE(j))", row(j=1), False),
        ("COALESCE(i, REQUIRE(j))", row(), True),
        ("IF(b, REQUIRE(i), 0)", row(b=True), True),
        ("IF(b, REQUIRE(i), 0)", row(b=False), False),
        ("IF(b, REQUIRE(i), 0)", row(), False),
        ("IF(b, 0, REQUIRE(i))", row(), True),
        ("IF(REQUIRE(b), 1, 0)", row(), True),
        ("CASE WHEN b THEN 1 WHEN REQUIRE(c) THEN 2 END", row(b=True), False),
        ("CASE WHEN b THEN 1 WHEN REQUIRE(c) THEN 2 END", row(b=False), True),
        ("b AND REQUIRE(c)", row(b=False), False),
        ("b AND REQUIRE(c)", row(), True),
        ("b OR REQUIRE(c)", row(b=True), False),
        ("b OR REQUIRE(c)", row(), True),
        ("i + REQUIRE(j)", row(), False),
        ("i + REQUIRE(j)", row(i=1), True),
        ("GREATEST(i, REQUIRE(j))", row(i=1), True),
        ("i IN (1, REQUIRE(j))", row(i=1), False),
        ("i IN (1, REQUIRE(j))", row(i=2), True),
        ("ISNULL(REQUIRE(i))", row(), True),
        ("REQUIRE(REQUIRE(i) / j)", row(i=1, j=0), True),
        ("ROUND(REQUIRE(d), 1)", row(), True),
        ("REQUIRE(NULL)", row(), True),
    ],
)
def test_what_is_evaluated_asks_for_its_value(text: str, given: Given, fails: bool) -> None:
    condition = unmet(tree_of(text))
    assert condition is not None
    assert evaluate(condition, given, MOMENT) is fails


def test_an_expression_without_it_asks_for_nothing() -> None:
    assert unmet(tree_of("COALESCE(i, 0)")) is None


def test_its_value_is_the_value_and_never_null() -> None:
    tree = tree_of("REQUIRE(i)")
    assert (tree.type, tree.nullable) == (tree_of("i").type, False)
    assert evaluate(tree, row(i=7), MOMENT) == 7


def test_it_brings_the_columns_along_that_tell_the_row() -> None:
    tree = tree_of("REQUIRE(i)")
    assert isinstance(tree, Call)
    assert [part.name for part in tree.arguments if isinstance(part, Column)] == ["i", "s"]


def test_it_is_no_literal_and_has_its_words() -> None:
    assert not is_literal(tree_of("REQUIRE(1)"))
    assert value_in_words(tree_of("REQUIRE(i) + 1")) == "(i, which must have a value) + 1"
