"""`update`: columns of the rows that it picks get new values; all others stay as they are."""

from __future__ import annotations

from rowbook.planning.steps import UpdateStep
from rowbook.reference.effect import Effect
from rowbook.reference.picking import pick_visible
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import Cell, WorkingRows


def update(working: WorkingRows, step: UpdateStep, environment: RunEnvironment) -> Effect:
    """Every expression sees the rows as they were before. A column that is new is NULL on rows that
    are not picked."""
    picked = pick_visible(working, step, environment)
    changes: dict[int, dict[str, Cell]] = {
        i: {"_updated_at": environment.context.now} for i, _ in picked
    }
    for assignment in step.assignments:
        cell = environment.cell(step, assignment)
        for i, row in picked:
            changes[i][assignment.column] = cell(row)
    rows = list(working.with_columns(step.columns).rows)
    for i, changed in changes.items():
        rows[i] = {**rows[i], **changed}
    return Effect(WorkingRows(step.columns, rows), matched=len(picked))
