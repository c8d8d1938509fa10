"""A plan on Spark: operations one after the other, counted, with failures explained.

Operations add to a lazy plan: row-wise ones layer by layer, others as rows that come to it. It is
computed where rows are written. What would be computed too often on the way is kept: the summary of
an aggregate that later operations read, all rows where many operations read them, and a plan that
has grown long, since Spark's analyser is slow, then overflows, on plans of hundreds of steps.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.row_ids import ROW_ID
from rowbook.engine.counting.by_group import GroupCounts, Tally, tally_of, touches_new_rows
from rowbook.engine.counting.counters import Count, Counter, count_rows, counter_fields, read_all
from rowbook.engine.counting.observed import Observed, can_observe
from rowbook.engine.execution import layers, operations
from rowbook.engine.execution.explain_failure import RetryPart, explain, is_failure_of_spark
from rowbook.engine.execution.joins import not_deleted
from rowbook.engine.execution.layers import Layer
from rowbook.engine.execution.machinery import Machinery, step_label
from rowbook.engine.execution.retry_parts import parts_of
from rowbook.engine.execution.rollups import Rollup, followers
from rowbook.engine.execution.working import KEPT_EFFORT, Working
from rowbook.engine.run_context import RunContext
from rowbook.engine.strategy.needed_columns import needed, unneeded
from rowbook.engine.strategy.options import Options
from rowbook.errors import Diagnostic, OperationRef, RowbookError
from rowbook.expressions.scope import Field
from rowbook.planning.datasets import Dataset
from rowbook.planning.project import ProjectPlan
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    AppendStep,
    DeleteStep,
    OutputStep,
    UpdateStep,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_KEEPING = 8.0
"""What keeping all rows costs, in the scans that it must save (docs/internals/spark-plans.md)."""


class Reader(Protocol):
    """Where a run's data comes from."""

    def read(self, dataset: Dataset, *, keep_deleted: bool, with_ids: bool) -> DataFrame:
        """The dataset's rows: mapped, checked, filtered; `with_ids` also with what tells them
        apart, where the source knows that."""
        ...

    def bad_values(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the values of what was read, found out after a job failed on it."""
        ...


class Writer(Protocol):
    """Where a run's outputs go."""

    def write(self, step: OutputStep, frame: DataFrame) -> None:
        """Write all or nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Done:
    """An operation that is through. Operations are computed together: most of the time goes to the
    one that has the rows written or kept."""

    step: AnyStep
    duration_ms: int


@dataclass(slots=True)
class Pipeline:
    """One run of a plan."""

    plan: ProjectPlan
    context: RunContext
    reader: Reader
    writer: Writer
    on_step: Callable[[AnyStep], None] = lambda _: None
    options: Options = field(default_factory=Options)
    written: frozenset[int] = frozenset()
    """Outputs that an earlier attempt of the run finished: they are not written again."""
    rewriting: frozenset[int] = frozenset()
    """Outputs that replace data which the run reads: all rows are computed before they are gone."""
    done: list[Done] = field(default_factory=list)
    counts: dict[int, Count] = field(default_factory=dict)
    _machinery: Machinery = field(init=False)
    _layer: Layer = field(default_factory=Layer)
    _start: Working = field(init=False)
    _since: list[AnyStep] = field(default_factory=list)
    """The operations since the plan was last computed, and the rows they began with."""
    _observed: OutputStep | None = None
    """The output beside which rows are counted, until they have been."""
    _tally: Tally | None = None
    _with_ids: bool = True
    _rollup: Rollup | None = None
    _loaded: dict[tuple[str, int], DataFrame] = field(default_factory=dict)

    def run(self, *, keep_all: bool = False) -> Working:
        """All operations, counted; the final working dataset, to be computed by who wants it: with
        `keep_all` no column of it has been dropped on the way."""
        working = self._follow(self.plan.steps, read_at_end=keep_all)
        try:
            if not any(isinstance(step, OutputStep) for step in self.plan.steps):
                self._compute(working)
            self._count(working)
        except Exception as error:
            raise self.explained(error, "the last operations") from error
        return working

    def collected(self) -> tuple[tuple[Field, ...], list[dict[str, Any]]]:
        """As `run`, for few rows: brought here and counted here, in one job less or two."""
        working = self._follow(self.plan.steps, read_at_end=True)
        fields = tuple(working.columns.fields.values())
        try:
            rows = collect(working.rows(self.context), (*fields, *counter_fields(working.counters)))
        except Exception as error:
            raise self.explained(error, "the last operations") from error
        self.counts |= count_rows(working.counters, rows)
        return fields, [{f.name: row[f.name] for f in fields} for row in rows]

    def preview(self, after: int | None) -> tuple[tuple[Field, ...], DataFrame]:
        """The columns and the visible rows after an operation (None: after the last), with nothing
        written."""
        steps = (s for s in self.plan.steps if after is None or s.seq <= after)
        kept = tuple(step for step in steps if not isinstance(step, OutputStep))
        working = self._follow(kept, read_at_end=True)
        rows = working.rows(self.context).filter(not_deleted())
        return tuple(working.columns.fields.values()), rows

    def explained(self, error: Exception, doing: str | OperationRef) -> RowbookError:
        """A failure of a job, with operation and column."""
        if isinstance(error, RowbookError) or not is_failure_of_spark(error):
            raise error
        appends = {
            step.source.name: step_label(step)
            for step in self._since
            if isinstance(step, AppendStep) and step.source.name != self.plan.input.name
        }
        operations = [step_label(step) for step in self.plan.steps]
        return explain(error, self._parts, self.reader.bad_values, appends, doing, operations)

    def _load(self, dataset: Dataset) -> DataFrame:
        key = (dataset.id, dataset.version)
        if key not in self._loaded:
            self._loaded[key] = self.reader.read(
                dataset, keep_deleted=False, with_ids=self._with_ids
            )
        return self._loaded[key]

    def _follow(self, steps: Sequence[AnyStep], *, read_at_end: bool) -> Working:
        """The working dataset after all steps."""
        self._with_ids = read_at_end or ROW_ID in needed(steps)
        loaded = self.reader.read(self.plan.input, keep_deleted=True, with_ids=self._with_ids)
        compiler = Compiler(self.context, stored_ids=ROW_ID in loaded.columns)
        self._machinery = Machinery(
            self.context, compiler, self._load, self.plan.input, self.options
        )
        working = operations.start(
            loaded, self._machinery, self.plan.columns, with_ids=self._with_ids
        )
        self._start = working
        self._observed = self._observed_output(steps, working)
        if self.options.ledger and self.options.segments and not read_at_end:
            self._tally = tally_of(steps)
        for i, step in enumerate(steps):
            self.on_step(step)
            began = time.monotonic()
            later = _Later(steps[i + 1 :], read_at_end)
            working = self._apply(step, working, later)
            self.done.append(Done(step, int((time.monotonic() - began) * 1000)))
        return self._flushed(working)

    def _observed_output(self, steps: Sequence[AnyStep], working: Working) -> OutputStep | None:
        """The output beside which rows are counted: one after which no operation changes them,
        best one that passes all rows anyway."""
        if not self.options.ledger or not can_observe(working.frame):
            return None
        last: list[OutputStep] = []
        for step in reversed(steps):
            if not isinstance(step, OutputStep):
                break
            if step.seq not in self.written:
                last.insert(0, step)
        return next((step for step in last if step.selector is None), last[0] if last else None)

    def _apply(self, step: AnyStep, working: Working, later: _Later) -> Working:
        if isinstance(step, UpdateStep | DeleteStep):
            if not (self.options.layers and self._layer.take(step)):
                working = self._flushed(working, (step, *later.steps), later)
                self._layer.take(step)
            return working
        working = self._flushed(working, (step, *later.steps), later)
        match step:
            case AggregateStep():
                return self._aggregated(step, working, later)
            case AppendStep():
                after = operations.append(working, step, self._machinery)
                self._since.append(step)
                return after
            case OutputStep() if step.seq in self.written:
                return working
            case OutputStep():
                return self._output(step, working, later)

    def _aggregated(self, step: AggregateStep, working: Working, later: _Later) -> Working:
        rollup = self._rollup_for(step, later)
        if not (rollup and rollup.makes(step)):
            spared = len(rollup.steps) - 1 if rollup else 0
            working = self._kept_if_worth(working, step, later, spared)
        keep = self.options.segments and (later.reads > 1 or rollup is not None)
        counts, observed = None, None
        if keep and self._counts_with(step, working, later, rollup):
            if self._tally and step is self._tally.step:
                counts = GroupCounts(working.counters)
            elif self._observed is not None:
                observed = Observed(working)
        self._since.append(step)
        try:
            after = operations.aggregate(
                working,
                step,
                self._machinery,
                observed=observed.frame if observed else None,
                counts=counts,
                keep=keep,
                rollup=rollup,
            )
        except Exception as error:
            raise self.explained(error, step_label(step)) from error
        if counts is not None:
            return self._counted(after, counts.counters, counts.counts)
        return self._read_counts(after, observed)

    def _counts_with(
        self, step: AggregateStep, working: Working, later: _Later, rollup: Rollup | None
    ) -> bool:
        """Whether rows are best counted by the job of an aggregate. It reads few columns of them,
        so that counting is cheaper than beside an output; if nothing but its summary changes until
        then, nothing else is left to count there."""
        if not working.counters or later.read_at_end:
            return False
        reads_rows = rollup is None or not rollup.makes(step)
        return reads_rows and touches_new_rows(step, later.steps)

    def _read_counts(self, working: Working, observed: Observed | None) -> Working:
        """After the job of an observed frame: without the counters that were read by it."""
        counts = observed.counts() if observed else None
        if observed is None or counts is None:
            return working
        return self._counted(working, observed.counters, counts)

    def _counted(
        self, working: Working, read: Sequence[Counter], counts: dict[int, Count]
    ) -> Working:
        self.counts |= counts
        self._observed = None
        return working.uncounted(read)

    def _rollup_for(self, step: AggregateStep, later: _Later) -> Rollup | None:
        """The levels of totals that a step is one of."""
        if not self.options.segments:
            return None
        if self._rollup is None or not self._rollup.makes(step):
            following = followers(step, later.steps)
            self._rollup = Rollup(step, following) if following else None
        return self._rollup

    def _output(self, step: OutputStep, working: Working, later: _Later) -> Working:
        if step.seq not in self.rewriting:
            working = self._kept_if_worth(working, step, later)
            return self._write(step, working, later)
        working = self._cut(working, (step, *later.steps), later, step_label(step))
        after = self._write(step, working, later)
        self._loaded.clear()
        return after

    def _write(self, step: OutputStep, working: Working, later: _Later) -> Working:
        """Writes; where rows are counted on the way, the counters are read then."""
        observed = Observed(working) if step is self._observed and working.counters else None
        rows = replace(working, frame=observed.frame) if observed else working
        try:
            self.writer.write(step, operations.output(rows, step, self._machinery))
        except Exception as error:
            explained = (
                self.explained(error, step_label(step)) if is_failure_of_spark(error) else None
            )
            self._count_if_possible(working)
            if explained is None:
                raise
            raise explained from error
        return self._read_counts(working, observed)

    def _flushed(
        self, working: Working, ahead: Sequence[AnyStep] = (), later: _Later | None = None
    ) -> Working:
        """With the pending layer applied; and computed, where the plan has grown long."""
        if self._layer.steps:
            unmarked = self._tally.by_group if self._tally else frozenset[int]()
            working = layers.apply(working, self._layer, self._machinery, unmarked)
            self._since += self._layer.steps
            self._layer = Layer()
        if later is not None and working.depth >= self.options.longest_plan:
            working = self._cut(working, ahead, later, step_label(ahead[0]))
        return working

    def _kept_if_worth(
        self, working: Working, step: AnyStep, later: _Later, spared: int = 0
    ) -> Working:
        """Rows that many operations read are computed once; `spared` is how many of them will not
        read the rows after all."""
        saved = (later.reads - spared) * (working.effort - KEPT_EFFORT)
        if (saved > _KEEPING) if self.options.segments else working.depth:
            return self._cut(working, (step, *later.steps), later, step_label(step))
        return working

    def _cut(
        self, working: Working, ahead: Sequence[AnyStep], later: _Later, doing: OperationRef
    ) -> Working:
        """The same rows, computed and counted so far, without the columns nobody reads again."""
        unread = () if later.read_at_end else unneeded(working.columns, ahead)
        try:
            cut = working.cut(unread)
            self._count(cut)
        except Exception as error:
            raise self.explained(error, doing) from error
        self._since.clear()
        self._start = cut.uncounted()
        return self._start

    def _compute(self, working: Working) -> None:
        """All rows with all columns, written nowhere: a project without outputs is run to see
        whether it runs."""
        working.rows(self.context).write.format("noop").mode("overwrite").save()

    def _count(self, working: Working) -> None:
        """Reads the counters in a pass of their own."""
        if working.counters:
            self.counts |= read_all(working.counters, working.frame)

    def _count_if_possible(self, working: Working) -> None:
        """For the ledger of a run that failed; rows that cannot be computed are not counted."""
        try:
            self._count(working)
        except Exception as error:
            if not is_failure_of_spark(error):
                raise

    def _parts(self) -> Iterator[RetryPart]:
        return parts_of([*self._since, *self._layer.steps], self._start, self._machinery)


@dataclass(frozen=True, slots=True)
class _Later:
    """What comes after an operation."""

    steps: Sequence[AnyStep]
    read_at_end: bool

    @property
    def reads(self) -> int:
        """How often the rows are read as a whole from here on."""
        readers = sum(isinstance(step, AggregateStep | OutputStep) for step in self.steps)
        return readers + self.read_at_end
