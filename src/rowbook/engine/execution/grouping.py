"""Rows grouped: what an aggregate, or an append's aggregation, computes for each group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import Compiler, is_constant
from rowbook.engine.counting.counters import TAKEN
from rowbook.engine.execution.rollups import merged
from rowbook.expressions.bound import Aggregate
from rowbook.planning.columns import PERIOD
from rowbook.planning.steps import AggregateStep, AppendStep
from rowbook.spark.column_names import column


@dataclass(frozen=True, slots=True)
class Grouping:
    """Rows and their keys; how many rows a group is made from; aggregates that are made otherwise
    than from rows; what else is computed for each group; and by what else groups are kept
    apart."""

    frame: DataFrame
    keys: tuple[str, ...]
    taken: Column
    made: Mapping[Aggregate, Column] = field(default_factory=dict)
    beside: Mapping[str, Column] = field(default_factory=dict)
    apart: tuple[str, ...] = ()

    def with_parts(self, parts: Mapping[Aggregate, str], compiler: Compiler) -> Grouping:
        """With aggregates that others are to be made from, by name."""
        made = {name: compiler.compile(p, self.made) for p, name in parts.items()}
        return replace(self, beside={**self.beside, **made})

    def put_together(
        self, pieces: Sequence[DataFrame], parts: Sequence[Aggregate], compiler: Compiler
    ) -> Grouping:
        """The same groups, of rows that are united from pieces: each piece is grouped by itself,
        and rows leave the loop that reads them only as groups. What is computed for each group must
        be sums and counts."""
        names = {p: f"__of_piece_{i}" for i, p in enumerate(parts) if not is_constant(p)}
        beside = {name: compiler.compile(p, self.made) for p, name in names.items()}
        beside |= self.beside
        groups = [
            piece.groupBy(*self._columns).agg(
                self.taken.alias(TAKEN), *(value.alias(name) for name, value in beside.items())
            )
            for piece in pieces
        ]
        constants = {part: compiler.compile(part) for part in parts if part not in names}
        return replace(
            self,
            frame=reduce(DataFrame.unionByName, groups),
            taken=F.sum(column(TAKEN)),
            made={part: merged(part, name) for part, name in names.items()} | constants,
            beside={name: F.sum(column(name)) for name in self.beside},
        )

    @property
    def _columns(self) -> list[Column]:
        return [column(name) for name in (*self.keys, *self.apart)]

    def grouped(
        self, step: AggregateStep | AppendStep, compiler: Compiler
    ) -> tuple[DataFrame, dict[str, Column]]:
        """One row a group with the number of rows it was made from, and where each result
        stands."""
        results = {f"__result_{i}": r for i, r in enumerate(step.results)}
        summary = self.frame.groupBy(*self._columns).agg(
            self.taken.alias(TAKEN),
            *(value.alias(name) for name, value in self.beside.items()),
            *(compiler.compile(r.expression, self.made).alias(n) for n, r in results.items()),
        )
        keys = [key for key in self.keys if not key.startswith("_") or key == PERIOD.name]
        given = {key: column(key) for key in keys}
        return summary, given | {r.column: column(name) for name, r in results.items()}
