"""Which columns of the working dataset the operations still to come read."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.engine.compile.row_ids import ROW_ID
from rowbook.engine.execution.joins import is_by_row
from rowbook.engine.execution.layers import conditions, own_columns
from rowbook.planning.columns import PERIOD, Columns
from rowbook.planning.steps import AggregateStep, AnyStep, AppendStep, OutputStep, UpdateStep

ALWAYS_NEEDED = frozenset({"_deleted", "_operation_seq"})
"""Every operation asks which rows are visible, and counts need to know who added a row."""


def needed(steps: Sequence[AnyStep]) -> frozenset[str]:
    """The columns that any of these operations reads. What an update computes counts only if the
    column it sets is read by any of them: columns are dropped for good or kept for good."""
    names = set(ALWAYS_NEEDED)
    for step in steps:
        names |= _needed_by(step)
        if not isinstance(step, AppendStep) and any(map(is_by_row, step.joins)):
            names.add(ROW_ID)
    assigned = [a for step in steps if isinstance(step, UpdateStep) for a in step.assignments]
    while unread := [a for a in assigned if a.column in names]:
        names |= own_columns([a.expression for a in unread])
        assigned = [a for a in assigned if a not in unread]
    return frozenset(names)


def unneeded(columns: Columns, steps: Sequence[AnyStep]) -> frozenset[str]:
    """The columns that none of these operations reads, those that they will make among them."""
    known = {*columns.fields, *(name for step in steps for name in step.columns.fields)}
    return frozenset(known - needed(steps))


def _needed_by(step: AnyStep) -> frozenset[str]:
    match step:
        case AggregateStep():
            results = [result.expression for result in step.results]
            return own_columns([*results, *conditions(step)]) | frozenset(step.keys)
        case OutputStep():
            period = {PERIOD.name} if PERIOD.name in step.written else set()
            return own_columns(conditions(step)) | frozenset(step.written) | period
        case AppendStep():
            return frozenset()
        case _:
            return own_columns(conditions(step))
