"""Whether keys of joined datasets are looked at before rows are joined with them.

Where each stands there once, no row can meet a second match. Conditions then go below the join, and
rows that they leave out are never matched: so what rows are matched by must have a value on each.
"""

from __future__ import annotations

from dataclasses import replace

from rowbook.engine.strategy.checks.certain_values import is_certain
from rowbook.engine.strategy.stages import Situation, Stages, StartStage, steps_of
from rowbook.engine.strategy.step_analysis import own_columns, windows_of
from rowbook.expressions.bound import Bound
from rowbook.planning.join_condition import join_condition
from rowbook.planning.steps import AggregateStep, AnyStep, AppendStep, UpdateStep

_REASON = (
    "joined datasets are looked at before, if they are small: where each key stands there once,"
    " rows need not be looked at for a second match"
)


def look_at_keys(stages: Stages, situation: Situation) -> Stages:
    """Looks at the keys of joined datasets once, unless few rows are joined or some are shown.

    start, layer 1 (joins rates)  →  start (keys of rates are looked at), layer 1
    """
    steps = [step for each in stages for step in steps_of(each)]
    asked = any(not join_condition(join).by_row for step in steps for join in step.joins)
    options = situation.options
    few = options.few_rows or situation.has_local_rows or situation.ending == "preview"
    if few or not asked or not options.unique_keys:
        return stages
    uncertain = uncertain_columns(steps)
    return tuple(
        replace(each, uncertain=uncertain, reasons=(*each.reasons, _REASON))
        if isinstance(each, StartStage)
        else each
        for each in stages
    )


def uncertain_columns(steps: list[AnyStep]) -> frozenset[str]:
    """Columns that some operation gives a value which may be too large, or may be missing."""
    given = [pair for step in steps for pair in _given(step)]
    uncertain: set[str] = {name for name, tree in given if tree is None or not is_certain(tree)}
    while more := {
        name
        for name, tree in given
        if name not in uncertain and tree is not None and own_columns([tree]) & uncertain
    }:
        uncertain |= more
    return frozenset(uncertain)


def _given(step: AnyStep) -> list[tuple[str, Bound | None]]:
    """What a step gives columns; None where that comes from several rows."""
    match step:
        case UpdateStep():
            alone = not windows_of(step)
            return [(a.column, a.expression if alone else None) for a in step.assignments]
        case AggregateStep() | AppendStep():
            spread = step.spread if isinstance(step, AppendStep) else None
            parts: list[tuple[str, Bound | None]] = [(spread.column, None)] if spread else []
            return [*parts, *((value.column, value.expression) for value in step.values)]
        case _:
            return []
