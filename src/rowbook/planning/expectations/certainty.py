"""What can be told of a condition before any row is seen: that it may be NULL, that it is TRUE."""

from __future__ import annotations

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
    parts,
)
from rowbook.expressions.functions import FUNCTIONS, Nulls

_STRICT = frozenset({"+", "-", "*", "NEGATE", "NOT", "LIKE", "=", "<>", "<", "<=", ">", ">="})
_NOTHING: frozenset[Bound] = frozenset()


def may_be_null(
    node: Bound, *, grouped: bool = False, present: frozenset[Bound] = _NOTHING
) -> bool:
    """Closer than the node's own `nullable`: `x IS NOT NULL AND x > 0` is FALSE where x is NULL. A
    group has at least one row, so that what is aggregated of it is NULL only where its values are.
    `present` are columns that have a value wherever it matters."""

    def may(part: Bound, more: frozenset[Bound] = _NOTHING) -> bool:
        return may_be_null(part, grouped=grouped, present=present | more)

    match node:
        case Constant(value):
            return value is None
        case Column():
            return node.nullable and node not in present
        case Aggregate("COUNT" | "COUNT_DISTINCT"):
            return False
        case Aggregate():
            return not grouped or any(map(may, parts(node)))
        case Convert(operand):
            return may(operand)
        case Call("AND" | "OR" as function, operands):
            sure = frozenset(column for each in operands for column in _decided(each, function))
            return any(may(each, sure) for each in operands)
        case Call(function, operands) if _propagates(function):
            return any(map(may, operands))
        case Call("COALESCE" | "GREATEST" | "LEAST", operands):
            return all(map(may, operands))
        case OneOf():
            return any(map(may, parts(node)))
        case Choice(branches, otherwise):
            return any(may(value) for value in (*(value for _, value in branches), otherwise))
        case _:
            return node.nullable


def is_always_true(node: Bound) -> bool:
    """Without any column that decides it: a literal, or a test for NULL of what never is."""
    match node:
        case Call("AND", operands):
            return all(map(is_always_true, operands))
        case Call("OR", operands):
            return any(map(is_always_true, operands))
        case Call("NOT", (Call("ISNULL", (operand,)),)):
            return not may_be_null(operand)
        case _:
            return is_literal(node) and _is_true(node)


def _is_true(literal: Bound) -> bool:
    from rowbook.expressions.folding import TRUE, literal_value

    return literal_value(literal) == TRUE


def _propagates(function: str) -> bool:
    known = FUNCTIONS.get(function)
    return function in _STRICT or (known is not None and known.nulls is Nulls.PROPAGATE)


def _decided(operand: Bound, function: str) -> frozenset[Bound]:
    """Columns whose NULL makes the whole chain FALSE (of ANDs) or TRUE (of ORs)."""
    match function, operand:
        case "AND", Call("NOT", (Call("ISNULL", (Column() as column,)),)):
            return frozenset({column})
        case "OR", Call("ISNULL", (Column() as column,)):
            return frozenset({column})
    return _NOTHING
