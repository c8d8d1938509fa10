"""What does not parse, where, and what the reader is told to do about it."""

from __future__ import annotations

import pytest

from rowbook.expressions.syntax.parser import parse
from tests.expressions.samples import fault_of, says

ENDS = "the expression ends too early"


@pytest.mark.parametrize(
    ("text", "start", "message", "hint"),
    [
        ("", 0, "the expression is empty", None),
        (" \n ", 0, "the expression is empty", None),
        ("a +", 3, f"{ENDS}: expected a value", None),
        ("a AND", 5, f"{ENDS}: expected a value", None),
        ("NOT", 3, f"{ENDS}: expected a value", None),
        ("-", 1, f"{ENDS}: expected a value", None),
        ("(a", 2, f"{ENDS}: expected ')' to close the '(' at character 1", None),
        ("b = (a + (1)", 12, f"{ENDS}: expected ')' to close the '(' at character 5", None),
        ("a)", 1, "unexpected ')': the expression was complete", "no '(' before it"),
        ("()", 1, "unexpected ')': expected a value", None),
        ("gl.", 3, f"{ENDS}: expected a column's name after 'gl.'", None),
        ("gl.5", 3, "unexpected '5': expected a column's name after 'gl.'", None),
        ("gl.amount.x", 9, "unexpected '.': the expression was complete", None),
        ("a b", 2, "unexpected 'b': the expression was complete", "operator or ',' may be missing"),
        ("a = open 'x'", 9, "unexpected text: the expression was complete", "quotes"),
        ("a 5", 2, "unexpected '5': the expression was complete", "may be missing"),
        ("a {{b}}", 2, "unexpected '{{b}}': the expression was complete", "may be missing"),
        ("amount > 1,000", 10, "unexpected ','", "without thousands separators: 1000.50"),
        ("a > .5", 4, "unexpected '.': expected a value", "a number starts with a digit: 0.5"),
        ("= 5", 0, "unexpected '=': expected a value", "an expression does not start with it"),
        ("a == b", 3, "unexpected '=': expected a value", "one '=' compares"),
        ("a => b", 3, "unexpected '>': expected a value", "at least is >=, at most <="),
        ("a =< b", 3, "unexpected '<': expected a value", "at least is >=, at most <="),
        ("a < b < c", 6, "unexpected '<': comparisons do not chain", "a < b AND b < c"),
        ("a = b IS NULL", 6, "unexpected 'IS': comparisons do not chain", "use parentheses"),
        ("a = b IN (1)", 6, "unexpected 'IN': comparisons do not chain", "use parentheses"),
        ("a = b NOT IN (1)", 6, "unexpected 'NOT': comparisons do not chain", "use parentheses"),
        ("a IS NULL = b", 10, "unexpected '=': comparisons do not chain", "use parentheses"),
        ("a = NOT b", 4, "unexpected 'NOT': expected a value", "into parentheses"),
        ("- NOT a", 2, "unexpected 'NOT': expected a value", "into parentheses"),
        ("a NOT NULL", 2, "unexpected 'NOT': the expression was complete", "as in IS NOT NULL"),
        ("a NOT b", 2, "unexpected 'NOT': the expression was complete", "before IN, BETWEEN"),
        ("a IS 5", 5, "unexpected '5': expected 'NULL' after IS", None),
        ("a IS TRUE", 5, "unexpected 'TRUE': expected 'NULL' after IS", None),
        ("a IS NOT", 8, f"{ENDS}: expected 'NULL' after IS", None),
        ("a IN 5", 5, "unexpected '5': expected '(' after IN", None),
        ("a IN ()", 6, "unexpected ')': expected a value", None),
        ("a IN (1, )", 9, "unexpected ')': expected a value", None),
        ("a IN (1 2)", 8, "unexpected '2': expected ')' or ',' in the list of IN", None),
        ("a IN (1", 7, f"{ENDS}: expected ')' or ',' in the list of IN", None),
        ("a BETWEEN 1", 11, f"{ENDS}: expected 'AND' between the two bounds of BETWEEN", None),
        ("a BETWEEN 1 OR 2", 12, "unexpected 'OR': expected 'AND' between the two bounds", None),
        ("a LIKE", 6, f"{ENDS}: expected a value", None),
        ("CASE a WHEN 1 THEN 2 END", 5, "unexpected 'a': expected WHEN", "CASE WHEN x = 1 THEN"),
        ("CASE END", 5, "unexpected 'END': expected WHEN after CASE", "CASE WHEN x = 1 THEN"),
        ("CASE WHEN a END", 12, "unexpected 'END': expected 'THEN' after the condition", None),
        ("CASE WHEN a THEN 1", 18, f"{ENDS}: expected 'END' to close CASE", None),
        ("CASE WHEN a THEN 1 ELSE 2", 25, f"{ENDS}: expected 'END' to close CASE", None),
        ("end > 1", 0, "unexpected 'end': expected a value", "a column of that name as table.end"),
        ("a = Then", 4, "unexpected 'Then': expected a value", "as table.Then"),
        ("SUM(a", 5, f"{ENDS}: expected ')' or ',' in the list of SUM", None),
        ("sum(a b)", 6, "unexpected 'b': expected ')' or ',' in the list of SUM", None),
        ("COUNT(*", 7, f"{ENDS}: expected ')' after COUNT(*", None),
        ("COUNT(*, a)", 7, "unexpected ',': expected ')' after COUNT(*", None),
        ("AND a", 4, "unexpected 'a': expected '(' after AND at the start of a value", None),
        ("a OR OR b", 8, "unexpected 'b': expected '(' after OR at the start of a value", None),
        ("* 5", 0, "unexpected '*': expected a value", None),
        ("a * / b", 4, "unexpected '/': expected a value", None),
        ("TRUE()", 4, "unexpected '(': the expression was complete", None),
    ],
)  # fmt: skip
def test_a_syntax_error_says_where_and_what_to_do(
    text: str, start: int, message: str, hint: str | None
) -> None:
    fault = fault_of(text)
    assert (fault.code, fault.severity, fault.within) == ("EXPR_001", "error", None)
    assert fault.span.start == start
    assert says(fault.message, message)
    assert says(fault.hint, hint)


@pytest.mark.parametrize("text", ["AND(a)", "or(a = 1)"])
def test_and_and_or_as_functions_take_two_or_more_conditions(text: str) -> None:
    fault = fault_of(text)
    assert fault.code == "EXPR_006"
    assert "(…) takes 2 or more conditions, not 1" in fault.message
    assert fault.span == (0, len(text))


def test_a_comparison_in_parentheses_may_be_compared() -> None:
    assert parse("(a < b) = (b < c)") == parse("((a < b)) = ((b < c))")
