"""A plan followed once more, operation by operation, to see what each does to a total.

Nothing is written. Each operation costs a pass over the rows for a few of those it touched, and
another where it can change the total; the run itself computes operations together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.float_sums import float_sum
from rowbook.engine.compile.spark_types import sql_type
from rowbook.engine.counting.counters import SEQ, Flag
from rowbook.engine.execution.environment import Environment
from rowbook.engine.execution.failures.retry_parts import one_by_one
from rowbook.engine.execution.output_rows import output
from rowbook.engine.execution.start_rows import start
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import not_deleted
from rowbook.engine.measure.figures import Amount, Moved, Number, Sample, StepFigures
from rowbook.engine.measure.quarantine_steps import QuarantineSteps
from rowbook.engine.strategy.stages import Executors, Storage
from rowbook.engine.strategy.storage import rows_storage, summary_storage
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.planning.columns import PERIOD, ROW_ID, Columns
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
from rowbook.spark.column_names import column

_LONGEST_PLAN = 10
"""Operations and joins after which rows are kept: each is computed twice from there on."""

_WAS = "__was:"
"""Begins the names of what columns were before; no name of a column or an alias has a colon."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The total of a column, if any, and `rows` rows of each of the first `operations`."""

    column: str | None
    rows: int = 5
    operations: int = 200


@dataclass(slots=True)
class Measurer:
    """Follows a plan. `read` gives a dataset's rows, for the input with deleted ones."""

    plan: ProjectPlan
    context: RunContext
    read: Callable[..., DataFrame]
    wanted: Wanted
    executors: Executors = field(default_factory=Executors)
    _loaded: dict[tuple[str, int], DataFrame] = field(default_factory=dict)
    _taken: QuarantineSteps | None = None

    def figures(self) -> Iterator[StepFigures]:
        """Of the input, then of each operation, computed when asked for. Errors are Spark's own."""
        loaded = self.read(self.plan.input, keep_deleted=True, with_ids=True)
        compiler = Compiler(self.context, stored_ids=ROW_ID in loaded.columns)
        environment = Environment(self.context, compiler, self._load, self.plan.input)
        self._taken = taken = QuarantineSteps(
            self.plan, environment, summary_storage(self.executors)
        )
        working = taken.left(0, start(loaded, environment, self.plan.columns).uncounted())
        depth = 0
        amount = self._amount(working, ())[0]
        yield StepFigures(0, amount)
        for number, step in enumerate(self.plan.steps):
            sampled = number < self.wanted.operations
            if isinstance(step, OutputStep):
                sample = self._written(step, working, environment) if sampled else None
                working, amount = self._left(step, working, amount)
                yield StepFigures(step.seq, amount, None, sample)
                continue
            measured = _watched(step, working, environment, summary_storage(self.executors))
            after, moved = measured.after, None
            if self._may_move(step):
                amount, moved = self._amount(after, (measured.gained, measured.lost))
            sample = self._touched(measured) if sampled else None
            working = replace(after, columns=step.columns).uncounted()
            working, amount = self._left(step, working, amount)
            yield StepFigures(step.seq, amount, moved, sample)
            if isinstance(step, AppendStep) and step.source is None:
                depth *= 2  # rows, and those that are made from them
            depth += 1 + len(step.joins)
            if depth >= _LONGEST_PLAN:
                working, depth = working.checkpoint(rows_storage(self.executors)), 0

    def _load(self, dataset: Dataset) -> DataFrame:
        key = dataset.id, dataset.version
        if key not in self._loaded:
            self._loaded[key] = self.read(dataset, keep_deleted=False, with_ids=True)
        rows = self._loaded[key]
        return rows if self._taken is None else self._taken.loaded(dataset, rows)

    def _left(self, step: AnyStep, working: Working, amount: Amount) -> tuple[Working, Amount]:
        """Without the rows that expectations take out after a step, and the total of the others."""
        assert self._taken is not None
        left = self._taken.left(step.seq, working)
        return left, amount if left is working else self._amount(left, ())[0]

    def _may_move(self, step: AnyStep) -> bool:
        """Whether an operation gives the column values, or hides rows that have it."""
        name = self.wanted.column
        if name is None or name not in step.columns.fields:
            return False
        match step:
            case UpdateStep():
                return any(each.column == name for each in step.assignments)
            case AggregateStep():
                return name in step.keys or any(each.column == name for each in step.values)
            case AppendStep():
                return any(each.column == name for each in step.values)
            case DeleteStep():
                return True
            case OutputStep():
                return False

    def _amount(self, working: Working, touched: Sequence[_Part]) -> tuple[Amount, Moved | None]:
        """Rows and total, and apart from them what the touched rows gained and lost."""
        visible, name = not_deleted(), self.wanted.column
        sums = {"rows": F.count(F.when(visible, F.lit(1)))}
        measure = working.columns.fields.get(name) if name is not None else None
        if measure is not None:
            sums["total"] = sum_over(visible, column(measure.name), measure)
            for i, part in enumerate(touched):
                value = part.value(measure.name, working.columns)
                if value is not None:
                    sums[f"part_{i}"] = sum_over(part.rows, value, measure)
        (row,) = working.frame.agg(*(each.alias(key) for key, each in sums.items())).collect()
        found: dict[str, Any] = row.asDict()
        if measure is None:
            return Amount(found["rows"], None), None
        total, gained, lost = (
            total_number(found.get(key), measure) for key in ("total", "part_0", "part_1")
        )
        return Amount(found["rows"], total), Moved(gained, lost) if touched else None

    def _touched(self, measured: _Measured) -> Sample:
        fields = _shown(measured.step.columns)
        rows = measured.after.frame.filter(measured.gained.rows | measured.lost.rows)
        found = collect(rows, (*fields, *measured.was), self.wanted.rows)
        return Sample(
            fields,
            tuple({f.name: row[f.name] for f in fields} for row in found),
            tuple({f.name.removeprefix(_WAS): row[f.name] for f in measured.was} for row in found),
        )

    def _written(self, step: OutputStep, working: Working, environment: Environment) -> Sample:
        fields = tuple(step.columns.fields[name] for name in step.written)
        frame = output(working, step, environment)
        return Sample(fields, tuple(collect(frame, fields, self.wanted.rows)))


@dataclass(frozen=True, slots=True)
class _Part:
    """Rows that an operation touched, and under which name their values are: None for those it
    has, else those it had before."""

    rows: Column
    before: bool = False

    def value(self, name: str, columns: Columns) -> Column | None:
        wanted = f"{_WAS}{name}" if self.before else name
        return column(wanted) if wanted in columns.fields else None


@dataclass(frozen=True, slots=True)
class _Measured:
    """The working dataset after an operation, with what it was before beside it."""

    step: AnyStep
    after: Working
    gained: _Part
    lost: _Part
    was: tuple[Field, ...] = ()


def _watched(
    step: AnyStep, before: Working, environment: Environment, storage: Storage
) -> _Measured:
    nothing = _Part(F.lit(False))
    if isinstance(step, UpdateStep):
        fields = before.columns.fields
        changed = [fields[each.column] for each in step.assignments if each.column in fields]
        was = tuple(replace(each, name=f"{_WAS}{each.name}") for each in changed)
        kept = {each.name: column(each.name.removeprefix(_WAS)) for each in was}
        before = replace(
            before,
            frame=before.frame.withColumns(kept) if kept else before.frame,
            columns=before.columns.with_fields(was),
        )
        watched = replace(step, columns=step.columns.with_fields(was))
        after = one_by_one(watched, before, environment)
        picked = _picked(step, after)
        return _Measured(step, after, _Part(picked), _Part(picked, before=True), was)
    after = one_by_one(step, before, environment, keep=storage)
    if isinstance(step, DeleteStep):
        return _Measured(step, after, nothing, _Part(_picked(step, after)))
    return _Measured(step, after, _Part(column(SEQ).eqNullSafe(F.lit(step.seq))), nothing)


def _picked(step: AnyStep, after: Working) -> Column:
    """The rows that a row-wise operation picked, by the mark that it left on them."""
    (flag,) = (c for c in after.counters if isinstance(c, Flag) and c.seq == step.seq)
    return F.coalesce(column(flag.name).bitwiseAND(F.lit(1 << flag.bit)) != 0, F.lit(False))


def _shown(columns: Columns) -> tuple[Field, ...]:
    period = [f for f in columns.fields.values() if f.name == PERIOD.name]
    return (*columns.business, *period)


def sum_over(rows: Column, value: Column, measure: Field) -> Column:
    """The sum over some rows, with as much room as there is for one."""
    if measure.type.kind is t.Kind.FLOAT:
        return float_sum(F.when(rows, value))
    room = sql_type(t.decimal(t.MAX_PRECISION, measure.type.scale))
    return F.sum(F.when(rows, value.cast(room)))


def total_number(found: Any, measure: Field) -> Number:
    if measure.type.kind is t.Kind.FLOAT:
        return float(found or 0)
    return Decimal(0).scaleb(-measure.type.scale) if found is None else Decimal(found)
