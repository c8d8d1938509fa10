"""Trees: what binds what, one tree for each form, and the spans that faults point with."""

from __future__ import annotations

from decimal import Decimal

import pytest

from rowbook.expressions.syntax import unbound as n
from rowbook.expressions.syntax.parser import parse
from rowbook.expressions.syntax.printer import to_text
from tests.expressions.samples import grouped, shape

A, B, C = n.Name(None, "a"), n.Name(None, "b"), n.Name(None, "c")
ONE, TWO = n.Literal(1), n.Literal(2)


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        # loosest first: OR, AND, NOT, comparison, + -, * / %, unary minus
        ("a OR b AND c", "(a OR (b AND c))"),
        ("a AND b OR c AND d", "((a AND b) OR (c AND d))"),
        ("(a OR b) AND c", "((a OR b) AND c)"),
        ("a AND b AND c", "(a AND b AND c)"),
        ("(a AND b) AND c", "((a AND b) AND c)"),
        ("NOT a AND b", "((NOT a) AND b)"),
        ("NOT a OR b", "((NOT a) OR b)"),
        ("NOT (a AND b)", "(NOT (a AND b))"),
        ("NOT a = b", "(NOT (a = b))"),
        ("NOT(a) = b", "(NOT (a = b))"),
        ("(NOT a) = b", "((NOT a) = b)"),
        ("NOT NOT a", "(NOT (NOT a))"),
        ("NOT a IS NULL", "(NOT (a IS NULL))"),
        ("NOT a IN (1)", "(NOT (a IN [1]))"),
        ("NOT a NOT IN (1)", "(NOT (a NOT IN [1]))"),
        ("NOT a BETWEEN 1 AND 2", "(NOT (a BETWEEN 1..2))"),
        ("NOT a LIKE 'x'", "(NOT (a LIKE 'x'))"),
        ("a AND NOT b = c", "(a AND (NOT (b = c)))"),
        ("a = b AND c <> d", "((a = b) AND (c <> d))"),
        ("a + 1 = b - 2", "((a + 1) = (b - 2))"),
        ("a + b * c", "(a + (b * c))"),
        ("(a + b) * c", "((a + b) * c)"),
        ("a - b - c", "((a - b) - c)"),
        ("a - (b - c)", "(a - (b - c))"),
        ("a / b / c", "((a / b) / c)"),
        ("a / b * c % d", "(((a / b) * c) % d)"),
        ("a + b - c", "((a + b) - c)"),
        ("-a + b", "((-a) + b)"),
        ("-a * b", "((-a) * b)"),
        ("a * -b", "(a * (-b))"),
        ("a - -b", "(a - (-b))"),
        ("--a", "(-(-a))"),
        ("-(a + b)", "(-(a + b))"),
        ("-5 = a", "((-5) = a)"),
        ("-gl.amount", "(-gl.amount)"),
        ("a = -1 AND b", "((a = (-1)) AND b)"),
        # the AND of BETWEEN is not the operator
        ("a BETWEEN 1 AND 2 AND b", "((a BETWEEN 1..2) AND b)"),
        ("a BETWEEN 1 AND 2 OR b", "((a BETWEEN 1..2) OR b)"),
        ("a BETWEEN b + 1 AND c * 2", "(a BETWEEN (b + 1)..(c * 2))"),
        ("a NOT BETWEEN 1 AND 2", "(a NOT BETWEEN 1..2)"),
        ("a BETWEEN (b AND c) AND d", "(a BETWEEN (b AND c)..d)"),
        ("a + 1 BETWEEN 0 AND 9", "((a + 1) BETWEEN 0..9)"),
        ("a BETWEEN AND(b, c) AND d", "(a BETWEEN (b AND c)..d)"),
        # other predicates
        ("a + 1 IS NOT NULL", "((a + 1) IS NOT NULL)"),
        ("(a = b) IS NULL", "((a = b) IS NULL)"),
        ("a IN (1, b + 2, NULL)", "(a IN [1, (b + 2), None])"),
        ("a NOT IN ('x')", "(a NOT IN ['x'])"),
        ("a NOT LIKE b", "(a NOT LIKE b)"),
        ("a LIKE CONCAT(b, '%')", "(a LIKE CONCAT[b, '%'])"),
        ("a LIKE 'x' + b", "(a LIKE ('x' + b))"),
        ("(a = b) = (b = c)", "((a = b) = (b = c))"),
        # AND and OR as functions
        ("AND(a, b)", "(a AND b)"),
        ("or(a, b, c)", "(a OR b OR c)"),
        ("AND(a, OR(b, c))", "(a AND (b OR c))"),
        ("AND(a, b) AND c", "((a AND b) AND c)"),
        ("a AND AND(b, c)", "(a AND (b AND c))"),
        ("a OR (b)", "(a OR b)"),
        ("a OR(b)", "(a OR b)"),
        ("NOT AND(a, b)", "(NOT (a AND b))"),
        ("a = OR(b, c)", "(a = (b OR c))"),
        # selectors are sub-expressions
        ("{{x}} AND a", "(<x> AND a)"),
        ("NOT {{x}}", "(NOT <x>)"),
        ("NOT {{x}} = a", "(NOT (<x> = a))"),
        # CASE
        ("CASE WHEN a THEN 1 END + 2", "(CASE[ a: 1, else nothing] + 2)"),
        (
            "CASE WHEN a OR b THEN 1 WHEN c THEN 2 ELSE 3 END",
            "CASE[ (a OR b): 1, c: 2, else 3]",
        ),
        (
            "case when a then case when b then 1 end else 2 end",
            "CASE[ a: CASE[ b: 1, else nothing], else 2]",
        ),
        # calls
        ("sum(a) / count(*)", "(SUM[a] / COUNT[*])"),
        ("today()", "TODAY[]"),
        ("Round(a, -2)", "ROUND[a, (-2)]"),
        ("IF(a > 1, b, c)", "IF[(a > 1), b, c]"),
    ],
)
def test_operators_bind_as_the_language_says(text: str, groups: str) -> None:
    assert grouped(parse(text)) == groups


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("42", n.Literal(42)),
        ("0042", n.Literal(42)),
        ("0.90", n.Literal(Decimal("0.90"))),
        ("10.0", n.Literal(Decimal("10.0"))),
        ("'text'", n.Literal("text")),
        ('"text"', n.Literal("text")),
        ("'{{NAME}}'", n.Literal("{{NAME}}")),
        ("''", n.Literal("")),
        ("true", n.Literal(True)),
        ("False", n.Literal(False)),
        ("null", n.Literal(None)),
        ("a", A),
        ("gl.a", n.Name("gl", "a")),
        ("gl . a", n.Name("gl", "a")),
        ("period.end", n.Name("period", "end")),
        ("gl.NULL", n.Name("gl", "NULL")),
        ("{{ active }}", n.Selector("active")),
        ("{{ACTIVE}}", n.Selector("ACTIVE")),
        ("-1", n.Negate(ONE)),
        ("not a", n.Not(A)),
        ("a % 2", n.Binary("%", A, TWO)),
        ("a != 1", n.Binary("<>", A, ONE)),
        ("a <= 1", n.Binary("<=", A, ONE)),
        ("a or b or c", n.Logical("OR", (A, B, C))),
        ("a is null", n.IsNull(A, negated=False)),
        ("a is not null", n.IsNull(A, negated=True)),
        ("a in (1, 2)", n.In(A, (ONE, TWO), negated=False)),
        ("a not in (1)", n.In(A, (ONE,), negated=True)),
        ("a between 1 and 2", n.Between(A, ONE, TWO, negated=False)),
        ("a not between 1 and 2", n.Between(A, ONE, TWO, negated=True)),
        ("a like 'x%'", n.Like(A, n.Literal("x%"), negated=False)),
        ("a not like b", n.Like(A, B, negated=True)),
        ("case when a then 1 end", n.Case(((A, ONE),), None)),
        ("case when a then 1 when b then 2 else c end", n.Case(((A, ONE), (B, TWO)), C)),
        ("count(*)", n.Call("COUNT", (), star=True)),
        ("coalesce(a, 1)", n.Call("COALESCE", (A, ONE))),
        ("now()", n.Call("NOW", ())),
        ("DATE('2026-01-31')", n.Call("DATE", (n.Literal("2026-01-31"),))),
    ],
)
def test_each_form_has_its_tree(text: str, tree: n.Node) -> None:
    assert shape(parse(text)) == shape(tree)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        (r"a LIKE '100\%'", r"100\%"),
        (r"a LIKE '100\\%'", r"100\%"),
        (r"a LIKE ('100\%')", r"100\%"),
        (r'a LIKE "100\_"', r"100\_"),
        (r"a NOT LIKE '\\\\%'", r"\\%"),
        (r"a LIKE 'it''s'", "it's"),
    ],
)
def test_a_text_after_like_keeps_the_escape_of_its_wildcards(text: str, pattern: str) -> None:
    tree = parse(text)
    assert isinstance(tree, n.Like)
    assert shape(tree.pattern) == shape(n.Literal(pattern))


def test_only_a_text_that_is_the_whole_pattern_keeps_its_escapes() -> None:
    tree = parse(r"a LIKE CONCAT('\%', b)")
    assert shape(tree) == shape(n.Like(A, n.Call("CONCAT", (n.Literal("%"), B)), negated=False))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("a=1", "a = 1"),
        ("a!=1", "a <> 1"),
        ("  a\n+\tb ", "a + b"),
        ("((a))", "a"),
        ("(a + b) * c", "(a + b) * c"),
        ("(a * b) + c", "a * b + c"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a - b) - c", "a - b - c"),
        ("a / (b * c)", "a / (b * c)"),
        ("not(a) = b", "NOT a = b"),
        ("(not a) = b", "(NOT a) = b"),
        ("not (a and b)", "NOT (a AND b)"),
        ("and(a, or(b, c))", "a AND (b OR c)"),
        ("(a and b) or c", "a AND b OR c"),
        ("(a and b) and c", "(a AND b) AND c"),
        ("- (5)", "-5"),
        ("-(a+b)", "-(a + b)"),
        ("a - -b", "a - -b"),
        ("-(-a)", "--a"),
        ("(a is null) = true", "(a IS NULL) = TRUE"),
        ("a is  not null", "a IS NOT NULL"),
        ("a not in(1,2 , 'x')", "a NOT IN (1, 2, 'x')"),
        ("a between(1)and 2", "a BETWEEN 1 AND 2"),
        ('a like "it\'s"', "a LIKE 'it''s'"),
        (r"a like '100\%'", r"a LIKE '100\\%'"),
        (r"'back\\slash'", r"'back\\slash'"),
        ('"say ""yes"""', "'say \"yes\"'"),
        ("{{ active }}", "{{active}}"),
        ("'{{NAME}}'", "'{{NAME}}'"),
        ("case when a then 1 else null end", "CASE WHEN a THEN 1 ELSE NULL END"),
        ("count( * )", "COUNT(*)"),
        ("to_decimal(a,18,2)", "TO_DECIMAL(a, 18, 2)"),
        ("today( )", "TODAY()"),
        ("007", "7"),
        ("007.50", "7.50"),
        ("0.00000001", "0.00000001"),
        ("100000000000000000000000000000.0", "100000000000000000000000000000.0"),
        ("True", "TRUE"),
        ("Period.End", "Period.End"),
    ],
)
def test_the_canonical_text(text: str, canonical: str) -> None:
    assert to_text(parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "span_text"),
    [
        ("  a + b  ", "a + b"),
        ("(a + b) * c", "(a + b) * c"),
        ("(a) = (b)", "(a) = (b)"),
        ("(a) AND (b)", "(a) AND (b)"),
        ("(a) IS NULL", "(a) IS NULL"),
        ("(a) IN (1)", "(a) IN (1)"),
        (" NOT a ", "NOT a"),
        (" -a ", "-a"),
        ("a BETWEEN 1 AND (2)", "a BETWEEN 1 AND (2)"),
        ("a LIKE ('x')", "a LIKE ('x')"),
        (" case when a then b end ", "case when a then b end"),
        (" sum( a ) ", "sum( a )"),
        (" and(a, b) ", "and(a, b)"),
        (" gl . amount ", "gl . amount"),
        (" {{ x }} ", "{{ x }}"),
        (" 'it''s' ", "'it''s'"),
    ],
)
def test_a_span_covers_what_was_written(text: str, span_text: str) -> None:
    start, end = parse(text).span
    assert text[start:end] == span_text
