"""Which columns of the working dataset the operations still to come read."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.engine.joins import is_by_row
from rowbook.engine.layers import own_columns, reads
from rowbook.engine.row_ids import ROW_ID
from rowbook.expressions.bound import Bound
from rowbook.planning.columns import PERIOD
from rowbook.planning.steps import AggregateStep, AnyStep, AppendStep, OutputStep, UpdateStep

ALWAYS_NEEDED = frozenset({"_deleted", "_operation_seq"})
"""Every operation asks which rows are visible, and counts need to know who added a row."""


def needed(steps: Sequence[AnyStep]) -> frozenset[str]:
    """The columns that any of these operations reads. What an update computes counts only if a
    later one reads the column it sets."""
    names = set(ALWAYS_NEEDED)
    for step in reversed(steps):
        names |= _needed_by(step, names)
        if not isinstance(step, AppendStep) and any(map(is_by_row, step.joins)):
            names.add(ROW_ID)
    return frozenset(names)


def _needed_by(step: AnyStep, later: set[str]) -> frozenset[str]:
    match step:
        case UpdateStep():
            unread = [a.expression for a in step.assignments if a.column not in later]
            if not unread:
                return reads(step)
            used = [a.expression for a in step.assignments if a.column in later]
            return own_columns([*used, *_conditions(step)])
        case AggregateStep():
            results = [result.expression for result in step.results]
            return own_columns([*results, *_conditions(step)]) | frozenset(step.keys)
        case OutputStep():
            period = {PERIOD.name} if PERIOD.name in step.written else set()
            return own_columns(_conditions(step)) | frozenset(step.written) | period
        case AppendStep():
            return frozenset()
        case _:
            return reads(step)


def _conditions(step: AnyStep) -> list[Bound]:
    selector = [] if step.selector is None else [step.selector]
    return [*selector, *(join.condition for join in step.joins)]
