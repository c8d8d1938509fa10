# ruff: noqa: E501
"""Calls of functions: how many arguments, which of them are written out, what they become."""

from __future__ import annotations

import pytest

from rowbook.expressions import bound as b
from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from tests.expressions.samples import SCOPE, bound, marked, says


@pytest.mark.parametrize(
    ("expression", "code", "message", "marked_text", "hint"),
    [
        ("UPPER()", "EXPR_006", "UPPER takes 1 argument, not 0", "UPPER", "UPPER(s: string)"),
        ("TODAY(1)", "EXPR_006", "TODAY takes no arguments, not 1", "TODAY", "TODAY()"),
        ("MOD(lines)", "EXPR_006", "MOD takes 2 arguments, not 1", "MOD", "MOD(x: number, y"),
        ("ROUND(1, 2, 3)", "EXPR_006", "ROUND takes 1 to 2 arguments, not 3", "ROUND", "["),
        ("COALESCE()", "EXPR_006", "COALESCE takes 1 or more arguments, not 0", "COALESCE", "x: v"),
        ("CONCAT()", "EXPR_006", "CONCAT takes 1 or more arguments, not 0", "CONCAT", "s: string…"),
        ("MIN(lines)", "EXPR_006", "MIN takes 2 or more arguments, not 1", "MIN", "MIN_AGG(a)"),
        ("MAX(lines)", "EXPR_006", "MAX takes 2 or more arguments, not 1", "MAX", "MAX_AGG(a)"),
        ("UPPER(*)", "EXPR_006", "UPPER(*) is not a call: only COUNT", "UPPER", "UPPER(s: string)"),
        ("SUM(*)", "EXPR_006", "SUM(*) is not a call: only COUNT", "SUM", "SUM(x: number)"),
        ("COUNT()", "EXPR_006", "COUNT takes 1 argument, not 0", "COUNT", "COUNT(x: value)"),
        ("COUNT_ALL(code)", "EXPR_006", "COUNT_ALL takes no arguments", "COUNT_ALL", "COUNT(x)"),
        # what must be written out
        ("ROUND(amount, lines)", "EXPR_006", "needs 'digits' written out as an integer", "lines", None),
        ("ROUND(amount, 1 + 1)", "EXPR_006", "needs 'digits' written out", "1 + 1", None),
        ("ROUND(amount, NULL)", "EXPR_006", "needs 'digits' written out", "NULL", None),
        ("DATEADD(due, 1, code)", "EXPR_006", "needs 'unit' written out as a string", "code", None),
        ("DATEADD(due, 1, 'week')", "EXPR_006", "is 'day', 'month' or 'year'", "'week'", None),
        ("TO_DECIMAL(code, lines, 2)", "EXPR_006", "needs 'precision' written out", "lines", None),
        ("TO_DECIMAL(code, 39, 2)", "EXPR_006", "decimal(39,2) is not a type",
         "TO_DECIMAL(code, 39, 2)", "precision is 1 to 38, scale 0 to precision"),
        ("TO_DECIMAL(code, 0, 0)", "EXPR_006", "decimal(0,0) is not a type",
         "TO_DECIMAL(code, 0, 0)", "precision is 1 to 38"),
        ("TO_DECIMAL(code, 5, 6)", "EXPR_006", "decimal(5,6) is not a type",
         "TO_DECIMAL(code, 5, 6)", "scale 0 to precision"),
        ("TO_DECIMAL(code, 5, -1)", "EXPR_006", "decimal(5,-1) is not a type",
         "TO_DECIMAL(code, 5, -1)", "scale 0 to precision"),
        ("TO_DATE(code, note)", "EXPR_006", "needs 'format' written out as a string", "note", None),
        ("TO_DATE(code, 'YYYY')", "EXPR_006", "'YYYY' is no part of it", "'YYYY'", "dd.MM.yyyy"),
        ("TO_DATE(code, 'yyyy')", "EXPR_006", "it has no field for the month", "'yyyy'", "MMM"),
        ("TO_DATE(code, 'dMyyyy')", "EXPR_006", "between 'd' and 'M'", "'dMyyyy'", "d MMM yy"),
        ("TO_DATE(code, 'dd.MM.yy HH')", "EXPR_006", "'HH' is no part", "'dd.MM.yy HH'", "the day"),
        ("TO_STRING(booked, 'HH')", "EXPR_006", "'HH' is no part of it", "'HH'", "Q the quarter"),
        ("TO_STRING(booked, '-')", "EXPR_006", "it has no field", "'-'", "yyyy-MM"),
        ("TO_STRING(made, '[HH]')", "EXPR_006", "'[' stands in it only", "'[HH]'", "HH:mm:ss"),
        ("TO_STRING(amount, 'yyyy')", "EXPR_006", "not made of # and 0", "'yyyy'", "#,##0.00"),
        ("TO_STRING(amount, '0#')", "EXPR_006", "first #, then 0", "'0#'", "#,##0.00"),
        ("TO_STRING(amount, '#,##')", "EXPR_006", "a comma before three", "'#,##'", "#,##0.00"),
        ("TO_STRING(amount, '#')", "EXPR_006", "it has no 0", "'#'", "#,##0.00"),
        ("TO_STRING(amount, '0;0;0')", "EXPR_006", "more than two parts", "'0;0;0'", "#,##0.00"),
        ("TO_STRING(code, '0')", "EXPR_004", "not for string", "code", None),
        ("TO_STRING(amount, note)", "EXPR_006", "'pattern' written out", "note", None),
        ("DATE(lines)", "EXPR_006", "a text, or a year, month and day", "DATE", "2026, 1, 31"),
        ("DATE(lines, 1)", "EXPR_006", "not 2 of them", "DATE", "2026, 1, 31"),
        ("DATE(code, 1, 1)", "EXPR_004", "an integer for the year", "code", "TO_INTEGER"),
        ("DATEDIFF(due, booked, 'week')", "EXPR_006", "the unit of DATEDIFF", "'week'", None),
        ("REQUIRE(rate)", "EXPR_007", "rows that an update picks", "REQUIRE", "assignment"),
        ("TO_DATE(code)", "EXPR_006", "TO_DATE takes 2 arguments, not 1", "TO_DATE", "format"),
        ("DATE('31.01.2026')", "EXPR_006", "'31.01.2026' is not a date", "'31.01.2026'", "2026-01-31"),
        ("AND(posted)", "EXPR_006", "AND(…) takes 2 or more conditions, not 1", "AND(posted)", None),
    ],
)  # fmt: skip
def test_a_call_that_is_not_as_the_signature_says_is_refused(
    expression: str, code: str, message: str, marked_text: str, hint: str | None
) -> None:
    (fault,) = bind(expression, SCOPE).faults
    assert (fault.code, fault.severity, fault.within) == (code, "error", None)
    assert message in fault.message
    assert marked(expression, fault) == marked_text
    assert says(fault.hint, hint)


def test_the_date_of_a_literal_is_a_literal() -> None:
    tree = bound("DATE('2026-01-31')").tree
    assert isinstance(tree, b.Constant)
    assert str(tree.value) == "2026-01-31"
    assert bound("DATE(NULL)").tree == b.Constant(None, t.DATE)


def test_a_date_is_added_to_by_days_where_no_unit_is_given() -> None:
    assert bound("DATEADD(due, 3)").tree == bound("DATEADD(due, 3, 'day')").tree


def test_the_remainder_has_two_spellings() -> None:
    assert bound("MOD(lines, 7)").tree == bound("lines % 7").tree


def test_a_condition_has_two_spellings() -> None:
    assert bound("IF(posted, 1, 2)").tree == bound("CASE WHEN posted THEN 1 ELSE 2 END").tree
