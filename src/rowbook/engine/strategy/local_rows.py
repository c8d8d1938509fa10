"""Few rows: loaded at the driver, and brought back to it whenever they are computed.

Spark analyses a plan as a whole with every step that is added to it, and optimises it for every
job. Of few rows that is all that takes time, so plans begin anew from the rows themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from rowbook.engine.strategy.stages import (
    AggregateStage,
    AppendStage,
    CheckpointStage,
    CheckStage,
    LayerStage,
    OutputStage,
    Situation,
    Stage,
    Stages,
    StartStage,
    Storage,
)
from rowbook.engine.strategy.step_analysis import RowWise
from rowbook.planning.datasets import Dataset
from rowbook.planning.join_condition import join_condition
from rowbook.planning.steps import AggregateStep, AppendStep, DeleteStep, OutputStep, UpdateStep

_PICKED = 4
"""One of so many rows is picked by a selector, about."""

ComputedStage: TypeAlias = LayerStage | AppendStage | AggregateStage | OutputStage
"""Those that compute values."""

_LOADED = "few rows: they are loaded here, and Spark starts only where it is needed"
_WRITTEN = "few rows: they are written from here where the format allows"
_KEPT = "few rows: what is computed is brought here, counted, and goes on from here"
_COMPUTED = "few rows: computed here, up to {:,} values"


def start_locally(stages: Stages, situation: Situation) -> Stages:
    """Loads few rows here, computes here what is cheap, keeps summaries and checkpoints here, and
    writes from here.

    start, checkpoint, output 1  →  start (local), checkpoint (at the driver), output 1 (local)
    """
    if not situation.has_local_rows:
        return stages
    return tuple(_local(each, situation.options.local_values) for each in stages)


def values_of(stage: ComputedStage, rows: int, size: Callable[[Dataset], int]) -> int:
    """About how many values a stage computes of so many rows; `size` is that of a dataset."""
    match stage:
        case LayerStage():
            return sum(_values(step, rows, size) for step in stage.steps)
        case AppendStage() if stage.step.source is not None:
            return _values(stage.step, size(stage.step.source), size)
        case _:
            return _values(stage.step, rows, size)


def _values(
    step: RowWise | AppendStep | AggregateStep | OutputStep,
    rows: int,
    size: Callable[[Dataset], int],
) -> int:
    """A join without keys looks at each pair of rows; one with many matches may find as many."""
    picked = rows if step.selector is None else rows // _PICKED
    looked_at = rows
    for join in step.joins:
        pairs = size(join.dataset) if join.many or not join_condition(join).keys else 1
        looked_at += (picked if join.many else rows) * pairs
        picked *= pairs if join.many else 1
    match step:
        case UpdateStep():
            results = len(step.assignments)
            looked_at += rows * sum(len(window.values) for window in step.windows)
        case AppendStep():
            results = len(step.values)
        case AggregateStep():
            picked = rows
            results = sum(len(each.keys) + len(step.results) for each in step.groupings)
        case OutputStep():
            picked = rows
            results = len(step.written)
        case DeleteStep():
            results = 0
    return looked_at + picked * results


def _local(stage: Stage, values: int) -> Stage:
    match stage:
        case LayerStage() | AppendStage() if values:
            reason = _COMPUTED.format(values)
            return replace(stage, local_values=values, reasons=(*stage.reasons, reason))
        case StartStage():
            return replace(stage, local=True, reasons=(*stage.reasons, _LOADED))
        case AggregateStage():
            kept = replace(stage, storage=Storage("driver"), local_values=values)
            reason = _COMPUTED.format(values) if values else _KEPT
            return replace(kept, reasons=(*stage.reasons, reason))
        case CheckpointStage():
            return replace(stage, storage=Storage("driver"), reasons=(*stage.reasons, _KEPT))
        case CheckStage():
            return replace(stage, storage=Storage("driver"))
        case OutputStage(done=False):
            written = replace(stage, local=True, local_values=values)
            return replace(written, reasons=(*stage.reasons, _WRITTEN))
        case _:
            return stage
