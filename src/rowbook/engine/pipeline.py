"""A plan on Spark: operations one after the other, counted, with failures explained.

Operations add to a lazy plan. It is computed where something must be known (an output), where it
would otherwise be computed twice (an aggregate reads the rows and adds to them), and where it has
grown long: Spark's analyser is slow, then overflows, on plans of hundreds of steps.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from rowbook.engine import operations
from rowbook.engine.collect import collect
from rowbook.engine.compile import Compiler
from rowbook.engine.context import RunContext
from rowbook.engine.failures import Part, explain, is_failure_of_spark
from rowbook.engine.frames import Count, Working, count_all, count_rows, counter_fields
from rowbook.engine.operations import Machinery, shown
from rowbook.engine.parts import parts_of
from rowbook.errors import Diagnostic, RowbookError
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

LONGEST_PLAN = 25
"""Steps after which a plan is computed; measured: 200 selects in a row take 11 s to analyse."""


class Reader(Protocol):
    """Where a run's data comes from."""

    def read(self, dataset: Dataset, *, keep_deleted: bool) -> DataFrame:
        """The dataset's rows: mapped, checked, filtered."""
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
    """An operation that is through."""

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
    done: list[Done] = field(default_factory=list)
    counts: dict[int, Count] = field(default_factory=dict)
    _machinery: Machinery = field(init=False)
    _pending: list[tuple[AnyStep, Working]] = field(default_factory=list)
    _loaded: dict[tuple[str, int], DataFrame] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._machinery = Machinery(
            self.context, Compiler(self.context), self._load, self.plan.input
        )

    def run(self) -> Working:
        """All operations; the final working dataset, computed and counted."""
        working = self._follow(self.plan.steps)
        doing = "the last operations"
        return self._counted(self._computed(working, doing))

    def collected(self) -> tuple[tuple[Field, ...], list[dict[str, Any]]]:
        """As `run`, for few rows: brought here and counted here, in one job less or two."""
        working = self._follow(self.plan.steps)
        fields = tuple(working.columns.fields.values())
        try:
            rows = collect(working.frame, (*fields, *counter_fields(working)))
        except Exception as error:
            raise self.explained(error, "the last operations") from error
        self.counts = count_rows(rows, working)
        return fields, [{f.name: row[f.name] for f in fields} for row in rows]

    def preview(self, after: int | None) -> Working:
        """The working dataset after an operation (None: after the last), with nothing written."""
        steps = (s for s in self.plan.steps if after is None or s.seq <= after)
        return self._follow(step for step in steps if not isinstance(step, OutputStep))

    def explained(self, error: Exception, doing: str) -> RowbookError:
        """A failure of a job, with operation and column."""
        if isinstance(error, RowbookError) or not is_failure_of_spark(error):
            raise error
        appends = {
            step.source.name: shown(step)
            for step, _ in self._pending
            if isinstance(step, AppendStep) and step.source.name != self.plan.input.name
        }
        return explain(error, list(self._parts()), self.reader.bad_values, appends, doing)

    def _load(self, dataset: Dataset) -> DataFrame:
        key = (dataset.id, dataset.version)
        if key not in self._loaded:
            self._loaded[key] = self.reader.read(dataset, keep_deleted=False)
        return self._loaded[key]

    def _follow(self, steps: Iterator[AnyStep] | tuple[AnyStep, ...]) -> Working:
        loaded = self.reader.read(self.plan.input, keep_deleted=True)
        working = operations.start(loaded, self._machinery, self.plan.columns)
        for step in steps:
            self.on_step(step)
            began = time.monotonic()
            working = self._apply(step, working)
            self.done.append(Done(step, int((time.monotonic() - began) * 1000)))
        return working

    def _apply(self, step: AnyStep, before: Working) -> Working:
        if before.depth >= LONGEST_PLAN or isinstance(step, AggregateStep | OutputStep):
            before = self._computed(before, shown(step))
        match step:
            case UpdateStep():
                after = operations.update(before, step, self._machinery)
            case DeleteStep():
                after = operations.delete(before, step, self._machinery)
            case AggregateStep():
                after = operations.aggregate(before, step, self._machinery)
            case AppendStep():
                after = operations.append(before, step, self._machinery)
            case OutputStep():
                self._write(step, before)
                after = before
        self._pending.append((step, before))
        return after

    def _write(self, step: OutputStep, working: Working) -> None:
        try:
            self.writer.write(step, operations.output(working, step, self._machinery))
        except Exception as error:
            self._counted(working)
            raise self.explained(error, shown(step)) from error

    def _computed(self, working: Working, doing: str) -> Working:
        """The same rows, computed; nothing to do where nothing is pending."""
        if working.computed:
            return working
        try:
            cut = working.cut()
        except Exception as error:
            raise self.explained(error, doing) from error
        self._pending.clear()
        return cut

    def _counted(self, working: Working) -> Working:
        self.counts = count_all(working)
        return working

    def _parts(self) -> Iterator[Part]:
        for step, before in self._pending:
            yield from parts_of(step, before, self._machinery)
