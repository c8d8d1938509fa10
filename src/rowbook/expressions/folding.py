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
    Convert,
    OneOf,
    Parameter,
    Position,
    rebuilt,
    with_parts,
)
from rowbook.expressions.closures import Moment
from rowbook.expressions.evaluate import EvaluationError, evaluate
from rowbook.expressions.functions import OF_RUN
from rowbook.expressions.types import BOOLEAN

TRUE, FALSE = Constant(True, BOOLEAN), Constant(False, BOOLEAN)

_STRICT = frozenset({"=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "NOT", "LIKE"})
"""NULL where an argument is, whatever the others are."""

_ANY_MOMENT = Moment(datetime(2000, 1, 1, tzinfo=UTC), "2000")


def folded(node: Bound) -> Bound:
    """The same value on every row on which the expression has one."""
    return rebuilt(node, _folded)


def both(*conditions: Bound) -> Bound:
    """A conjunction, folded."""
    return _logical("AND", conditions)


def either(*conditions: Bound) -> Bound:
    return _logical("OR", conditions)


def negated(condition: Bound) -> Bound:
    return _folded(Call("NOT", (condition,), BOOLEAN, True), (condition,))


def _folded(node: Bound, below: Sequence[Bound]) -> Bound:
    match node:
        case Column() | Constant() | Parameter() | Aggregate() | Position():
            return with_parts(node, below)
        case Call("AND" | "OR" as function):
            return _logical(function, below)
        case Call("COALESCE"):
            return _coalesced(node, below)
        case Choice():
            return _chosen(node, below)
        case Call(function) if function in OF_RUN or function == "REQUIRE":
            return with_parts(node, below)
        case Call(function) if function in _STRICT and any(map(_is_null, below)):
            return Constant(None, node.type)
        case OneOf() if _is_null(below[0]):
            return Constant(None, node.type)
    return _value(with_parts(node, below), below)


def _logical(function: str, operands: Sequence[Bound]) -> Bound:
    decisive, neutral = (FALSE, TRUE) if function == "AND" else (TRUE, FALSE)
    kept: list[Bound] = []
    for each in operands:
        inner = each.arguments if isinstance(each, Call) and each.function == function else (each,)
        kept += (part for part in inner if part != neutral and not any(part is k for k in kept))
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


def _value(node: Bound, below: Sequence[Bound]) -> Bound:
    """What it is, where all parts are literals; itself where that does not fit, or is a float."""
    if not all(isinstance(part, Constant) for part in below):
        return node
    assert isinstance(node, Call | Convert | OneOf)
    try:
        found = evaluate(node, {}, _ANY_MOMENT)
    except EvaluationError:
        return node
    return node if isinstance(found, float) else Constant(found, node.type)
