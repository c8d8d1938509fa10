"""Which rows an operation acts on: those its selector is TRUE for, deleted ones aside."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.expressions.values import Value
from rowbook.planning.steps import AnyStep, AppendStep, UpdateStep
from rowbook.reference.group_windows import with_windows
from rowbook.reference.matches import joined
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import JoinedRow, Row, WorkingRows


def pick_visible(
    working: WorkingRows, step: AnyStep, environment: RunEnvironment
) -> list[tuple[int, JoinedRow]]:
    """Visible rows of the working dataset with what joins found, each with its place."""
    visible = [i for i, row in enumerate(working.rows) if not row["_deleted"]]
    return [
        (visible[n], row) for n, row in pick([working.rows[i] for i in visible], step, environment)
    ]


def pick(
    rows: Sequence[Row], step: AnyStep, environment: RunEnvironment
) -> list[tuple[int, JoinedRow]]:
    """Of these rows."""
    found = outcomes(rows, step, environment)
    return [(i, row) for i, (outcome, row) in enumerate(found) if outcome is True]


def outcomes(
    rows: Sequence[Row], step: AnyStep, environment: RunEnvironment
) -> list[tuple[Value, JoinedRow]]:
    """What the selector gives for each row, with what joins found for it. Joins look at all rows,
    picked or not; an append's own, at those that it has picked."""
    joins = step.lookups if isinstance(step, AppendStep) else step.joins
    with environment.picking(step):
        found = joined(rows, joins, step, environment)
    if isinstance(step, UpdateStep):
        found = with_windows(found, step, environment)
    if step.selector is None:
        return [(True, row) for row in found]
    outcome = environment.evaluators.scalar(step.selector)
    with environment.picking(step):
        return [(outcome(row), row) for row in found]
