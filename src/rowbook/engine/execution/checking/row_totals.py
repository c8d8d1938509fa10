"""Figures about all rows that are looked at: the measures of conditions without keys, and how many
rows violate a condition that may fail on a value. One pass for all of one frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.compiler import Compiler, is_constant
from rowbook.engine.execution.checking.row_views import RowView, unless_overflow
from rowbook.engine.execution.environment import Environment
from rowbook.engine.strategy.step_analysis import aggregates_in
from rowbook.expressions import types as t
from rowbook.expressions.bound import Aggregate, Bound
from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value
from rowbook.planning.steps import Result

CHECKED, VIOLATED = "checked", "violated"


@dataclass(frozen=True, slots=True)
class TotalRequest:
    """Measures of the rows of a view; with `that` how many of them there are, and violate it."""

    view: RowView
    measures: tuple[Result, ...] = ()
    that: Bound | None = None

    @property
    def _fields(self) -> list[Field]:
        if self.that is not None:
            return [Field(CHECKED, t.INTEGER), Field(VIOLATED, t.INTEGER)]
        return [Field(each.column, each.expression.type) for each in self.measures]

    def figures(self, environment: Environment) -> list[tuple[Field, Column]]:
        seen, compiler = self.view.seen(environment), environment.compiler
        if self.that is not None:
            faulty = F.when(seen, ~compiler.condition(self.that))
            made = [F.count(F.when(seen, F.lit(1))), F.count(F.when(faulty, F.lit(1)))]
        else:
            trees = [each.expression for each in self.measures]
            parts = {part: _of_rows(part, seen, compiler) for part in aggregates_in(trees)}
            made = [compiler.compile(tree, parts) for tree in trees]
        return list(zip(self._fields, made, strict=True))


def row_totals(
    requests: Sequence[TotalRequest], frame: DataFrame, environment: Environment
) -> list[Mapping[str, Value] | None]:
    """The figures of each; None where a value in it does not fit."""
    by_frame: dict[tuple[object, ...], list[int]] = {}
    for i, each in enumerate(requests):
        by_frame.setdefault(each.view.frame_key, []).append(i)
    found: dict[int, Mapping[str, Value] | None] = {}
    for places in by_frame.values():
        together = [requests[i] for i in places]
        joined = together[0].view.frame(frame, environment)
        found |= zip(places, _totals(together, joined, environment), strict=True)
    return [found[i] for i in range(len(requests))]


def _totals(
    requests: Sequence[TotalRequest], joined: DataFrame, environment: Environment
) -> list[Mapping[str, Value] | None]:
    made = [each.figures(environment) for each in requests]
    columns = [(field, value) for figures in made for field, value in figures]
    names = [Field(f"c{i}", field.type) for i, (field, _) in enumerate(columns)]

    def compute() -> list[Mapping[str, Value] | None]:
        totals = joined.agg(
            *(value.alias(name.name) for name, (_, value) in zip(names, columns, strict=True))
        )
        values = iter(collect(totals, names)[0].values())
        return [{field.name: next(values) for field, _ in figures} for figures in made]

    found = unless_overflow(compute)
    if found is not None:
        return found
    if len(requests) == 1:
        return [None]
    return [_totals([each], joined, environment)[0] for each in requests]


def _of_rows(part: Aggregate, rows: Column, compiler: Compiler) -> Column:
    """An aggregate of some rows, of which there may be none."""
    if part.argument is None:
        return F.count(F.when(rows, F.lit(1)))
    if is_constant(part):
        return F.max(F.when(rows, compiler.compile(part.argument)))
    return compiler.aggregate(part, rows)
