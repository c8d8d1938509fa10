"""What violates an expectation, in a frame of rows or groups: samples of it, the worst first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.compiler import reference
from rowbook.engine.execution.checking.row_views import RowView, unless_overflow
from rowbook.engine.execution.environment import Environment
from rowbook.expectations.observation import MOST_SAMPLES, ViolationSample
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound
from rowbook.expressions.scope import Field
from rowbook.expressions.types import Type
from rowbook.planning.columns import ROW_ID
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.spark.column_names import column


@dataclass(frozen=True, slots=True)
class Violations:
    """Rows or groups of a frame, of which those that are `faulty` (never NULL) violate. `values`
    are what is told of one, `size` says how wrong it is, `missing` which side a group lacks."""

    frame: DataFrame
    faulty: Column
    values: Mapping[str, tuple[Column, Type]]
    size: Column | None = None
    row_id: Column | None = None
    missing: Column | None = None

    def samples(self) -> tuple[ViolationSample, ...]:
        found = unless_overflow(lambda: self._samples(self.size))
        return self._samples(None) if found is None else found

    def _samples(self, size: Column | None) -> tuple[ViolationSample, ...]:
        texts = [each if each is not None else F.lit(None) for each in (self.row_id, self.missing)]
        told = [*((text.cast("string"), t.STRING) for text in texts), *self.values.values()]
        fields = [Field(f"c{i}", kind) for i, (_, kind) in enumerate(told)]
        columns = [value.alias(f.name) for (value, _), f in zip(told, fields, strict=True)]
        sized = (F.lit(None).cast("bigint") if size is None else size).alias("size")
        in_order = [column(field.name).asc_nulls_last() for field in (fields[0], *fields[2:])]
        order = [column("size").desc_nulls_last(), *in_order]
        rows = self.frame.filter(self.faulty).select(sized, *columns)
        found = collect(rows.orderBy(*order).limit(MOST_SAMPLES), fields)
        return tuple(
            ViolationSample(dict(zip(self.values, values, strict=True)), row_id, missing)
            for row_id, missing, *values in (row.values() for row in found)
        )


def row_violations(
    expectation: Expectation, that: Bound, view: RowView, frame: DataFrame, environment: Environment
) -> Violations:
    compiler = environment.compiler
    seen, size = view.seen(environment), expectation.fault_size
    return Violations(
        view.frame(frame, environment),
        F.when(seen, ~compiler.condition(that)).otherwise(F.lit(False)),
        {name: _shown(name, view, environment) for name in expectation.show},
        None if size is None else compiler.compile(size),
        None if view.place.of_dataset else compiler.row_id(),
    )


def _shown(name: str, view: RowView, environment: Environment) -> tuple[Column, Type]:
    """A column of the row, or `alias.column` of what a join found."""
    fields = view.place.fields
    if name in fields:
        own = environment.compiler.row_id() if name == ROW_ID else column(name)
        return own, fields[name].type
    alias, _, shown = name.partition(".")
    join = next(each for each in view.joins if each.alias == alias)
    return reference(alias, shown), join.dataset.readable.fields[shown].type
