"""`aggregate`: one summary row for each group of the rows that it picks, beside those there are;
where it has levels, for each group at each of them."""

from __future__ import annotations

from rowbook.planning.steps import AggregateStep
from rowbook.reference.effect import Effect
from rowbook.reference.groups import assigned, summaries
from rowbook.reference.picking import pick_visible
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import Row, WorkingRows


def aggregate(working: WorkingRows, step: AggregateStep, environment: RunEnvironment) -> Effect:
    picked = [row for _, row in pick_visible(working, step, environment)]
    fields, origin = working.columns.fields, environment.input
    added: list[Row] = []
    for level in step.groupings:
        rows = summaries(picked, level, fields, step, origin, environment)
        added += assigned(rows, level, step, environment)
    after = WorkingRows(step.columns, [*working.with_columns(step.columns).rows, *added])
    return Effect(after, matched=len(picked), added=len(added))
