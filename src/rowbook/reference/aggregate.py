"""`aggregate`: one summary row for each group of the rows that it picks, beside those there are."""

from __future__ import annotations

from rowbook.planning.steps import AggregateStep
from rowbook.reference.effect import Effect
from rowbook.reference.environment import Environment
from rowbook.reference.groups import summaries
from rowbook.reference.picking import pick_visible
from rowbook.reference.rows import Working


def aggregate(working: Working, step: AggregateStep, environment: Environment) -> Effect:
    picked = [row for _, row in pick_visible(working, step, environment)]
    fields, origin = working.columns.fields, environment.input
    added = summaries(picked, step.keys, fields, step, origin, environment)
    rows = [*working.with_columns(step.columns).rows, *added]
    return Effect(Working(step.columns, rows), matched=len(picked), added=len(added))
