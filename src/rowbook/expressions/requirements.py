"""REQUIRE: on which rows an expression asks for a value that is not there.

It is a condition of its own, so that an operation can check it on all rows that it picks before it
gives any of them a value, whoever reads the column later. Parts that an expression does not
evaluate (the other branch of an IF, what comes after the first value of a COALESCE) ask for
nothing. The first argument is what must be there; others, which binding adds, are columns that tell
which row it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from rowbook.expressions import types as t
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
    walk,
)

_FALSE, _TRUE = Constant(False, t.BOOLEAN), Constant(True, t.BOOLEAN)


def unmet(tree: Bound) -> Bound | None:
    """TRUE on rows for which a REQUIRE of the expression finds no value, FALSE elsewhere; None for
    an expression that asks for none."""
    return _unmet(tree) if _asks(tree) else None


def _asks(tree: Bound) -> bool:
    return any(isinstance(part, Call) and part.function == "REQUIRE" for part in walk(tree))


def _unmet(node: Bound) -> Bound | None:
    match node:
        case Constant() | Parameter() | Column() | Aggregate() | Position():
            return None
        case Convert(operand):
            return _unmet(operand)
        case Choice(branches, otherwise):
            return _of_choice(branches, otherwise)
        case OneOf(operand, items):
            others = [(item, _not(_is_true(_equal(operand, item)))) for item in items]
            return _in_turn([(operand, _has_value(operand)), *others])
        case Call("REQUIRE", (operand, *_)):
            return _any(_unmet(operand), _is_null(operand))
        case Call("AND", operands):
            return _in_turn(
                [(each, Call("COALESCE", (each, _TRUE), t.BOOLEAN, False)) for each in operands]
            )
        case Call("OR", operands):
            return _in_turn([(each, _not(_is_true(each))) for each in operands])
        case Call("COALESCE", operands):
            return _in_turn([(each, _is_null(each)) for each in operands])
        case Call("GREATEST" | "LEAST", operands):
            return _in_turn([(each, _TRUE) for each in operands])
        case Call(_, operands):
            return _in_turn([(each, _has_value(each)) for each in operands])
        case _:
            assert_never(node)


def _in_turn(parts: Sequence[tuple[Bound, Bound]]) -> Bound | None:
    """Parts that are evaluated one after the other, each with the condition on which the next
    follows."""
    found: Bound | None = None
    for part, follows in reversed(parts):
        later = None if found is None else _both(follows, found)
        found = _any(_unmet(part), later)
    return found


def _of_choice(branches: Iterable[tuple[Bound, Bound]], otherwise: Bound) -> Bound | None:
    found = _unmet(otherwise)
    for condition, value in reversed(tuple(branches)):
        inside, holds = _unmet(value), _is_true(condition)
        chosen = None if inside is None else _both(holds, inside)
        later = None if found is None else _both(_not(holds), found)
        found = _any(_unmet(condition), _any(chosen, later))
    return found


def _any(first: Bound | None, second: Bound | None) -> Bound | None:
    if first is None or second is None:
        return first or second
    return Call("OR", (first, second), t.BOOLEAN, False)


def _both(first: Bound, second: Bound) -> Bound:
    return Call("AND", (first, second), t.BOOLEAN, False)


def _not(node: Bound) -> Bound:
    return Call("NOT", (node,), t.BOOLEAN, False)


def _is_true(node: Bound) -> Bound:
    return Call("COALESCE", (node, _FALSE), t.BOOLEAN, False)


def _equal(a: Bound, b: Bound) -> Bound:
    return Call("=", (a, b), t.BOOLEAN, True)


def _is_null(node: Bound) -> Bound:
    return Call("ISNULL", (node,), t.BOOLEAN, False)


def _has_value(node: Bound) -> Bound:
    return _not(_is_null(node))
