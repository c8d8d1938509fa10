"""Expressions with all that is decided by their literals put in: `x AND FALSE` is FALSE."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from rowbook.expressions.bound import (
    Aggregate,
    Bound,
    Call,
    Choice,
    Column,
    Constant,
    OneOf,
    Parameter,
    Position,
    is_literal,
    rebuilt,
    with_parts,
)
from rowbook.expressions.closures import Moment
from rowbook.expressions.evaluate import EvaluationError, evaluate
from rowbook.expressions.types import BOOLEAN

TRUE, FALSE = Constant(True, BOOLEAN), Constant(False, BOOLEAN)

_STRICT = frozenset({"=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "NOT", "LIKE"})
"""NULL where an argument is, whatever the others are."""

_COMPARED = 32
"""Parts of a conjunction that another one is compared with, to be there once."""

_ANY_MOMENT = Moment(datetime(2000, 1, 1, tzinfo=UTC), "2000")


def folded(node: Bound) -> Bound:
    """The same value on every row on which the expression has one."""
    return rebuilt(node, fold)


def both(*conditions: Bound) -> Bound:
    """A conjunction, folded."""
    return _logical("AND", conditions)


def either(*conditions: Bound) -> Bound:
    return _logical("OR", conditions)


def negated(condition: Bound) -> Bound:
    return fold(Call("NOT", (condition,), BOOLEAN, True), (condition,))


def literal_value(node: Bound) -> Constant | None:
    """Its value, where that is written in it and fits; not that of a float."""
    if not is_literal(node):
        return None
    try:
        value = evaluate(node, {}, _ANY_MOMENT)
    except EvaluationError:
        return None
    return None if isinstance(value, float) else Constant(value, node.type)


def fold(node: Bound, below: Sequence[Bound]) -> Bound:
    """One node, of whose parts `below` was made."""
    match node:
        case Column() | Constant() | Parameter() | Aggregate() | Position():
            return with_parts(node, below)
        case Call("AND" | "OR" as function):
            return _logical(function, below)
        case Call("COALESCE"):
            return _coalesced(node, below)
        case Choice():
            return _chosen(node, below)
        case Call(function) if function in _STRICT and any(map(_is_null, below)):
            return Constant(None, node.type)
        case OneOf() if _is_null(below[0]):
            return Constant(None, node.type)
    found = with_parts(node, below)
    is_decided = all(isinstance(part, Constant) for part in below)
    return (literal_value(found) if is_decided else None) or found


def _logical(function: str, operands: Sequence[Bound]) -> Bound:
    decisive, neutral = (FALSE, TRUE) if function == "AND" else (TRUE, FALSE)
    kept: list[Bound] = []
    for each in operands:
        inner = each.arguments if isinstance(each, Call) and each.function == function else (each,)
        kept += (part for part in inner if part != neutral and part not in kept[:_COMPARED])
    if decisive in kept:
        return decisive
    if len(kept) < 2:
        return kept[0] if kept else neutral
    return Call(function, tuple(kept), BOOLEAN, any(part.nullable for part in kept))


def _coalesced(node: Call, below: Sequence[Bound]) -> Bound:
    kept: list[Bound] = []
    for each in below:
        if not _is_null(each):
            kept.append(each)
        if isinstance(each, Constant) and each.value is not None:
            break
    if not kept:
        return Constant(None, node.type)
    if len(kept) == 1:
        return kept[0]
    return Call(node.function, tuple(kept), node.type, node.nullable)


def _chosen(node: Choice, below: Sequence[Bound]) -> Bound:
    """Branches that cannot be taken are left out; one that surely is ends it. A choice in the last
    place goes on with its own branches."""
    branches: list[tuple[Bound, Bound]] = []
    otherwise = below[-1]
    for condition, value in zip(below[:-1:2], below[1::2], strict=True):
        if condition == TRUE:
            otherwise = value
            break
        if not isinstance(condition, Constant):
            branches.append((condition, value))
    if isinstance(otherwise, Choice) and otherwise.type == node.type:
        branches += otherwise.branches
        otherwise = otherwise.otherwise
    if not branches:
        return Constant(None, node.type) if _is_null(otherwise) else otherwise
    return Choice(tuple(branches), otherwise, node.type, node.nullable)


def _is_null(node: Bound) -> bool:
    return isinstance(node, Constant) and node.value is None
