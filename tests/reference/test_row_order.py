"""Rows in an order."""

from __future__ import annotations

from collections.abc import Mapping

from rowbook.expressions.values import Value
from rowbook.planning.steps import SortKey
from rowbook.reference.row_order import ordered

ROWS: list[Mapping[str, Value]] = [
    {"a": 1, "b": "x"},
    {"a": None, "b": "y"},
    {"a": 2, "b": None},
    {"a": 1, "b": "w"},
]


def test_null_comes_last_either_way() -> None:
    keys = [SortKey("a")], [SortKey("a", descending=True)]
    found = [[row["a"] for row in ordered(ROWS, k, lambda row, name: row[name])] for k in keys]
    assert found == [[1, 1, 2, None], [2, 1, 1, None]]


def test_later_keys_decide_among_equal_rows() -> None:
    keys = [SortKey("a"), SortKey("b", descending=True)]
    found = ordered(ROWS, keys, lambda row, name: row[name])
    assert [row["b"] for row in found] == ["x", "w", None, "y"]
