"""`delete`: the rows that it picks stay, marked as deleted; no later operation sees them."""

from __future__ import annotations

from rowbook.planning.steps import DeleteStep
from rowbook.reference.effect import Effect
from rowbook.reference.picking import pick_visible
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import WorkingRows


def delete(working: WorkingRows, step: DeleteStep, environment: RunEnvironment) -> Effect:
    picked = pick_visible(working, step, environment)
    rows = list(working.rows)
    for i, _ in picked:
        rows[i] = {**rows[i], "_deleted": True, "_updated_at": environment.context.now}
    after = WorkingRows(step.columns, rows)
    return Effect(after, matched=len(picked), deleted=len(picked))
