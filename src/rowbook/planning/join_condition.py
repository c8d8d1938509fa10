"""The condition of a join, taken apart by which side each part of it reads."""

from __future__ import annotations

from rowbook.expressions import bound
from rowbook.expressions.bound import Bound
from rowbook.planning.datasets import Join
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class JoinCondition:
    """Equal keys as (left, right), conditions on the right alone, and the rest."""

    keys: tuple[tuple[Bound, Bound], ...]
    right: tuple[Bound, ...]
    rest: tuple[Bound, ...]
    by_row: bool
    """There are no keys to go by: rows are told apart by their ids."""


def join_condition(join: Join) -> JoinCondition:
    """Splits a conjunction by which side each part reads."""
    keys: list[tuple[Bound, Bound]] = []
    right: list[Bound] = []
    rest: list[Bound] = []
    for part in bound.conjuncts(join.condition):
        if pair := _key(part, join.alias):
            keys.append(pair)
        elif _sources(part) == {join.alias}:
            right.append(part)
        else:
            rest.append(part)
    by_row = not keys or any(join.alias in _sources(part) for part in rest)
    return JoinCondition(tuple(keys), tuple(right), tuple(rest), by_row)


def _key(part: Bound, alias: str) -> tuple[Bound, Bound] | None:
    if not (isinstance(part, bound.Call) and part.function == "="):
        return None
    a, b = part.arguments
    for left, right in ((a, b), (b, a)):
        if _sources(right) == {alias} and alias not in _sources(left) and _sources(left):
            return left, right
    return None


def _sources(node: Bound) -> set[str | None]:
    return {source for source, _ in bound.columns(node)}
