"""Stages on few rows at the driver, without Spark: a job of it takes longer than these rows do.

The reference engine computes them, and looks at expectations. Spark goes on where there are too
many values, where something is wrong with one, and with outputs that only Spark can write.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from rowbook.engine.counting.counters import Count
from rowbook.engine.execution.checking.local_checks import LocalChecks
from rowbook.engine.execution.driver.driver_rows import DriverRows
from rowbook.engine.strategy.local_rows import ComputedStage, values_of
from rowbook.engine.strategy.stages import (
    AggregateStage,
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
from rowbook.expressions.values import Value
from rowbook.planning.datasets import Dataset
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    AppendStep,
    DeleteStep,
    OutputStep,
    UpdateStep,
)
from rowbook.reference.aggregates import aggregate
from rowbook.reference.appends import append
from rowbook.reference.deletes import delete
from rowbook.reference.effect import Effect
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.outputs import output
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.updates import update
from rowbook.reference.working_rows import Overflows, WorkingRows

WriteHere: TypeAlias = Callable[[OutputStep, Sequence[Mapping[str, Value]]], bool]
"""Writes rows without Spark; False where only Spark can, and nothing was written."""


@dataclass(slots=True)
class DriverStages:
    """`counts` are those of the operations that were computed here, and of the input."""

    checks: LocalChecks
    write: WriteHere
    counts: dict[int, Count] = field(default_factory=dict)

    def after(self, stage: Stage, rows: DriverRows) -> DriverRows | None:
        """The rows after a stage; None where Spark has to go on with those before it."""
        match stage:
            case LayerStage() | AppendStage() | AggregateStage():
                effect = self._effect(stage, rows)
                return None if effect is None else rows.after(effect.working)
            case OutputStage(done=False):
                effect = self._effect(stage, rows)
                if effect is None or effect.written is None:
                    return None
                return rows if self.write(stage.step, effect.written) else None
            case CheckStage():
                rows = self.checks.look(stage, rows)
                if stage.step is None:  # what is taken out of the input was never there
                    self.counts[0] = Count(rows.visible)
                return rows
            case CheckpointStage():
                return rows.without(stage.dropped)
            case OutputStage() | StartStage() | EndStage():
                return rows

    def _effect(self, stage: ComputedStage, rows: DriverRows) -> Effect | None:
        """What the last operation of a stage leaves; None where there are too many values, or
        something is wrong: Spark says what."""
        environment = RunEnvironment(rows.context, self.checks.plan.input, self._load, Overflows())
        working, counts = rows.working, dict[int, Count]()
        effect = None
        try:
            if values_of(stage, len(working.rows), self._size) > stage.local_values:
                return None
            for step in steps_of(stage):
                effect = _effect(step, working, environment)
                working, counts[step.seq] = effect.working, Count(effect.matched, effect.added)
        except _NotHereError:
            return None
        except RowbookError as error:
            if error.has("RUN_011"):
                raise
            return None
        if environment.overflows.first is not None:
            return None
        if not isinstance(stage, OutputStage):
            self.counts |= counts
        return effect

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
        case AggregateStep():
            return aggregate(working, step, environment)
        case OutputStep():
            return output(working, step, environment)
