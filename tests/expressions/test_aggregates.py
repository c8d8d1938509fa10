"""Aggregate functions: where they may stand, what may stand beside them, and nesting."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rowbook.expressions import bound as b
from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from tests.expressions.samples import BY_CODE, SCOPE, bound, codes, marked, with_selectors


@pytest.mark.parametrize(
    ("expression", "type_", "nullable"),
    [
        ("SUM(amount)", "decimal(28,2)", True),
        ("SUM(amount * 2)", "decimal(30,2)", True),
        ("SUM(IF(paid, amount, 0))", "decimal(28,2)", True),
        ("SUM(amount) / COUNT(*)", "decimal(38,12)", True),
        ("COUNT(*) + COUNT(note)", "integer", False),
        ("COALESCE(SUM(amount), 0)", "decimal(28,2)", False),
        ("IF(COUNT(*) > 1, 'many', 'one')", "string", False),
        ("CONCAT(code, ': ', TO_STRING(COUNT(*)))", "string", False),
        ("DATEDIFF(MAX_AGG(due), booked)", "integer", True),
        ("MAX(SUM(amount), 0)", "decimal(28,2)", True),
        ("SUM(rates.factor)", "decimal(28,8)", True),
        ("-SUM(lines)", "decimal(30,0)", True),
        ("SUM(gl.amount) > 0 AND gl.code = 'x'", "boolean", True),
    ],
)
def test_aggregates_and_keys_may_be_combined(expression: str, type_: str, nullable: bool) -> None:
    tree = bound(expression, BY_CODE).tree
    assert (str(tree.type), tree.nullable) == (type_, nullable)


def test_count_all_is_read_as_count_of_rows() -> None:
    rows = b.Aggregate("COUNT", None, t.INTEGER, nullable=False)
    assert bound("COUNT(*)", BY_CODE).tree == rows
    assert bound("COUNT_ALL()", BY_CODE).tree == rows
    assert bound("count_all()", BY_CODE).tree == rows


@pytest.mark.parametrize(
    "expression", ["SUM(amount)", "COUNT(*)", "COUNT_ALL()", "1 + AVG(lines)", "MIN_AGG(code)"]
)
def test_an_aggregate_is_refused_where_rows_are_not_grouped(expression: str) -> None:
    (fault,) = bind(expression, SCOPE).faults
    assert fault.code == "EXPR_007"
    assert "is an aggregate function: not allowed here" in fault.message


@pytest.mark.parametrize(
    ("expression", "message", "marked_text", "hint"),
    [
        (
            "SUM(SUM(amount))",
            "SUM inside SUM: aggregates do not nest",
            "SUM(amount)",
            None,
        ),
        ("SUM(lines + COUNT(*))", "COUNT inside SUM: aggregates do not nest", "COUNT(*)", None),
        ("AVG(ABS(MAX_AGG(lines)))", "MAX_AGG inside AVG", "MAX_AGG(lines)", None),
        (
            "SUM(amount) + lines",
            "'lines' stands outside an aggregate function and is not a group key",
            "lines",
            "put it into an aggregate function, or add it to group_by",
        ),
        ("COUNT(*) * gl.amount", "'gl.amount' stands outside", "gl.amount", "group_by"),
        ("COUNT(*) * rates.factor", "'rates.factor' stands outside", "rates.factor", "group_by"),
        # a join's column is no key, though it has a key's name
        ("CONCAT(accounts.code, MIN_AGG(note))", "'accounts.code' stands", "accounts.code", "by"),
        ("amount", "'amount' stands outside", "amount", "aggregate function"),
        (
            "code",
            "the expression has no aggregate function",
            "code",
            "use SUM, COUNT, COUNT_DISTINCT, AVG, MIN_AGG, MAX_AGG, MIN_BY or MAX_BY",
        ),
        ("5", "the expression has no aggregate function", "5", "use SUM"),
        ("UPPER(code)", "the expression has no aggregate function", "UPPER(code)", "use SUM"),
    ],
)  # fmt: skip
def test_what_is_no_aggregate_expression(
    expression: str, message: str, marked_text: str, hint: str | None
) -> None:
    (fault,) = bind(expression, BY_CODE).faults
    assert fault.code == "AGGREGATE_007"
    assert message in fault.message
    assert marked(expression, fault) == marked_text
    assert (fault.hint is None) == (hint is None)
    assert (hint or "") in (fault.hint or "")


def test_a_warning_does_not_hide_that_there_is_no_aggregate() -> None:
    keys = replace(BY_CODE, keys=frozenset({"wide"}))
    assert codes("wide * wide", keys) == ["EXPR_009", "AGGREGATE_007"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("MIN(amount)", ["EXPR_006"]),
        ("SUMM(amount)", ["EXPR_005"]),
        ("SUMM(SUM(amount))", ["EXPR_005"]),
        ("SUM(amount, lines)", ["EXPR_006"]),
        ("COUNT_ALL(amount)", ["EXPR_006"]),
        ("SUM(amout)", ["EXPR_002"]),
        ("SUM(code) > 5", ["EXPR_004"]),
        ("AVG(booked) + 1", ["EXPR_004"]),
    ],
)
def test_a_faulty_aggregate_is_reported_once(expression: str, expected: list[str]) -> None:
    assert codes(expression, BY_CODE) == expected


def test_a_group_key_may_also_stand_inside_an_aggregate() -> None:
    assert bound("COUNT_DISTINCT(code)", BY_CODE).usable


def test_a_selector_is_checked_where_it_stands() -> None:
    scope = with_selectors(BY_CODE, large="amount > 100")
    assert codes("SUM(IF({{large}}, amount, 0))", scope) == []
    assert codes("IF({{large}}, 1, 0) + COUNT(*)", scope) == ["AGGREGATE_007"]
    both = "SUM(IF({{large}}, amount, 0)) + IF({{large}}, 1, 0)"
    assert codes(both, scope) == ["AGGREGATE_007"]


def test_a_selector_may_hold_the_aggregate() -> None:
    scope = with_selectors(BY_CODE, many="COUNT(*) > 10")
    assert codes("IF({{many}}, 1, 0)", scope) == []
    assert codes("SUM(IF({{many}}, 1, 0))", scope) == ["AGGREGATE_007"]


@pytest.mark.parametrize("expression", ["{{broken}}", "IF({{broken}}, 1, 0)", "IF({{user}}, 1, 0)"])
def test_a_broken_selector_might_have_held_the_aggregate(expression: str) -> None:
    scope = with_selectors(BY_CODE, broken="COUNT(*) >", user="NOT {{broken}}")
    assert codes(expression, scope) == []
