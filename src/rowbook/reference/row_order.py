"""Rows in an order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from rowbook.expressions.values import Value, in_order
from rowbook.planning.steps import SortKey

R = TypeVar("R")


def ordered(rows: Sequence[R], keys: Sequence[SortKey], read: Callable[[R, str], Value]) -> list[R]:
    """By keys, NULLs last. The last key goes first: sorting leaves rows that are equal by a key as
    they are."""
    found = list(rows)
    for key in reversed(keys):
        name, descending = key.column, key.descending

        def place(row: R, name: str = name, last: bool = not descending) -> Any:
            value = read(row, name)
            return (value is None) == last, in_order(value)

        found.sort(key=place, reverse=descending)
    return found
