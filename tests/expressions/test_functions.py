"""Every function: what it gives, when it may be NULL, and the table itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rowbook.expressions.functions import FUNCTIONS, Group
from rowbook.expressions.syntax import unbound as n
from rowbook.expressions.syntax.parser import parse
from rowbook.planning.columns import Columns
from rowbook.planning.operations.summary_row import summary_scope
from tests.expressions.samples import BY_CODE, SCOPE, bound

SCALARS = [
    # conditions and NULL
    ("IF(paid, lines, 2)", "integer", False),
    ("IF(posted, days, 2)", "integer", True),
    ("IF(posted, 1, 2.5)", "decimal(2,1)", False),
    ("IF(NULL, amount, NULL)", "decimal(18,2)", True),
    ("ISNULL(note)", "boolean", False),
    ("IS_NULL(note)", "boolean", False),
    ("ISNULL(NULL)", "boolean", False),
    ("COALESCE(note)", "string", True),
    ("COALESCE(days, lines)", "integer", False),
    ("COALESCE(days, NULL)", "integer", True),
    ("COALESCE(rate, 0)", "decimal(12,6)", False),
    ("COALESCE(due, made)", "timestamp", False),
    ("COALESCE(NULL, NULL)", "null", True),
    ("NULLIF(lines, 0)", "integer", True),
    ("NULLIF(amount, 0)", "decimal(18,2)", True),
    ("NULLIF(code, '')", "string", True),
    # numbers
    ("ABS(lines)", "integer", False),
    ("ABS(rate)", "decimal(12,6)", True),
    ("ABS(weight)", "float", False),
    ("ABS(NULL)", "integer", True),
    ("ROUND(amount)", "decimal(17,0)", False),
    ("ROUND(amount, 1)", "decimal(18,1)", False),
    ("ROUND(amount, 2)", "decimal(19,2)", False),
    ("ROUND(amount, 9)", "decimal(19,2)", False),
    ("ROUND(amount, -2)", "decimal(17,0)", False),
    ("ROUND(amount, -20)", "decimal(21,0)", False),
    ("ROUND(wide, 10)", "decimal(38,10)", False),
    ("ROUND(lines, -2)", "integer", False),
    ("ROUND(share, 2)", "float", True),
    ("FLOOR(rate)", "integer", True),
    ("FLOOR(weight)", "integer", False),
    ("CEIL(amount)", "integer", False),
    ("CEIL(share)", "integer", True),
    ("MOD(lines, 7)", "integer", True),
    ("MOD(amount, lines)", "decimal(18,2)", True),
    ("MOD(weight, 2)", "float", True),
    ("MOD(NULL, 2)", "integer", True),
    ("MIN(lines, 3)", "integer", False),
    ("MIN(lines, days, 3)", "integer", True),
    ("MIN(amount, lines)", "decimal(22,2)", False),
    ("MIN(code, 'x')", "string", False),
    ("MIN(posted, paid)", "boolean", True),
    ("MIN(booked, made)", "timestamp", False),
    ("GREATEST(days, lines)", "integer", False),
    ("GREATEST(days, NULL)", "integer", True),
    ("LEAST(amount, rate)", "decimal(22,6)", False),
    ("MAX(booked, DATE('2026-01-31'))", "date", False),
    ("MAX(amount, weight)", "float", False),
    ("MAX(lines, NULL)", "integer", True),
    ("SIGN(amount)", "integer", False),
    ("SIGN(share)", "integer", True),
    ("POWER(lines, 2)", "float", True),
    ("POWER(amount, 0.5)", "float", True),
    ("SQRT(weight)", "float", True),
    ("SQRT(amount)", "float", True),
    # text
    ("CONCAT(code)", "string", False),
    ("CONCAT(code, '-', note)", "string", True),
    ("UPPER(code)", "string", False),
    ("LOWER(note)", "string", True),
    ("TRIM(code)", "string", False),
    ("LTRIM(note)", "string", True),
    ("RTRIM(code)", "string", False),
    ("LEFT(code, 2)", "string", False),
    ("LEFT(code, days)", "string", True),
    ("RIGHT(note, 2)", "string", True),
    ("SUBSTRING(code, 2)", "string", False),
    ("SUBSTRING(code, 2, days)", "string", True),
    ("LEN(code)", "integer", False),
    ("LEN(note)", "integer", True),
    ("LEN(NULL)", "integer", True),
    ("CONTAINS(code, 'x')", "boolean", False),
    ("STARTS_WITH(note, 'x')", "boolean", True),
    ("ENDS_WITH(code, note)", "boolean", True),
    ("REPLACE(code, 'a', 'b')", "string", False),
    ("LPAD(code, 8)", "string", False),
    ("LPAD(code, 8, '0')", "string", False),
    ("RPAD(note, 8, '0')", "string", True),
    ("SPLIT_PART(code, '-', 2)", "string", False),
    # dates and times
    ("DATE('2026-01-31')", "date", False),
    ("DATE(code)", "date", True),
    ("DATE(NULL)", "date", True),
    ("TIMESTAMP('2026-01-31')", "timestamp", False),
    ("TIMESTAMP(code)", "timestamp", True),
    ("TODAY()", "date", False),
    ("NOW()", "timestamp", False),
    ("PERIOD()", "string", False),
    ("PERIOD(0)", "string", False),
    ("PERIOD(-1)", "string", True),
    ("PERIOD_START()", "date", False),
    ("PERIOD_END(12)", "date", True),
    ("YEAR(booked)", "integer", False),
    ("YEAR(made)", "integer", False),
    ("QUARTER(due)", "integer", True),
    ("MONTH(seen)", "integer", True),
    ("DAY(booked)", "integer", False),
    ("WEEKDAY(TODAY())", "integer", False),
    ("DATEDIFF(due, booked)", "integer", True),
    ("DATEDIFF(made, booked)", "integer", False),
    ("DATEDIFF(due, booked, 'month')", "integer", True),
    ("DATE(lines, 1, 31)", "date", True),
    ("DATE(NULL, 1, 31)", "date", True),
    ("POSITION('a', note)", "integer", True),
    ("POSITION('a', code)", "integer", False),
    ("IFNULL(days, lines)", "integer", False),
    ("DATEADD(booked, 3)", "date", False),
    ("DATEADD(booked, -1, 'day')", "date", False),
    ("DATEADD(booked, days, 'month')", "date", True),
    ("DATEADD(due, 1, 'year')", "date", True),
    ("EOMONTH(booked)", "date", False),
    ("EOMONTH(seen)", "date", True),
    ("EOMONTH(booked, days)", "date", True),
    ("TO_STRING(booked, 'yyyy-MM')", "string", False),
    ("TO_STRING(amount, '0.00')", "string", False),
    ("TO_STRING(weight, '0.00')", "string", True),
    ("TO_STRING(NULL, '0.00')", "string", True),
    # conversion
    ("TO_STRING(lines)", "string", False),
    ("TO_STRING(paid)", "string", True),
    ("TO_STRING(NULL)", "string", True),
    ("TO_INTEGER(code)", "integer", True),
    ("TO_INTEGER(amount)", "integer", True),
    ("TO_DECIMAL(code, 18, 2)", "decimal(18,2)", True),
    ("TO_DECIMAL(lines, 38, 38)", "decimal(38,38)", True),
    ("TO_DECIMAL(NULL, 18, 2)", "decimal(18,2)", True),
    ("TO_DATE(code, 'yyyy-MM-dd')", "date", True),
    ("TO_DATE(code, 'dd.MM.yyyy')", "date", True),
    ("TO_DATE(code, 'yyyyMMdd')", "date", True),
]

ON_SUMMARIES = [("LEVEL()", "string", False)]

AGGREGATES = [
    ("SUM(lines)", "decimal(30,0)", True),
    ("SUM(amount)", "decimal(28,2)", True),
    ("SUM(wide)", "decimal(38,10)", True),
    ("SUM(weight)", "float", True),
    ("SUM(NULL)", "decimal(30,0)", True),
    ("COUNT(*)", "integer", False),
    ("COUNT_ALL()", "integer", False),
    ("COUNT(note)", "integer", False),
    ("COUNT_DISTINCT(note)", "integer", False),
    ("AVG(lines)", "decimal(24,4)", True),
    ("AVG(amount)", "decimal(22,6)", True),
    ("AVG(wide)", "decimal(38,14)", True),
    ("AVG(share)", "float", True),
    ("MIN_AGG(amount)", "decimal(18,2)", True),
    ("MIN_AGG(code)", "string", True),
    ("MIN_AGG(booked)", "date", True),
    ("MAX_AGG(made)", "timestamp", True),
    ("MAX_AGG(paid)", "boolean", True),
    ("MAX_AGG(lines)", "integer", True),
    ("MIN_BY(code, amount)", "string", True),
    ("MAX_BY(amount, booked)", "decimal(18,2)", True),
    ("MAX_BY(lines, NULL)", "integer", True),
]

POSITIONS = [
    ("ROW_NUMBER()", "integer", True),
    ("RANK()", "integer", True),
    ("LAG(amount)", "decimal(18,2)", True),
    ("LEAD(code, 3)", "string", True),
]


@pytest.mark.parametrize(("expression", "type_", "nullable"), SCALARS)
def test_a_function_gives(expression: str, type_: str, nullable: bool) -> None:
    tree = bound(expression).tree
    assert (str(tree.type), tree.nullable) == (type_, nullable)


@pytest.mark.parametrize(("expression", "type_", "nullable"), AGGREGATES)
def test_an_aggregate_gives(expression: str, type_: str, nullable: bool) -> None:
    tree = bound(expression, BY_CODE).tree
    assert (str(tree.type), tree.nullable) == (type_, nullable)


@pytest.mark.parametrize(("expression", "type_", "nullable"), POSITIONS)
def test_a_place_in_an_order_gives(expression: str, type_: str, nullable: bool) -> None:
    tree = bound(expression, replace(BY_CODE, window="order")).tree
    assert (str(tree.type), tree.nullable) == (type_, nullable)


@pytest.mark.parametrize(("expression", "type_", "nullable"), ON_SUMMARIES)
def test_a_function_of_a_summary_row_gives(expression: str, type_: str, nullable: bool) -> None:
    tree = bound(expression, summary_scope(SCOPE, Columns.of(()), (), has_levels=True)).tree
    assert (str(tree.type), tree.nullable) == (type_, nullable)


def test_every_function_has_a_case_here() -> None:
    cases = (*SCALARS, *AGGREGATES, *POSITIONS, *ON_SUMMARIES)
    trees = [parse(expression) for expression, _, _ in cases]
    called = {node.function for tree in trees for node in n.walk(tree) if isinstance(node, n.Call)}
    assert called - set(FUNCTIONS) == {"IS_NULL", "IFNULL", "COUNT_ALL"}
    assert set(FUNCTIONS) - called == {"REQUIRE"}  # of an update alone: see test_requirements


def test_the_functions_are_those_of_the_language() -> None:
    listed = """
        IF ISNULL COALESCE NULLIF REQUIRE
        ABS ROUND FLOOR CEIL MOD MIN MAX LEAST GREATEST SIGN POWER SQRT
        CONCAT UPPER LOWER TRIM LTRIM RTRIM LEFT RIGHT SUBSTRING LEN CONTAINS STARTS_WITH ENDS_WITH
        POSITION REPLACE LPAD RPAD SPLIT_PART
        DATE TIMESTAMP TODAY NOW YEAR QUARTER MONTH DAY WEEKDAY DATEDIFF DATEADD EOMONTH PERIOD
        PERIOD_START PERIOD_END
        TO_STRING TO_INTEGER TO_DECIMAL TO_DATE
        SUM COUNT COUNT_DISTINCT AVG MIN_AGG MAX_AGG MIN_BY MAX_BY
        ROW_NUMBER RANK LAG LEAD LEVEL
    """
    assert set(FUNCTIONS) == set(listed.split())


def test_the_aggregates_are_those_of_the_language() -> None:
    aggregates = {"SUM", "COUNT", "COUNT_DISTINCT", "AVG"}
    aggregates |= {"MIN_AGG", "MAX_AGG", "MIN_BY", "MAX_BY"}
    assert {f.name for f in FUNCTIONS.values() if f.is_aggregate} == aggregates
    assert {f.name for f in FUNCTIONS.values() if f.group is Group.AGGREGATE} == aggregates


@pytest.mark.parametrize(
    ("function", "fewest", "most", "usage"),
    [
        ("TODAY", 0, 0, "TODAY()"),
        ("LEN", 1, 1, "LEN(s: string)"),
        ("ROUND", 1, 2, "ROUND(x: number, [digits: integer literal])"),
        ("MIN", 2, None, "MIN(a: value, b: value…)"),
        ("COALESCE", 1, None, "COALESCE(x: value…)"),
        ("YEAR", 1, 1, "YEAR(d: date or timestamp)"),
        ("POWER", 2, 2, "POWER(x: number, y: number)"),
        ("DATEADD", 2, 3, "DATEADD(d: date, n: integer, [unit: string literal])"),
    ],
)
def test_a_signature_says_how_to_call(
    function: str, fewest: int, most: int | None, usage: str
) -> None:
    row = FUNCTIONS[function]
    assert (row.fewest, row.most, row.usage) == (fewest, most, usage)


def test_every_function_says_what_it_does() -> None:
    assert [f.name for f in FUNCTIONS.values() if not f.doc] == []
