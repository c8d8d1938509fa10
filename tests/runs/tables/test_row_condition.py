"""A condition that a user gives: bound to columns, or told with the part that is wrong."""

from __future__ import annotations

import pytest

from rowbook.errors import RowbookError, Snippet
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.runs.tables.row_condition import row_condition

_SCOPE = Scope(Table.of([Field("amount", t.decimal(18, 2)), Field("account", t.STRING)]), "gl")


def test_none_is_no_condition() -> None:
    assert row_condition(None, _SCOPE) is None


def test_columns_may_stand_with_their_table() -> None:
    assert row_condition("gl.amount > 0 AND account = '4000'", _SCOPE) is not None


def test_an_unknown_column_is_underlined_and_one_that_is_near_named() -> None:
    with pytest.raises(RowbookError) as raised:
        row_condition("account = '1' AND amout > 0", _SCOPE)
    (found,) = raised.value.diagnostics
    assert (found.code, found.message) == ("EXPR_002", "unknown column 'amout'")
    assert found.snippet == Snippet("account = '1' AND amout > 0", 18, 23, "where")
    assert found.hint is not None
    assert found.hint.startswith("did you mean 'amount'?")


def test_what_is_no_condition_is_refused() -> None:
    with pytest.raises(RowbookError) as raised:
        row_condition("amount", _SCOPE)
    assert str(raised.value) == (
        "SELECTOR_003  the condition gives decimal(18,2), not true or false"
    )
