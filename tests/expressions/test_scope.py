"""Names: what an unqualified and a qualified name mean, and what is said about an unknown one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rowbook.expressions import bound as b
from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.scope import Field, Scope, Table
from tests.expressions.samples import LEDGER, SCOPE, bound, codes, marked, says


@pytest.mark.parametrize(
    ("expression", "column"),
    [
        ("amount", b.Column(None, "amount", t.decimal(18, 2), nullable=False)),
        ("gl.amount", b.Column(None, "amount", t.decimal(18, 2), nullable=False)),
        ("rates.factor", b.Column("rates", "factor", t.decimal(18, 8), nullable=True)),
        # the working dataset's code, though a join has one too
        ("code", b.Column(None, "code", t.STRING, nullable=False)),
        ("accounts.code", b.Column("accounts", "code", t.STRING, nullable=False)),
        ("_period", b.Column(None, "_period", t.STRING, nullable=True)),
        ("_source_dataset", b.Column(None, "_source_dataset_id", t.STRING, nullable=False)),
        ("gl._source_dataset", b.Column(None, "_source_dataset_id", t.STRING, nullable=False)),
    ],
)
def test_a_name_means_a_column(expression: str, column: b.Column) -> None:
    assert bound(expression).tree == column


@pytest.mark.parametrize(
    ("expression", "code", "message", "marked_text", "hint"),
    [
        ("amout > 1", "EXPR_002", "unknown column 'amout'", "amout", "did you mean 'amount'?"),
        ("Amount > 1", "EXPR_002", "unknown column 'Amount'", "Amount", "did you mean 'amount'?"),
        (
            "1 + gl.amout",
            "EXPR_002",
            "unknown column 'gl.amout'",
            "gl.amout",
            "did you mean 'gl.amount'?  columns: code, note, lines",
        ),
        ("zzz = 1", "EXPR_002", "unknown column 'zzz'", "zzz", "columns: code, note, lines"),
        # an unqualified name is never a join's
        ("factor > 1", "EXPR_002", "unknown column 'factor'", "factor", "'rates.factor'?"),
        (
            "rates.facto > 1",
            "EXPR_002",
            "unknown column 'rates.facto'",
            "rates.facto",
            "did you mean 'rates.factor'?  columns: currency, factor",
        ),
        ("rates.amount", "EXPR_002", "unknown column 'rates.amount'", "rates.amount", "factor"),
        (
            "rate.factor",
            "EXPR_003",
            "unknown table or alias 'rate'",
            "rate.factor",
            "did you mean 'rates'?  tables and aliases here: gl, rates, accounts",
        ),
        ("GL.amount", "EXPR_003", "unknown table or alias 'GL'", "GL.amount", "mean 'gl'?"),
        ("budget.x", "EXPR_003", "unknown table or alias 'budget'", "budget.x", "gl, rates"),
    ],
)
def test_an_unknown_name_is_reported_with_a_suggestion(
    expression: str, code: str, message: str, marked_text: str, hint: str
) -> None:
    (fault,) = bind(expression, SCOPE).faults
    assert (fault.code, fault.message) == (code, message)
    assert marked(expression, fault) == marked_text
    assert says(fault.hint, hint)


def test_business_columns_are_suggested_before_system_columns() -> None:
    table = Table.of([Field("_period", t.STRING), Field("b", t.STRING), Field("a", t.STRING)])
    (fault,) = bind("zzz", Scope(table)).faults
    assert fault.hint == "columns: b, a, _period"


def test_without_any_table_there_is_nothing_to_suggest() -> None:
    (fault,) = bind("a.b", Scope(Table.of([]))).faults
    assert (fault.code, fault.hint) == ("EXPR_003", None)


def test_an_alias_may_be_added_to_a_scope() -> None:
    fx = Table.of([Field("bid", t.FLOAT)])
    wider = SCOPE.with_other("fx", fx)
    assert bound("fx.bid + rates.factor", wider).tree.type == t.FLOAT
    assert codes("fx.bid") == ["EXPR_003"]


def test_adding_an_alias_keeps_the_rest_of_a_scope() -> None:
    scope = replace(SCOPE, keys=frozenset({"code"}))
    wider = scope.with_other("fx", Table.of([]))
    assert replace(wider, others=SCOPE.others) == scope


def test_a_table_with_uncertain_columns_causes_no_second_error() -> None:
    scope = replace(SCOPE, main=replace(LEDGER, complete=False))
    expression = "ROUND(lost, 2) + amount > 1 AND UPPER(gone) = 'x' AND YEAR(never) = TO_STRING(x)"
    assert codes(expression, scope) == ["EXPR_004"]  # integer = string stays one
    assert codes("ROUND(amount, lost) > 1 AND TO_DECIMAL(code, lost, 2) > 1", scope) == []
    assert codes("rates.lost", scope) == ["EXPR_002"]
