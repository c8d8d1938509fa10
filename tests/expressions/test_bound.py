"""Bound trees: every conversion explicit, operators and functions one node, selectors put in."""

from __future__ import annotations

from decimal import Decimal

import pytest

from rowbook.expressions import bound as b
from rowbook.expressions.bound import (
    Aggregate,
    Bound,
    Call,
    Choice,
    Column,
    Constant,
    Convert,
    OneOf,
)
from rowbook.expressions.types import BOOLEAN, DATE, FLOAT, INTEGER, STRING, TIMESTAMP, decimal
from tests.expressions.samples import BY_CODE, bound, with_selectors

LINES = Column(None, "lines", INTEGER, nullable=False)
DAYS = Column(None, "days", INTEGER, nullable=True)
AMOUNT = Column(None, "amount", decimal(18, 2), nullable=False)
WEIGHT = Column(None, "weight", FLOAT, nullable=False)
CODE = Column(None, "code", STRING, nullable=False)
NOTE = Column(None, "note", STRING, nullable=True)
POSTED = Column(None, "posted", BOOLEAN, nullable=False)
BOOKED = Column(None, "booked", DATE, nullable=False)
MADE = Column(None, "made", TIMESTAMP, nullable=False)


def true_or_false(function: str, *arguments: Bound) -> Call:
    """A call that gives a boolean and never NULL."""
    return Call(function, arguments, BOOLEAN, nullable=False)


def integer(value: int | None) -> Constant:
    return Constant(value, INTEGER)


@pytest.mark.parametrize(
    ("expression", "tree"),
    [
        # what is written in several ways is one call
        ("note IS NULL", true_or_false("ISNULL", NOTE)),
        ("IS_NULL(note)", true_or_false("ISNULL", NOTE)),
        ("note IS NOT NULL", true_or_false("NOT", true_or_false("ISNULL", NOTE))),
        ("lines != 1", true_or_false("<>", LINES, integer(1))),
        ("MOD(lines, 7)", Call("%", (LINES, integer(7)), INTEGER, nullable=True)),
        ("lines % 7", Call("%", (LINES, integer(7)), INTEGER, nullable=True)),
        (
            "lines BETWEEN 1 AND 9",
            true_or_false(
                "AND",
                true_or_false(">=", LINES, integer(1)),
                true_or_false("<=", LINES, integer(9)),
            ),
        ),
        (
            "code NOT LIKE 'x%'",
            true_or_false("NOT", true_or_false("LIKE", CODE, Constant("x%", STRING))),
        ),
        ("AND(posted, posted)", true_or_false("AND", POSTED, POSTED)),
        ("posted AND posted", true_or_false("AND", POSTED, POSTED)),
        ("-lines", Call("NEGATE", (LINES,), INTEGER, nullable=False)),
        (
            "booked + 30",
            Call("DATEADD", (BOOKED, integer(30), Constant("day", STRING)), DATE, nullable=False),
        ),
        (
            "booked - lines",
            Call(
                "DATEADD",
                (
                    BOOKED,
                    Call("NEGATE", (LINES,), INTEGER, nullable=False),
                    Constant("day", STRING),
                ),
                DATE,
                nullable=False,
            ),
        ),
        (
            "DATEADD(booked, 30)",
            Call("DATEADD", (BOOKED, integer(30), Constant("day", STRING)), DATE, nullable=False),
        ),
        (
            "ROUND(amount, -2)",
            Call("ROUND", (AMOUNT, integer(-2)), decimal(17, 0), nullable=False),
        ),
        # integer → decimal → float, date → timestamp
        (
            "amount = lines",
            true_or_false("=", Convert(AMOUNT, decimal(22, 2)), Convert(LINES, decimal(22, 2))),
        ),
        (
            "amount > 0",
            true_or_false(">", AMOUNT, Constant(Decimal(0), decimal(18, 2))),
        ),
        ("amount < weight", true_or_false("<", Convert(AMOUNT, FLOAT), WEIGHT)),
        ("booked < made", true_or_false("<", Convert(BOOKED, TIMESTAMP), MADE)),
        (
            "lines / 2",
            Call(
                "/",
                (Convert(LINES, decimal(20, 0)), Constant(Decimal(2), decimal(1, 0))),
                decimal(26, 6),
                nullable=True,
            ),
        ),
        (
            "amount + 1",
            Call(
                "+", (AMOUNT, Constant(Decimal(1), decimal(1, 0))), decimal(19, 2), nullable=False
            ),
        ),
        ("SQRT(lines)", Call("SQRT", (Convert(LINES, FLOAT),), FLOAT, nullable=True)),
        (
            "lines IN (1, 2)",
            OneOf(LINES, (integer(1), integer(2)), nullable=False),
        ),
        (
            "lines NOT IN (1, weight)",
            true_or_false(
                "NOT",
                OneOf(Convert(LINES, FLOAT), (Convert(integer(1), FLOAT), WEIGHT), nullable=False),
            ),
        ),
        (
            "COALESCE(days, amount)",
            Call(
                "COALESCE",
                (Convert(DAYS, decimal(22, 2)), Convert(AMOUNT, decimal(22, 2))),
                decimal(22, 2),
                nullable=False,
            ),
        ),
        # CASE and IF are one node; a missing ELSE is NULL
        (
            "CASE WHEN posted THEN lines END",
            Choice(((POSTED, LINES),), Constant(None, INTEGER), INTEGER, nullable=True),
        ),
        (
            "IF(posted, amount, 0)",
            Choice(
                ((POSTED, AMOUNT),),
                Constant(Decimal(0), decimal(18, 2)),
                decimal(18, 2),
                nullable=False,
            ),
        ),
        # a bare NULL takes the type that is asked for
        ("lines + NULL", Call("+", (LINES, integer(None)), INTEGER, nullable=True)),
        (
            "posted OR NULL",
            Call("OR", (POSTED, Constant(None, BOOLEAN)), BOOLEAN, nullable=True),
        ),
        (
            "CASE WHEN NULL THEN 1 ELSE 2 END",
            Choice(((Constant(None, BOOLEAN), integer(1)),), integer(2), INTEGER, nullable=False),
        ),
        ("UPPER(NULL)", Call("UPPER", (Constant(None, STRING),), STRING, nullable=True)),
        ("code = NULL", Call("=", (CODE, Constant(None, STRING)), BOOLEAN, nullable=True)),
        ("-NULL", Call("NEGATE", (integer(None),), INTEGER, nullable=True)),
    ],
)
def test_an_expression_is_bound_as(expression: str, tree: Bound) -> None:
    assert bound(expression).tree == tree


@pytest.mark.parametrize(
    ("expression", "tree"),
    [
        ("COUNT(*)", Aggregate("COUNT", None, INTEGER, nullable=False)),
        ("COUNT(note)", Aggregate("COUNT", NOTE, INTEGER, nullable=False)),
        ("SUM(amount)", Aggregate("SUM", AMOUNT, decimal(28, 2), nullable=True)),
        (
            "AVG(lines)",
            Aggregate("AVG", Convert(LINES, decimal(20, 0)), decimal(24, 4), nullable=True),
        ),
        ("MAX_AGG(code)", Aggregate("MAX_AGG", CODE, STRING, nullable=True)),
    ],
)
def test_an_aggregate_is_bound_as(expression: str, tree: Bound) -> None:
    assert bound(expression, BY_CODE).tree == tree


def test_a_named_selector_is_its_body() -> None:
    scope = with_selectors(large="lines > 1 OR posted")
    body = bound("lines > 1 OR posted").tree
    assert bound("{{large}}", scope).tree == body
    assert bound("{{large}} AND posted", scope).tree == true_or_false("AND", body, POSTED)
    assert bound("NOT {{large}}", scope).tree == true_or_false("NOT", body)


def test_a_selector_in_a_text_is_text() -> None:
    scope = with_selectors(large="lines > 1")
    assert bound("code = '{{large}}'", scope).tree == true_or_false(
        "=", CODE, Constant("{{large}}", STRING)
    )


def test_the_columns_an_expression_reads() -> None:
    tree = bound("IF(posted, rates.factor, 1) * amount > 1 AND lines IN (days, 2)").tree
    assert b.columns(tree) == {
        (None, "posted"),
        ("rates", "factor"),
        (None, "amount"),
        (None, "lines"),
        (None, "days"),
    }


def test_the_columns_inside_aggregates_are_read_too() -> None:
    tree = bound("SUM(CASE WHEN paid THEN amount END) / COUNT(*)", BY_CODE).tree
    assert b.columns(tree) == {(None, "paid"), (None, "amount")}


def test_a_shared_part_is_walked_once() -> None:
    scope = with_selectors(large="lines > 1")
    tree = bound("{{large}} OR NOT {{large}}", scope).tree
    assert [type(part).__name__ for part in b.walk(tree)] == [
        "Call",  # OR
        "Call",  # lines > 1
        "Column",
        "Constant",
        "Call",  # NOT
    ]


@pytest.mark.parametrize(
    "expression",
    [
        *("1", "-1.5", "1 + 2 * 3", "ROUND(1.55, 1)", "CONCAT('a', 'b')", "DATE('2026-01-31') + 1"),
        *("IF(TRUE, 1, 2.5)", "1 IN (1, 2.0)", "NULL", "TO_DECIMAL('1', 9, 2)"),
    ],
)
def test_a_value_made_of_literals_alone(expression: str) -> None:
    assert b.is_literal(bound(expression).tree)


@pytest.mark.parametrize(
    "expression",
    ["lines", "1 + lines", "NOW()", "TODAY() + 1", "CONCAT(PERIOD(), 'x')", "PERIOD_END(1)"],
)
def test_a_value_that_needs_a_row_or_a_run(expression: str) -> None:
    assert not b.is_literal(bound(expression).tree)


def test_an_aggregate_is_no_literal() -> None:
    assert not b.is_literal(bound("SUM(1)", BY_CODE).tree)


@pytest.mark.parametrize(
    "text",
    [
        *("lines", "lines + lines * 2", "lines IN (1, days)", "-lines", "TO_DECIMAL(lines, 10, 2)"),
        *("CASE WHEN lines > 1 THEN lines ELSE days END", "2"),
        "COALESCE(NULLIF(lines, days), lines) BETWEEN days AND 3",
    ],
)
def test_values_take_the_place_of_columns_wherever_they_stand(text: str) -> None:
    tree, value = _tree(text), _tree("days + 1")
    made = b.replaced(tree, {"lines": value})
    used = sum(part == LINES for part in _nodes(tree))
    assert (None, "lines") not in b.columns(made)
    assert b.size(made) == b.size(tree) + used * (b.size(value) - 1)
    assert b.replaced(tree, {"unknown": value}) == tree


def test_columns_of_other_datasets_keep_their_place() -> None:
    other = Column("fx", "lines", INTEGER, nullable=False)
    assert b.replaced(other, {"lines": DAYS}) == other


def test_a_tree_that_shares_its_parts_has_the_size_of_what_it_stands_for() -> None:
    tree: Bound = LINES
    for _ in range(60):
        tree = Call("+", (tree, tree), INTEGER, nullable=False)
    assert b.size(tree) == 2**61 - 1


@pytest.mark.parametrize("text", ["COUNT(lines)", "COUNT(*)"])
def test_values_take_the_place_of_columns_in_aggregates(text: str) -> None:
    tree = bound(text, BY_CODE).tree
    assert isinstance(tree, Aggregate)
    made = b.replaced(tree, {"lines": DAYS})
    assert isinstance(made, Aggregate)
    assert made.argument == (None if tree.argument is None else DAYS)


def _tree(text: str) -> Bound:
    tree = bound(text).tree
    assert tree is not None
    return tree


def _nodes(tree: Bound) -> list[Bound]:
    return [tree, *(node for part in b.parts(tree) for node in _nodes(part))]
