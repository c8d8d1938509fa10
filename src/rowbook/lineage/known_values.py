"""What of an expression is certain before any row is read: `_operation_seq = 90` of rows that
operation 90 made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeAlias

from rowbook.expressions.bound import (
    Aggregate,
    Bound,
    Call,
    Choice,
    Column,
    Constant,
    Convert,
    OneOf,
    is_literal,
)
from rowbook.expressions.closures import Moment, function_of
from rowbook.expressions.values import EvaluationError

ConstantOf: TypeAlias = Callable[[Column], Constant | None]
"""The value that a column has on all rows, where that is known."""

_NO_CLOCK = Moment(datetime(1970, 1, 1, tzinfo=UTC), "")
_DECIDING = {"AND": False, "OR": True}
"""The operand that decides, whatever the others are."""
_OF_EQUALS = frozenset({"MIN_AGG", "MAX_AGG"})
"""Aggregates that are the value itself, where all rows of a group have the same."""


def simplified(tree: Bound, constant_of: ConstantOf) -> Bound:
    """The expression without what cannot matter: `IF(_operation_seq = 90, a, b)` is `a` on rows of
    operation 90. It has the same value on every row."""
    match tree:
        case Column():
            return constant_of(tree) or tree
        case Convert(operand):
            return _valued(replace(tree, operand=simplified(operand, constant_of)))
        case Call(function, arguments):
            operands = tuple(simplified(each, constant_of) for each in arguments)
            if function in _DECIDING:
                return _logic(replace(tree, arguments=operands), _DECIDING[function])
            return _valued(replace(tree, arguments=operands))
        case OneOf(operand, items):
            members = tuple(simplified(each, constant_of) for each in items)
            return _valued(replace(tree, operand=simplified(operand, constant_of), items=members))
        case Choice():
            return _choice(tree, constant_of)
        case Aggregate(function, argument) if function in _OF_EQUALS and argument is not None:
            value = simplified(argument, constant_of)
            return value if isinstance(value, Constant) else tree
    return tree


def is_never_true(condition: Bound) -> bool:
    """NULL is not TRUE."""
    return isinstance(condition, Constant) and condition.value is not True


def is_always_true(condition: Bound) -> bool:
    return isinstance(condition, Constant) and condition.value is True


def _logic(tree: Call, deciding: bool) -> Bound:
    values = [each.value for each in tree.arguments if isinstance(each, Constant)]
    if deciding in values:
        return Constant(deciding, tree.type)
    open_operands = tuple(
        each
        for each in tree.arguments
        if not (isinstance(each, Constant) and each.value is (not deciding))
    )
    if not open_operands:
        return Constant(not deciding, tree.type)
    if len(open_operands) == 1:
        return open_operands[0]
    return _valued(replace(tree, arguments=open_operands))


def _choice(tree: Choice, constant_of: ConstantOf) -> Bound:
    branches: list[tuple[Bound, Bound]] = []
    otherwise = tree.otherwise
    for condition, value in tree.branches:
        decided = simplified(condition, constant_of)
        if is_never_true(decided):
            continue
        if is_always_true(decided):
            otherwise = value
            break
        branches.append((decided, simplified(value, constant_of)))
    last = simplified(otherwise, constant_of)
    return replace(tree, branches=tuple(branches), otherwise=last) if branches else last


def _valued(tree: Bound) -> Bound:
    """Its value, where that is written in it."""
    if not is_literal(tree):
        return tree
    try:
        value = function_of(tree, _no_column, _NO_CLOCK, {})(None)
    except EvaluationError:
        return tree
    return tree if isinstance(value, float) else Constant(value, tree.type)


def _no_column(column: Column) -> Callable[[object], None]:
    raise AssertionError(f"column {column.name} in a literal")
