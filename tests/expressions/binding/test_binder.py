"""Types and NULLs of literals, operators and CASE, as tables of (expression, type, nullable)."""

from __future__ import annotations

import pytest

from tests.expressions.samples import bound


@pytest.mark.parametrize(
    ("expression", "type_", "nullable"),
    [
        # literals
        ("42", "integer", False),
        ("9223372036854775807", "integer", False),
        ("9223372036854775808", "decimal(19,0)", False),
        ("0.9", "decimal(1,1)", False),
        ("0.90", "decimal(2,2)", False),
        ("12.50", "decimal(4,2)", False),
        ("0.0", "decimal(1,1)", False),
        ("0.001", "decimal(3,3)", False),
        ("'text'", "string", False),
        ("TRUE", "boolean", False),
        ("FALSE", "boolean", False),
        ("NULL", "null", True),
        ("DATE('2026-01-31')", "date", False),
        ("TIMESTAMP('2026-01-31T10:00:00Z')", "timestamp", False),
        # references
        ("code", "string", False),
        ("note", "string", True),
        ("gl.amount", "decimal(18,2)", False),
        ("rates.factor", "decimal(18,8)", True),
        # unary minus
        ("-lines", "integer", False),
        ("-rate", "decimal(12,6)", True),
        ("-weight", "float", False),
        ("-5", "integer", False),
        ("-NULL", "integer", True),
        # + - * / %
        ("lines + 1", "integer", False),
        ("lines - days", "integer", True),
        ("lines * lines", "integer", False),
        ("lines % 7", "integer", True),
        ("lines / lines", "decimal(38,18)", True),
        ("amount + amount", "decimal(19,2)", False),
        ("amount * rate", "decimal(31,8)", True),
        ("amount + weight", "float", False),
        ("lines * weight", "float", False),
        ("share - 1", "float", True),
        ("weight / 2", "float", True),
        ("weight % 2", "float", True),
        ("amount + NULL", "decimal(23,2)", True),
        ("lines + NULL", "integer", True),
        ("weight + NULL", "float", True),
        ("NULL + NULL", "integer", True),
        # date ± days
        ("booked + 30", "date", False),
        ("booked - 30", "date", False),
        ("due + 30", "date", True),
        ("booked + days", "date", True),
        ("booked - lines", "date", False),
        ("booked + NULL", "date", True),
        # comparisons
        ("lines = 1", "boolean", False),
        ("lines <> days", "boolean", True),
        ("amount > 0", "boolean", False),
        ("amount < weight", "boolean", False),
        ("code <= note", "boolean", True),
        ("posted = TRUE", "boolean", False),
        ("booked >= made", "boolean", False),
        ("booked = NULL", "boolean", True),
        ("NULL = NULL", "boolean", True),
        # predicates
        ("note IS NULL", "boolean", False),
        ("note IS NOT NULL", "boolean", False),
        ("NULL IS NULL", "boolean", False),
        ("lines IN (1, 2)", "boolean", False),
        ("lines IN (1, NULL)", "boolean", True),
        ("lines IN (1, 2.5)", "boolean", False),
        ("days NOT IN (1)", "boolean", True),
        ("code IN (note, 'x')", "boolean", True),
        ("booked IN (made)", "boolean", False),
        ("NULL IN (1, 2)", "boolean", True),
        ("lines BETWEEN 1 AND 9", "boolean", False),
        ("lines BETWEEN 1 AND days", "boolean", True),
        ("amount NOT BETWEEN 0 AND lines", "boolean", False),
        ("booked BETWEEN DATE('2026-01-01') AND made", "boolean", False),
        ("code LIKE 'A%'", "boolean", False),
        ("note NOT LIKE 'A%'", "boolean", True),
        ("code LIKE note", "boolean", True),
        ("code LIKE NULL", "boolean", True),
        # AND OR NOT
        ("posted AND posted", "boolean", False),
        ("posted OR paid", "boolean", True),
        ("AND(posted, posted, paid)", "boolean", True),
        ("NOT posted", "boolean", False),
        ("NOT paid", "boolean", True),
        ("NULL AND posted", "boolean", True),
        ("NOT NULL", "boolean", True),
        # CASE
        ("CASE WHEN paid THEN 1 ELSE 2 END", "integer", False),
        ("CASE WHEN posted THEN 1 END", "integer", True),
        ("CASE WHEN paid THEN days ELSE 2 END", "integer", True),
        ("CASE WHEN paid THEN amount ELSE 0 END", "decimal(18,2)", False),
        ("CASE WHEN paid THEN amount WHEN posted THEN rate END", "decimal(22,6)", True),
        ("CASE WHEN paid THEN amount ELSE lines END", "decimal(22,2)", False),
        ("CASE WHEN paid THEN amount ELSE weight END", "float", False),
        ("CASE WHEN paid THEN booked ELSE made END", "timestamp", False),
        ("CASE WHEN paid THEN NULL ELSE 'x' END", "string", True),
        ("CASE WHEN paid THEN 'x' ELSE NULL END", "string", True),
        ("CASE WHEN paid THEN NULL END", "null", True),
        ("CASE WHEN NULL THEN 1 ELSE 2 END", "integer", False),
    ],
)
def test_an_operator_gives(expression: str, type_: str, nullable: bool) -> None:
    tree = bound(expression).tree
    assert (str(tree.type), tree.nullable) == (type_, nullable)


@pytest.mark.parametrize(
    "expression",
    [
        "CASE WHEN paid THEN 1 END",
        "case when paid then 1 end",
        "Coalesce(days, 0)",
        "COALESCE(days, 0)",
        "lines In (1) oR noT paid",
        "code Like 'x' Or note Is Not Null",
        "iF(paid, lines, days)",
    ],
)
def test_keywords_and_functions_are_known_in_any_case(expression: str) -> None:
    assert bound(expression).usable
