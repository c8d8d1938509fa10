"""A plan followed on plain rows, one operation after the other: what each of them leaves, and what
came of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from rowbook.errors import Diagnostic
from rowbook.planning.datasets import Dataset
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
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
from rowbook.reference.loading.dataset_rows import LoadedRows, SourceTables, load
from rowbook.reference.outputs import output
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.start import start
from rowbook.reference.updates import update
from rowbook.reference.working_rows import Overflows, WorkingRows
from rowbook.value_class import dataclass

Source: TypeAlias = Callable[[Dataset], SourceTables]
"""Where the rows of datasets come from; it is asked once for each."""


@dataclass(frozen=True, slots=True)
class StepCount:
    """What one operation did, for the ledger. `rows_in` and `rows_out` count visible rows."""

    seq: int
    rows_in: int
    matched: int
    added: int
    deleted: int

    @property
    def rows_out(self) -> int:
        return self.rows_in + self.added - self.deleted


@dataclass(frozen=True, slots=True)
class FinishedStep:
    """An operation that is through: what it did."""

    step: AnyStep
    effect: Effect
    count: StepCount


class Computation:
    """A plan being followed. Reading what did not fit, and what the data must not have, raises the
    error that a run would end with."""

    def __init__(self, plan: ProjectPlan, context: RunContext, source: Source) -> None:
        self._plan, self._source = plan, source
        self._loaded: dict[tuple[str, int], LoadedRows] = {}
        self._overflows = Overflows()
        self._environment = RunEnvironment(context, plan.input, self._load, self._overflows)

    @property
    def unread_overflow(self) -> Diagnostic | None:
        """The first value that did not fit: harmless where nothing read it."""
        return self._overflows.first

    def start(self) -> WorkingRows:
        """The working dataset before the first operation."""
        environment = self._environment
        tables = self._source(self._plan.input)
        loaded = load(self._plan.input, tables, environment.context, keep_deleted=True)
        return start(loaded, self._plan.columns, environment)

    def follow(self, working: WorkingRows) -> Iterator[FinishedStep]:
        """Each operation, when the one before it is through."""
        visible = sum(not row["_deleted"] for row in working.rows)
        for step in self._plan.steps:
            effect = self._apply(step, working)
            count = StepCount(step.seq, visible, effect.matched, effect.added, effect.deleted)
            yield FinishedStep(step, effect, count)
            working, visible = effect.working, count.rows_out

    def _apply(self, step: AnyStep, working: WorkingRows) -> Effect:
        match step:
            case UpdateStep():
                return update(working, step, self._environment)
            case DeleteStep():
                return delete(working, step, self._environment)
            case AggregateStep():
                return aggregate(working, step, self._environment)
            case AppendStep():
                return append(working, step, self._environment)
            case OutputStep():
                return output(working, step, self._environment)

    def _load(self, dataset: Dataset) -> LoadedRows:
        key = dataset.id, dataset.version
        if key not in self._loaded:
            context = self._environment.context
            self._loaded[key] = load(dataset, self._source(dataset), context, keep_deleted=False)
        return self._loaded[key]
