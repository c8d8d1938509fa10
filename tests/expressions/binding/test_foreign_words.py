"""Words of SQL and of spreadsheets are answered with what to write instead."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.binding.foreign_words import FUNCTION_HINTS
from rowbook.expressions.faults import Fault
from rowbook.expressions.functions import FUNCTIONS, SPELLINGS
from rowbook.expressions.scope import Field, Scope, Table

SCOPE = Scope(Table.of([Field("amount", t.INTEGER, True)]), "gl")


def fault(text: str) -> Fault:
    (found,) = bind(text, SCOPE).faults
    return found


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("amount.fillna(0)", "COALESCE(x, y)"),
        ("amount.astype('int')", "TO_INTEGER(x)"),
        ("ISNA(amount)", "x IS NULL"),
        ("TEXT(amount, '0')", "TO_STRING(x, '#,##0.00')"),
        ("INSTR(amount, 1)", "POSITION(part, x)"),
        ("MONTHS_BETWEEN(amount, 1)", "DATEDIFF(end, start"),
        ("AVERAGEIF(amount, 1)", "AVG(IF(condition, x, 0))"),
        ("groupby(amount)", "`group_by` of an aggregate"),
        ("amount LEFT JOIN rates", "`joins` of an update"),
        ("amount ORDER BY amount", "`order_by` of an output"),
        ("REGEXP_REPLACE(amount, 1)", "no regular expressions"),
        ("nvl(amount, 0)", "COALESCE(x, y)"),
        ("IIF(amount > 0, 1, 0)", "IF(condition, x, y)"),
        ("VLOOKUP(amount, 1, 2)", "`joins` of an update"),
        ("SUMIF(amount, 1)", "SUM(IF(condition, x, 0))"),
        ("CAST(amount AS INTEGER)", "TO_INTEGER(x)"),
        ("amount::int", "TO_INTEGER(x)"),
        (
            "SUM(amount) OVER (PARTITION BY amount)",
            'windows: [{alias: g, by: [entity], values: {total: "SUM(amount)"}}], then g.total',
        ),
        ("ROW_NUMBER() OVER (ORDER BY amount)", "`windows` of an update"),
        ("SELECT amount", "an expression is one value"),
        ("amount NOTNULL", "x IS NOT NULL"),
        ("_period", "period_from"),
    ],
)
def test_what_to_write_instead_is_said(text: str, hint: str) -> None:
    assert hint in (fault(text).hint or "")


@pytest.mark.parametrize(
    ("text", "marked"),
    [("1 + NVL(amount, 0)", "NVL"), ("SUM(amount) + 1", "SUM"), ("ROUND()", "ROUND")],
)
def test_a_fault_of_a_function_marks_its_name_alone(text: str, marked: str) -> None:
    found = fault(text)
    assert text[found.span.start : found.span.end] == marked


def test_no_word_of_ours_is_foreign() -> None:
    assert FUNCTION_HINTS.keys() & {*FUNCTIONS, *SPELLINGS} == set()
