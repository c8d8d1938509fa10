"""The parts of each operation that can fail on a value, for finding out which one did."""

from __future__ import annotations

from collections.abc import Iterator

from pyspark.sql import DataFrame

from rowbook.engine.compile import column
from rowbook.engine.failures import Part
from rowbook.engine.frames import Working
from rowbook.engine.operations import Machinery, aggregate, append, update
from rowbook.planning.steps import AggregateStep, AnyStep, AppendStep, UpdateStep


def parts_of(step: AnyStep, before: Working, machinery: Machinery) -> Iterator[Part]:
    """Each result column of an operation, as a frame that computes it alone."""
    if not isinstance(step, UpdateStep | AggregateStep | AppendStep):
        return
    results = step.assignments if isinstance(step, UpdateStep) else step.results
    for result in results:
        name = result.column

        def frame(name: str = name) -> DataFrame:
            return _after(step, before, machinery).frame.select(column(name))

        kind = str(step.columns.fields[name].type)
        yield Part(step.seq, step.name, name, kind, frame)


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
