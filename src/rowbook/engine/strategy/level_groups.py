"""Levels of totals in one aggregate: whether they are made from groups or from rows.

Totals by entity and account, by account and over all: rows are grouped once, by all keys together,
and each level is put together from these few groups. Where a result cannot be put together, each
row counts for each of its groups, still in one pass.
"""

from __future__ import annotations

from dataclasses import replace

from rowbook.engine.strategy.rollups import can_merge, has_room
from rowbook.engine.strategy.stages import AggregateStage, Situation, Stage, Stages
from rowbook.engine.strategy.step_analysis import aggregates_of
from rowbook.planning.steps import AggregateStep

_FROM_GROUPS = "rows are grouped once, by all keys; its levels are made from these groups"
_FROM_ROWS = "its levels are made from the rows, in one pass"


def group_before_levels(stages: Stages, situation: Situation) -> Stages:
    """Groups rows by all keys before they are grouped by levels, where that gives the same.

    aggregate 1 by entity, account / account / nothing  →  1 by both first, then by each
    """
    if situation.has_local_rows or not situation.options.segments:
        return stages
    return tuple(map(_grouped_first, stages))


def _grouped_first(stage: Stage) -> Stage:
    if not isinstance(stage, AggregateStage) or len(stage.step.levels) < 2:
        return stage
    whole = _cannot_merge(stage.step)
    if whole is None:
        return replace(stage, groups_first=True, reasons=(*stage.reasons, _FROM_GROUPS))
    return replace(stage, reasons=(*stage.reasons, f"{_FROM_ROWS}: {whole}"))


def _cannot_merge(step: AggregateStep) -> str | None:
    """Why not, if so. Where no level has all keys, groups by all of them are no rows of the result:
    adding them up must not be able to fail."""
    for node in aggregates_of([step]):
        if not can_merge(node):
            return f"{node.function} cannot be put together from groups"
        is_finest = any(set(level.keys) == set(step.keys) for level in step.levels)
        if node.function == "SUM" and not is_finest and not has_room(node):
            return "a sum of a group that no level has might not fit"
    return None
