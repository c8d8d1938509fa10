"""What the value of an expression depends on."""

from __future__ import annotations

from collections.abc import Callable
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
    Parameter,
    Position,
    parts,
)
from rowbook.lineage.influences import NOTHING, Influences, merged, used_as

Read: TypeAlias = Callable[[Column], Influences]
OfGroup: TypeAlias = Callable[[Aggregate | Position], Influences]


def sources(tree: Bound, read: Read, of_group: OfGroup | None = None) -> Influences:
    """`of_group` says it of aggregates and places, where they see other rows than `read` does."""
    known: dict[int, Influences] = {}

    def find(node: Bound) -> Influences:
        if id(node) not in known:
            known[id(node)] = _found(node)
        return known[id(node)]

    def _found(node: Bound) -> Influences:
        match node:
            case Constant() | Parameter():
                return NOTHING
            case Column():
                return read(node)
            case Call("REQUIRE", arguments):
                return find(arguments[0])
            case Call() | Convert() | OneOf():
                return used_as(merged(*map(find, parts(node))), "transformation")
            case Choice(branches, otherwise):
                deciding = merged(*(find(condition) for condition, _ in branches))
                values = merged(*(find(value) for _, value in branches), find(otherwise))
                return merged(used_as(deciding, "conditional"), values)
            case Aggregate() | Position() if of_group is not None:
                return of_group(node)
            case Aggregate() | Position():
                return group_sources(node, find)

    return find(tree)


def group_sources(node: Aggregate | Position, find: Callable[[Bound], Influences]) -> Influences:
    """Of an aggregate, or a place in an order; `find` is about the rows that it sees."""
    argument = NOTHING if node.argument is None else find(node.argument)
    if isinstance(node, Position):
        return used_as(argument, "transformation")
    by = NOTHING if node.by is None else find(node.by)
    return merged(used_as(argument, "aggregation"), used_as(by, "sort"))
