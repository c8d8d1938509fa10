"""`aggregate`: one summary row for each group of the rows that it picks, beside those there are."""

from __future__ import annotations

from rowbook.planning.steps import AggregateStep
from rowbook.reference.effect import Effect
from rowbook.reference.groups import summaries
from rowbook.reference.picking import pick_visible
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import WorkingRows


def aggregate(working: WorkingRows, step: AggregateStep, environment: RunEnvironment) -> Effect:
    picked = [row for _, row in pick_visible(working, step, environment)]
    fields, origin = working.columns.fields, environment.input
    added = summaries(picked, step.keys, fields, step, origin, environment)
    rows = [*working.with_columns(step.columns).rows, *added]
    return Effect(WorkingRows(step.columns, rows), matched=len(picked), added=len(added))
