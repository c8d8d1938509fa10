"""Rows that are held by columns."""

from __future__ import annotations

from rowbook.reference.loading.column_rows import ColumnRows

ROWS = ColumnRows({"a": [1, 2, 3], "b": ["x", None, "z"]}, 3)


def test_rows_are_made_of_columns() -> None:
    assert list(ROWS) == [{"a": 1, "b": "x"}, {"a": 2, "b": None}, {"a": 3, "b": "z"}]
    assert (len(ROWS), ROWS[-1], ROWS[1:2]) == (3, {"a": 3, "b": "z"}, [{"a": 2, "b": None}])


def test_rows_may_have_no_columns_that_are_asked_for() -> None:
    assert list(ColumnRows({}, 2)) == [{}, {}]
