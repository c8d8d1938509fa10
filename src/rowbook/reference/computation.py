"""A plan followed on plain rows, one operation after the other: what each of them leaves, and what
came of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TypeAlias

from rowbook.errors import Diagnostic
from rowbook.expectations.observation import Observation
from rowbook.expressions.values import Value
from rowbook.planning.datasets import Dataset
from rowbook.planning.expectations.expectation_plan import CheckPoint, Expectation
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
from rowbook.reference.expectations.run_checkpoints import (
    RunCheckpoints,
    TakenRows,
    dataset_point,
)
from rowbook.reference.loading.dataset_rows import (
    LoadedRows,
    RowPosition,
    SourceTables,
    load,
)
from rowbook.reference.outputs import output, output_rows
from rowbook.reference.row_subset import EVERYTHING, RowSubset
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.start import start
from rowbook.reference.subset_rows import partial_groups
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
    quarantined: int = 0
    """Rows that expectations took out after it."""

    @property
    def rows_out(self) -> int:
        return self.rows_in + self.added - self.deleted - self.quarantined


@dataclass(frozen=True, slots=True)
class LookedAt:
    """Rows as they were before expectations looked at them, and those that these took out."""

    rows: WorkingRows
    taken: TakenRows


@dataclass(frozen=True, slots=True)
class FinishedStep:
    """An operation that is through: what it did. Rows that expectations took out after it are not
    in its effect any more, but in what it `left`."""

    step: AnyStep
    effect: Effect
    count: StepCount
    left: LookedAt


class Computation:
    """A plan being followed. Reading what did not fit, and what the data must not have, raises the
    error that a run would end with."""

    def __init__(
        self,
        plan: ProjectPlan,
        context: RunContext,
        source: Source,
        subset: RowSubset = EVERYTHING,
    ) -> None:
        self._plan, self._source = plan, source
        self._loaded: dict[tuple[str, int], LoadedRows] = {}
        self._overflows = Overflows()
        self.environment = RunEnvironment(context, plan.input, self._load, self._overflows, subset)
        self._checkpoints = RunCheckpoints(plan, self.environment)
        self.started: LookedAt | None = None
        """The working dataset as it began."""
        self.taken_of: dict[tuple[str, int], dict[RowPosition, Expectation]] = {}
        """What expectations took of other datasets, by id and version, and by where it stood."""

    @property
    def unread_overflow(self) -> Diagnostic | None:
        """The first value that did not fit: harmless where nothing read it."""
        return self._overflows.first

    @property
    def observations(self) -> tuple[tuple[Expectation, Observation], ...]:
        """What was seen of the plan's expectations, when all operations are through."""
        return self._checkpoints.observations

    @property
    def quarantine(self) -> Sequence[dict[str, Value]]:
        """The rows that expectations took out, in the order of the table's columns."""
        return self._checkpoints.quarantine

    def start(self) -> WorkingRows:
        """The working dataset before the first operation."""
        environment = self.environment
        tables = self._source(self._plan.input)
        loaded = load(self._plan.input, tables, environment.context, keep_deleted=True)
        working = start(loaded, self._plan.columns, environment)
        first = self._plan.steps[0] if self._plan.steps else None
        seqs = self._checkpoints.seqs(1, first.seq if first else None)
        points = (CheckPoint("input"), *map(_after, seqs))
        remaining, taken, _ = self._remaining(working, points, first)
        self.started = LookedAt(working, taken)
        return remaining

    def follow(self, working: WorkingRows) -> Iterator[FinishedStep]:
        """Each operation, when the one before it is through."""
        visible = sum(not row["_deleted"] for row in working.rows)
        steps = self._plan.steps
        for step, following in zip_longest(steps, steps[1:]):
            left = self._apply(step, working)
            effect, taken, quarantined = self._looked_at(step, left, following)
            count = StepCount(
                step.seq, visible, effect.matched, effect.added, effect.deleted, quarantined
            )
            yield FinishedStep(step, effect, count, LookedAt(left.working, taken))
            working, visible = effect.working, count.rows_out
        self._checkpoints.reach(CheckPoint("end"), working.rows)
        self._checkpoints.finish()

    def _looked_at(
        self, step: AnyStep, effect: Effect, following: AnyStep | None
    ) -> tuple[Effect, TakenRows, int]:
        """What an operation left, without the rows that expectations take out; which those are, and
        how many visible ones."""
        checkpoints = self._checkpoints
        checkpoints.matched(step.seq, effect.matched)
        at_output = CheckPoint("output", step.seq)
        if isinstance(step, OutputStep) and checkpoints.has(at_output):
            written = output_rows(effect.working, step, self.environment)
            checkpoints.reach(at_output, [row[None] for row in written])
        seqs = checkpoints.seqs(step.seq, following.seq if following else None)
        points = list(map(_after, seqs))
        working, taken, quarantined = self._remaining(effect.working, points, following)
        return replace(effect, working=working), taken, quarantined

    def _remaining(
        self, working: WorkingRows, points: Sequence[CheckPoint], following: AnyStep | None
    ) -> tuple[WorkingRows, TakenRows, int]:
        """What expectations leave of rows, and what of these the next operation is shown."""
        taken, quarantined = dict[int, Expectation | None](), 0
        kept: Sequence[int] = range(len(working.rows))
        for point in points:
            left = self._checkpoints.reach(point, working.rows)
            if left.taken:
                taken |= {kept[place]: expectation for place, expectation in left.taken.items()}
                kept = [kept[place] for place in left.kept]
                rows = [working.rows[place] for place in left.kept]
                working = WorkingRows(working.columns, rows)
                quarantined += left.quarantined
        gone = partial_groups(following, working.rows, self.environment)
        if gone:
            taken |= dict.fromkeys(kept[place] for place in gone)
            rows = [row for place, row in enumerate(working.rows) if place not in gone]
            working = WorkingRows(working.columns, rows)
        return working, taken, quarantined

    def _apply(self, step: AnyStep, working: WorkingRows) -> Effect:
        match step:
            case UpdateStep():
                return update(working, step, self.environment)
            case DeleteStep():
                return delete(working, step, self.environment)
            case AggregateStep():
                return aggregate(working, step, self.environment)
            case AppendStep():
                return append(working, step, self.environment)
            case OutputStep():
                return output(working, step, self.environment)

    def _load(self, dataset: Dataset) -> LoadedRows:
        key = dataset.id, dataset.version
        if key not in self._loaded:
            context = self.environment.context
            loaded = load(dataset, self._source(dataset), context, keep_deleted=False)
            self._loaded[key] = loaded
            left = self._checkpoints.reach(dataset_point(dataset), loaded.rows)
            if left.taken:
                self._loaded[key] = loaded.only(left.kept)
                positions = {
                    loaded.positions[place]: each for place, each in left.taken.items() if each
                }
                self.taken_of[key] = positions
        return self._loaded[key]


def _after(seq: int) -> CheckPoint:
    return CheckPoint("after", seq)
