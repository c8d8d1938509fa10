"""What steps read and write, told from their expressions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rowbook.expressions import bound
from rowbook.expressions.bound import Aggregate, Bound
from rowbook.expressions.types import Kind, as_decimal
from rowbook.planning.datasets import Join
from rowbook.planning.steps import AggregateStep, DeleteStep, Step, UpdateStep

RowWise: TypeAlias = UpdateStep | DeleteStep


def own_columns(trees: Iterable[Bound]) -> frozenset[str]:
    return frozenset(n for tree in trees for source, n in bound.columns(tree) if source is None)


def conditions(step: Step) -> list[Bound]:
    selector = [] if step.selector is None else [step.selector]
    return [*selector, *(join.condition for join in step.joins)]


def reads(step: Step) -> frozenset[str]:
    trees = conditions(step)
    if isinstance(step, UpdateStep):
        trees += [assignment.expression for assignment in step.assignments]
    return own_columns(trees)


def writes(step: RowWise) -> frozenset[str]:
    assigned = step.assignments if isinstance(step, UpdateStep) else ()
    return frozenset({"_updated_at", *(each.column for each in assigned)})


def new_columns(step: AggregateStep) -> frozenset[str]:
    """The columns that no row had before an aggregate."""
    return frozenset(result.column for result in step.results if result.is_new)


def aggregates_of(steps: Sequence[AggregateStep]) -> list[Aggregate]:
    trees = [result.expression for step in steps for result in step.results]
    found = [part for tree in trees for part in bound.walk(tree) if isinstance(part, Aggregate)]
    return list(dict.fromkeys(found))


def is_safe(key: Bound) -> bool:
    """Whether computing it cannot fail on any row, selected or not."""
    match key:
        case bound.Column():
            return True
        case bound.Convert(operand, kind):
            is_number = operand.type.kind in (Kind.INTEGER, Kind.DECIMAL)
            if not is_number or kind.kind is not Kind.DECIMAL:
                return False
            roomy = kind.integer_digits >= as_decimal(operand.type).integer_digits
            return roomy and is_safe(operand)
        case bound.Call(function, (operand,)):
            return function in ("UPPER", "LOWER", "TRIM", "LTRIM", "RTRIM", "LEN") and is_safe(
                operand
            )
        case _:
            return False


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
