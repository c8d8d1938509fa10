"""What steps read and write, told from their expressions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rowbook.expressions import bound
from rowbook.expressions.bound import Aggregate, Bound
from rowbook.expressions.types import Kind, as_decimal
from rowbook.planning.columns import ROW_ID
from rowbook.planning.steps import AggregateStep, DeleteStep, Step, UpdateStep, Window

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
    return own_columns(trees) | window_columns(step)


def windows_of(step: Step) -> tuple[Window, ...]:
    return step.windows if isinstance(step, UpdateStep) else ()


def window_columns(step: Step) -> frozenset[str]:
    """What the windows of a step read of all visible rows; those in an order their ids too."""
    windows = windows_of(step)
    return own_columns(tree for window in windows for tree in window.trees).union(
        (name for window in windows for name in window.keys),
        (key.column for window in windows for key in window.order),
        (ROW_ID for window in windows if window.order),
    )


def writes(step: RowWise) -> frozenset[str]:
    assigned = step.assignments if isinstance(step, UpdateStep) else ()
    return frozenset({"_updated_at", *(each.column for each in assigned)})


def new_columns(step: AggregateStep) -> frozenset[str]:
    """The columns that no row had before an aggregate."""
    return frozenset(value.column for value in step.values if value.is_new)


def columns_before(step: AggregateStep) -> frozenset[str]:
    """Those that rows could have before an aggregate."""
    return frozenset(step.columns.fields) - new_columns(step)


def aggregates_of(steps: Sequence[AggregateStep]) -> list[Aggregate]:
    return aggregates_in(result.expression for step in steps for result in step.results)


def aggregates_in(trees: Iterable[Bound]) -> list[Aggregate]:
    found = (part for tree in trees for part in bound.walk(tree) if isinstance(part, Aggregate))
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
