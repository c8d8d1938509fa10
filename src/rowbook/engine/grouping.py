"""Rows grouped: what an aggregate, or an append's aggregation, computes for each group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pyspark.sql import Column, DataFrame

from rowbook.engine.compile import Compiler
from rowbook.engine.counting import TAKEN
from rowbook.engine.names import column
from rowbook.expressions.bound import Aggregate
from rowbook.planning.columns import PERIOD
from rowbook.planning.steps import AggregateStep, AppendStep


@dataclass(frozen=True, slots=True)
class Grouping:
    """Rows and their keys; how many rows a group is made from; aggregates that are made otherwise
    than from rows; and what else is computed for each group."""

    frame: DataFrame
    keys: tuple[str, ...]
    taken: Column
    made: Mapping[Aggregate, Column] = field(default_factory=dict)
    beside: Mapping[str, Column] = field(default_factory=dict)

    def with_parts(self, parts: Mapping[Aggregate, str], compiler: Compiler) -> Grouping:
        """With aggregates that others are to be made from, by name."""
        return replace(self, beside={name: compiler.compile(p) for p, name in parts.items()})

    def grouped(
        self, step: AggregateStep | AppendStep, compiler: Compiler
    ) -> tuple[DataFrame, dict[str, Column]]:
        """One row a group with the number of rows it was made from, and where each result
        stands."""
        results = {f"__result_{i}": r for i, r in enumerate(step.results)}
        summary = self.frame.groupBy(*map(column, self.keys)).agg(
            self.taken.alias(TAKEN),
            *(value.alias(name) for name, value in self.beside.items()),
            *(compiler.compile(r.expression, self.made).alias(n) for n, r in results.items()),
        )
        keys = [key for key in self.keys if not key.startswith("_") or key == PERIOD.name]
        given = {key: column(key) for key in keys}
        return summary, given | {r.column: column(name) for name, r in results.items()}
