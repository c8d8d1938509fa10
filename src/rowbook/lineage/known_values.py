"""What of an expression is certain before any row is read: `_operation_seq = 90` of rows that
operation 90 made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from rowbook.expressions.bound import Aggregate, Bound, Column, Constant, Position, rebuilt
from rowbook.expressions.folding import fold

ConstantOf: TypeAlias = Callable[[Column], Constant | None]
"""The value that a column has on all rows, where that is known."""

_OF_EQUALS = frozenset({"MIN_AGG", "MAX_AGG"})
"""Aggregates that are the value itself, where all rows of a group have the same."""


def simplified(tree: Bound, constant_of: ConstantOf) -> Bound:
    """The expression without what cannot matter: `IF(_operation_seq = 90, a, b)` is `a` on rows of
    operation 90. It has the same value on every row."""

    def of(node: Bound, below: Sequence[Bound]) -> Bound:
        match node:
            case Column():
                return constant_of(node) or node
            case Aggregate(function) if function in _OF_EQUALS and isinstance(below[0], Constant):
                return below[0]
            case Aggregate() | Position():
                return node
        return fold(node, below)

    return rebuilt(tree, of)


def is_never_true(condition: Bound) -> bool:
    """NULL is not TRUE."""
    return isinstance(condition, Constant) and condition.value is not True


def is_always_true(condition: Bound) -> bool:
    return isinstance(condition, Constant) and condition.value is True
