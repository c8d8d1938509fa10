# ruff: noqa: E501
"""Faults of types, functions and arguments: code, message, place and hint; and none twice."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from tests.expressions.samples import SCOPE, codes, marked, says

NUMBER_OR_QUOTES = "write the number without quotes, or convert one side"


@pytest.mark.parametrize(
    ("expression", "message", "marked_text", "hint"),
    [
        # comparing unlike types names both
        ("lines = 'x'", "cannot compare integer with string", "lines = 'x'", NUMBER_OR_QUOTES),
        ("amount > '5'", "cannot compare decimal(18,2) with string", "amount > '5'", "TO_DECIMAL"),
        ("weight < code", "cannot compare float with string", "weight < code", "TO_STRING"),
        ("code = 4000", "cannot compare string with integer", "code = 4000", "as text: '4000'"),
        ("posted = 1", "cannot compare boolean with integer", "posted = 1", None),
        ("posted = 'true'", "cannot compare boolean with string", "posted = 'true'", None),
        ("booked = lines", "cannot compare date with integer", "booked = lines", None),
        (
            "booked > '2026-01-31'",
            "cannot compare date with string",
            "booked > '2026-01-31'",
            "write DATE('2026-01-31')",
        ),
        (
            "'2026-01-31T10:00:00Z' < made",
            "cannot compare string with timestamp",
            "'2026-01-31T10:00:00Z' < made",
            "write TIMESTAMP('2026-01-31T10:00:00Z')",
        ),
        ("booked = code", "cannot compare date with string", "booked = code", "with DATE(…)"),
        ("code = made", "cannot compare string with timestamp", "code = made", "TIMESTAMP(…)"),
        ("lines IN (1, 'x', 2)", "IN compares integer with string", "'x'", NUMBER_OR_QUOTES),
        ("booked IN ('2026-01-31')", "IN compares date with string", "'2026-01-31'", "write DATE("),
        (
            "NULL IN (1, 'x')",
            "IN lists values of unlike types: integer and string",
            "NULL IN (1, 'x')",
            None,
        ),
        ("lines BETWEEN 'a' AND 9", "cannot compare integer with string", "'a'", NUMBER_OR_QUOTES),
        ("booked BETWEEN booked AND 'x'", "cannot compare date with string", "'x'", "DATE('x')"),
        ("lines LIKE 'x'", "LIKE needs text, not integer", "lines", None),
        ("code LIKE 5", "LIKE needs text, not integer", "5", None),
        # conditions
        ("lines AND posted", "AND needs a condition, not integer", "lines", None),
        ("posted OR code", "OR needs a condition, not string", "code", None),
        ("NOT amount", "NOT needs a condition, not decimal(18,2)", "amount", None),
        ("CASE WHEN lines THEN 1 END", "WHEN needs a condition, not integer", "lines", None),
        ("IF(lines, 1, 2)", "IF needs a boolean for 'condition', not integer", "lines", None),
        # arithmetic
        ("code + 1", "'+' needs numbers, not string and integer", "code + 1", "CONCAT(a, b)"),
        ("code + note", "'+' needs numbers, not string and string", "code + note", "CONCAT(a, b)"),
        ("code * 2", "'*' needs numbers, not string and integer", "code * 2", None),
        ("posted + 1", "'+' needs numbers, not boolean and integer", "posted + 1", None),
        ("-code", "'-' needs a number, not string", "-code", None),
        ("due - booked", "takes a number of days, not date", "due - booked", "DATEDIFF(end, start)"),
        ("booked - made", "takes a number of days, not timestamp", "booked - made", "DATEDIFF("),
        ("made - booked", "'-' needs numbers, not timestamp and date", "made - booked", "DATEDIFF("),
        ("seen - made", "not timestamp and timestamp", "seen - made", "DATEDIFF("),
        ("booked + 1.5", "takes a number of days, not decimal(2,1)", "booked + 1.5", None),
        ("30 + booked", "not integer and date", "30 + booked", "the date stands on the left"),
        ("30 - booked", "not integer and date", "30 - booked", None),
        ("booked * 2", "'*' needs numbers, not date and integer", "booked * 2", None),
        ("made + 1", "not timestamp and integer", "made + 1", "days are added to dates only"),
        ("made - 1", "not timestamp and integer", "made - 1", "days are added to dates only"),
        # values of one type
        (
            "CASE WHEN paid THEN 1 WHEN posted THEN 'x' END",
            "CASE gives values of unlike types: integer and string",
            "CASE WHEN paid THEN 1 WHEN posted THEN 'x' END",
            None,
        ),
        (
            "IF(paid, booked, 'x')",
            "IF takes values of one type, not date and string",
            "IF(paid, booked, 'x')",
            None,
        ),
        (
            "COALESCE(days, 0, 'x')",
            "COALESCE takes values of one type, not integer and string",
            "COALESCE(days, 0, 'x')",
            None,
        ),
        ("NULLIF(lines, '')", "not integer and string", "NULLIF(lines, '')", None),
        ("MAX(1, booked)", "not integer and date", "MAX(1, booked)", None),
        # arguments
        ("UPPER(lines)", "UPPER needs a string for 's', not integer", "lines", None),
        ("CONCAT(code, lines)", "CONCAT needs a string for 's', not integer", "lines", None),
        ("LEFT(code, 1.5)", "LEFT needs an integer for 'n', not decimal(2,1)", "1.5", None),
        ("ABS(code)", "ABS needs a number for 'x', not string", "code", None),
        ("SQRT(booked)", "SQRT needs a number for 'x', not date", "booked", None),
        ("YEAR(code)", "YEAR needs a date or timestamp for 'd', not string", "code", None),
        ("DATEADD(made, 1)", "DATEADD needs a date for 'd', not timestamp", "made", None),
        ("DATE(made)", "DATE needs a text or integer for 's', not timestamp", "made", None),
        ("TO_INTEGER(paid)", "TO_INTEGER needs a text or number for 'x', not boolean", "paid", None),
        ("TO_DECIMAL(booked, 9, 2)", "TO_DECIMAL needs a text or number", "booked", None),
        ("ROUND(amount, '2')", "ROUND needs an integer for 'digits', not string", "'2'", None),
    ],
)  # fmt: skip
def test_types_that_do_not_go_together(
    expression: str, message: str, marked_text: str, hint: str | None
) -> None:
    (fault,) = bind(expression, SCOPE).faults
    assert (fault.code, fault.severity) == ("EXPR_004", "error")
    assert message in fault.message
    assert marked(expression, fault) == marked_text
    assert says(fault.hint, hint)


@pytest.mark.parametrize(
    ("expression", "code", "message", "marked_text", "hint"),
    [
        ("SUMM(1)", "EXPR_005", "unknown function SUMM", "SUMM", "did you mean 'SUM'?"),
        ("uper(code)", "EXPR_005", "unknown function UPER", "uper", "did you mean 'UPPER'?"),
        ("FROBNICATE()", "EXPR_005", "unknown function FROBNICATE", "FROBNICATE", "functions: IF"),
        ("lines +", "EXPR_001", "the expression ends too early", "", None),
        ("amout", "EXPR_002", "unknown column 'amout'", "amout", "did you mean 'amount'?"),
        ("fx.amount", "EXPR_003", "unknown table or alias 'fx'", "fx.amount", "gl, rates, accounts"),
        ("SUM(lines)", "EXPR_007", "SUM is an aggregate function: not allowed", "SUM", "`windows` of an update"),
        ("{{active}}", "SELECTOR_001", "selector 'active' is not defined", "{{active}}", None),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(
    expression: str, code: str, message: str, marked_text: str, hint: str | None
) -> None:
    (fault,) = bind(expression, SCOPE).faults
    assert (fault.code, fault.severity, fault.within) == (code, "error", None)
    assert message in fault.message
    assert marked(expression, fault) == marked_text
    assert says(fault.hint, hint)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        # an unknown part goes with everything around it
        ("amout + 1 > 2 AND amout2 LIKE 'x'", ["amout", "amout2"]),
        ("UPPER(amout) = 'x'", ["amout"]),
        ("-amout > 1", ["amout"]),
        ("NOT amout", ["amout"]),
        ("booked + amout = due", ["amout"]),
        ("amout - booked", ["amout"]),
        ("amout BETWEEN 1 AND 'x'", ["amout"]),
        ("IF(amout, amout2, 1) = 'x'", ["amout", "amout2"]),
        ("CASE WHEN amout THEN 1 END > 0", ["amout"]),
        ("COALESCE(amout, 1) > 0", ["amout"]),
        ("ROUND(amount, amout) > 1", ["amout"]),
        ("TO_DECIMAL(amout, 18, 2) > 0", ["amout"]),
        ("DATEADD(booked, 1, amout)", ["amout"]),
        ("DATE(amout) > booked", ["amout"]),
        ("MOD(amout, 2) = 1", ["amout"]),
        ("YEAR(amout) = 2026", ["amout"]),
        # so does a part with a type fault, or a faulty call
        ("(code + 1) * 2 > 'x'", ["code + 1"]),
        ("(booked - due) / 7 > 1", ["booked - due"]),
        ("UPPER(lines) = 5", ["lines"]),
        ("FOO(1) + UPPER(FOO(2))", ["FOO", "FOO"]),
        ("ROUND(1, 2, 3) = 'x'", ["ROUND"]),
        ("IF(paid, 1, 'x') + 1", ["IF(paid, 1, 'x')"]),
        ("DATE('x') + 1 > 5", ["'x'"]),
        ("{{no}} AND {{no}} = 5", ["{{no}}", "{{no}}"]),
    ],
)
def test_a_faulty_part_is_reported_once(expression: str, expected: list[str]) -> None:
    assert [marked(expression, f) for f in bind(expression, SCOPE).faults] == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("amout > 'x' AND lines = 'x' OR FOO()", ["EXPR_002", "EXPR_004", "EXPR_005"]),
        ("CASE WHEN lines THEN amout ELSE fx.y END", ["EXPR_004", "EXPR_002", "EXPR_003"]),
        ("CONCAT(lines, amount, amout)", ["EXPR_002", "EXPR_004", "EXPR_004"]),
        ("lines IN (amout, UPPER(1), FOO())", ["EXPR_002", "EXPR_004", "EXPR_005"]),
        ("booked BETWEEN 'a' AND 'b'", ["EXPR_004", "EXPR_004"]),
        ("IF(lines, 1, 'x')", ["EXPR_004", "EXPR_004"]),
        # arguments are looked at though the call itself is faulty
        ("FOO(amout, UPPER(1))", ["EXPR_005", "EXPR_002", "EXPR_004"]),
        ("ROUND(amout, 2, UPPER(1))", ["EXPR_006", "EXPR_002", "EXPR_004"]),
        ("SUM(amout)", ["EXPR_007", "EXPR_002"]),
        ("COUNT_ALL(amout)", ["EXPR_006", "EXPR_002"]),
    ],
)
def test_all_faults_of_an_expression_are_collected(expression: str, expected: list[str]) -> None:
    assert codes(expression) == expected


@pytest.mark.parametrize("expression", ["lines >", "amout", "lines = 'x'", "{{no}}"])
def test_an_expression_with_an_error_is_not_usable(expression: str) -> None:
    assert not bind(expression, SCOPE).usable


def test_an_expression_that_does_not_parse_has_no_known_type() -> None:
    assert bind("lines >", SCOPE).tree.type == t.UNKNOWN


@pytest.mark.parametrize(
    "expression",
    ["IF(posted, nowhere, 0)", "CASE WHEN posted THEN 0 ELSE nowhere END", "COALESCE(nowhere, 0)"],
)
def test_nothing_is_known_of_a_choice_with_a_faulty_value(expression: str) -> None:
    binding = bind(expression, SCOPE)
    assert codes(expression) == ["EXPR_002"]
    assert binding.tree.type == t.UNKNOWN


def test_a_fault_repeated_in_one_place_is_reported_once() -> None:
    assert codes("amout BETWEEN amout AND amout") == ["EXPR_002", "EXPR_002", "EXPR_002"]
    assert codes("booked BETWEEN 1 AND 1") == ["EXPR_004", "EXPR_004"]
    assert codes("lines IN ('x', 'y', 'z')") == ["EXPR_004"]
