"""The parts of each operation that can fail on a value, for finding out which one did."""

from __future__ import annotations

from collections.abc import Iterator

from pyspark.sql import DataFrame

from rowbook.engine import frames
from rowbook.engine.compile import column
from rowbook.engine.failures import Part
from rowbook.engine.frames import Working
from rowbook.engine.operations import Machinery, aggregate, append, delete, update
from rowbook.planning.steps import AggregateStep, AnyStep, AppendStep, DeleteStep, UpdateStep


def parts_of(step: AnyStep, before: Working, machinery: Machinery) -> Iterator[Part]:
    """The selector of a row-wise operation and each result column, as frames that compute them
    alone."""
    if isinstance(step, UpdateStep | DeleteStep) and step.selector is not None:
        after = update if isinstance(step, UpdateStep) else delete
        name = frames.matched_name(step.seq)

        def picked() -> DataFrame:
            return after(before, step, machinery).frame.select(column(name))  # type: ignore[arg-type]

        yield Part(step.seq, step.name, "a value in its selector", "its type", picked)
    if not isinstance(step, UpdateStep | AggregateStep | AppendStep):
        return
    results = step.assignments if isinstance(step, UpdateStep) else step.results
    for result in results:
        name = result.column

        def frame(name: str = name) -> DataFrame:
            return _after(step, before, machinery).frame.select(column(name))

        kind = str(step.columns.fields[name].type)
        yield Part(step.seq, step.name, f"a value of column '{name}'", kind, frame)


def _after(
    step: UpdateStep | AggregateStep | AppendStep, before: Working, machinery: Machinery
) -> Working:
    match step:
        case UpdateStep():
            return update(before, step, machinery)
        case AggregateStep():
            return aggregate(before, step, machinery)
        case AppendStep():
            return append(before, step, machinery)
