"""Stages on few rows at the driver, without Spark: a job of it takes longer than these rows do.

The reference engine computes row-wise operations and appends, and looks at expectations. Totals and
outputs are Spark's.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rowbook.engine.counting.counters import Count
from rowbook.engine.execution.checking.local_checks import LocalChecks
from rowbook.engine.execution.driver.driver_rows import DriverRows
from rowbook.engine.strategy.local_rows import values_of
from rowbook.engine.strategy.stages import (
    AppendStage,
    CheckpointStage,
    CheckStage,
    EndStage,
    LayerStage,
    OutputStage,
    Stage,
    StartStage,
    steps_of,
)
from rowbook.errors import RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.planning.steps import AnyStep, AppendStep, DeleteStep, UpdateStep
from rowbook.reference.appends import append
from rowbook.reference.deletes import delete
from rowbook.reference.effect import Effect
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.updates import update
from rowbook.reference.working_rows import Overflows, WorkingRows


@dataclass(slots=True)
class DriverStages:
    """`counts` are those of the operations that were computed here, and of the input."""

    checks: LocalChecks
    counts: dict[int, Count] = field(default_factory=dict)

    def after(self, stage: Stage, rows: DriverRows) -> DriverRows | None:
        """The rows after a stage; None where Spark has to go on with those before it."""
        match stage:
            case LayerStage() | AppendStage():
                return self._computed(stage, rows)
            case CheckStage():
                rows = self.checks.look(stage, rows)
                if stage.step is None:  # what is taken out of the input was never there
                    self.counts[0] = Count(rows.visible)
                return rows
            case CheckpointStage():
                return rows.without(stage.dropped)
            case OutputStage(done=True) | StartStage() | EndStage():
                return rows
            case _:
                return None

    def _computed(self, stage: LayerStage | AppendStage, rows: DriverRows) -> DriverRows | None:
        """None too where something is wrong: Spark says what."""
        environment = RunEnvironment(rows.context, self.checks.plan.input, self._load, Overflows())
        working, counts = rows.working, dict[int, Count]()
        try:
            if values_of(stage, len(working.rows), self._size) > stage.local_values:
                return None
            for step in steps_of(stage):
                effect = _effect(step, working, environment)
                working, counts[step.seq] = effect.working, Count(effect.matched, effect.added)
        except (RowbookError, _NotHereError):
            return None
        if environment.overflows.first is not None:
            return None
        self.counts |= counts
        return rows.after(working)

    def _load(self, dataset: Dataset) -> LoadedRows:
        if (loaded := self.checks.load_here(dataset)) is None:
            raise _NotHereError
        return loaded

    def _size(self, dataset: Dataset) -> int:
        return len(self._load(dataset).rows)


class _NotHereError(Exception):
    """Only Spark can load a dataset."""


def _effect(step: AnyStep, working: WorkingRows, environment: RunEnvironment) -> Effect:
    match step:
        case UpdateStep():
            return update(working, step, environment)
        case DeleteStep():
            return delete(working, step, environment)
        case AppendStep():
            return append(working, step, environment)
        case _:
            raise AssertionError(f"Spark computes operation {step.seq}")
