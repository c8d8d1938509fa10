"""The parts of each operation that can fail on a value, for finding out which one did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pyspark.sql import DataFrame

from rowbook.engine.counting.counters import Flag
from rowbook.engine.execution.append_rows import append
from rowbook.engine.execution.environment import Environment
from rowbook.engine.execution.failures.explain_failure import RetryPart
from rowbook.engine.execution.row_wise import apply_layer, seen_rows
from rowbook.engine.execution.summary import aggregate
from rowbook.engine.execution.working import Working
from rowbook.engine.strategy.layers import single_layer
from rowbook.engine.strategy.stages import AggregateStage, Storage
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    AppendStep,
    DeleteStep,
    OutputStep,
    UpdateStep,
)
from rowbook.spark.column_names import column, joined_name


def parts_of(
    steps: Sequence[AnyStep], start: Working, environment: Environment
) -> Iterator[RetryPart]:
    """The selectors of row-wise operations and each result column, as frames that compute them
    alone: the operations once more, one by one, from where the plan was last computed."""
    plain = replace(environment, ledger=True)
    before = start
    for step in steps:
        yield from _parts_of(step, before, plain)
        before = one_by_one(step, before, plain)


def one_by_one(
    step: AnyStep, before: Working, environment: Environment, *, keep: Storage | None = None
) -> Working:
    """With `keep` summaries are computed at once, for who reads the rows more than once."""
    return environment.left(step.seq, _after(step, before, environment, keep))


def _after(
    step: AnyStep, before: Working, environment: Environment, keep: Storage | None
) -> Working:
    match step:
        case UpdateStep() | DeleteStep():
            return apply_layer(before, single_layer(step), environment)
        case AggregateStep():
            kept = keep is not None
            stage = AggregateStage(step, keep=kept, storage=keep or Storage())
            return aggregate(before, stage, environment)
        case AppendStep():
            return append(before, step, environment)
        case OutputStep():
            return before


def _window_parts(
    step: UpdateStep, before: Working, environment: Environment
) -> Iterator[RetryPart]:
    for window in step.windows:
        for value in window.values:
            name = joined_name(window.alias, value.column)

            def frame(name: str = name) -> DataFrame:
                rows = seen_rows(before, single_layer(step), environment)
                return rows.select(column(name))

            what = f"a value of '{window.alias}.{value.column}'"
            yield RetryPart(step.seq, step.name, what, str(value.expression.type), frame)


def _parts_of(step: AnyStep, before: Working, environment: Environment) -> Iterator[RetryPart]:
    if isinstance(step, OutputStep):
        return
    after = _after(step, before, environment, None)
    if isinstance(step, UpdateStep):
        yield from _window_parts(step, before, environment)
    if isinstance(step, UpdateStep | DeleteStep) and step.selector is not None:
        flags = [c.name for c in after.counters if isinstance(c, Flag) and c.seq == step.seq]

        def picked() -> DataFrame:
            return after.frame.select(*map(column, flags))

        yield RetryPart(step.seq, step.name, "a value in its selector", "its type", picked)
    if isinstance(step, DeleteStep):
        return
    results = step.assignments if isinstance(step, UpdateStep) else step.values
    for result in results:
        name = result.column
        if name in before.dropped:
            continue

        def frame(name: str = name) -> DataFrame:
            return after.frame.select(column(name))

        kind = str(step.columns.fields[name].type)
        yield RetryPart(step.seq, step.name, f"a value of column '{name}'", kind, frame)
