"""Groups of rows by keys: one grouping for all expectations about the same rows and keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_
from typing import Protocol

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.counting.counters import TAKEN
from rowbook.engine.execution.checking.row_views import RowView, unless_overflow
from rowbook.engine.execution.checking.violations import Violations
from rowbook.engine.execution.checkpoint import checkpoint
from rowbook.engine.execution.environment import Environment
from rowbook.engine.strategy.stages import Storage
from rowbook.engine.strategy.step_analysis import aggregates_in
from rowbook.expectations.observation import DOES_NOT_FIT, Observation, Unit
from rowbook.expressions import types as t
from rowbook.expressions.bound import Aggregate, Bound
from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value
from rowbook.planning.columns import ROW_ID
from rowbook.planning.expectations.expectation_plan import (
    Against,
    Expectation,
    GroupCondition,
    UniqueKeys,
)
from rowbook.planning.steps import Result
from rowbook.spark.column_names import column, joined_name

_ROWS, _HERE, _THERE = "__rows", "__here", "__there"


class GroupSource(Protocol):
    """Groups of rows there were before others were added."""

    def told(
        self,
        keys: Sequence[str],
        wanted: Sequence[Aggregate],
        chosen: Column,
        added: DataFrame,
        compiler: Compiler,
    ) -> tuple[DataFrame, dict[Aggregate, Column]]:
        """For who groups by some of their keys those that are chosen, and rows that were added
        since: the rows to group, with parts instead of values, and how aggregates are put together
        from them."""
        ...


@dataclass(frozen=True, slots=True)
class EarlierGroups:
    """Such groups, and which of them are looked at beside rows added `since`."""

    groups: GroupSource
    chosen: Bound | None
    since: int


@dataclass(frozen=True, slots=True)
class KeyGroups:
    """A row for each group: its keys under their names, how many rows it has, and measures under
    names of their own."""

    frame: DataFrame
    view: RowView
    keys: tuple[str, ...]
    names: Mapping[Bound, str]
    is_kept: bool = False

    @classmethod
    def of(
        cls,
        view: RowView,
        keys: tuple[str, ...],
        measures: Sequence[Result],
        frame: DataFrame,
        environment: Environment,
    ) -> KeyGroups:
        compiler, names = environment.compiler, _names(measures)
        rows = view.rows(frame, environment)
        if ROW_ID in keys:
            rows = rows.withColumn(ROW_ID, compiler.row_id())
        groups = rows.groupBy(*map(column, keys)).agg(
            F.count(F.lit(1)).alias(_ROWS),
            *(compiler.compile(tree).alias(name) for tree, name in names.items()),
        )
        return cls(groups, view, keys, names)

    @classmethod
    def of_totals(
        cls,
        totals: EarlierGroups,
        view: RowView,
        keys: tuple[str, ...],
        measures: Sequence[Result],
        frame: DataFrame,
        environment: Environment,
    ) -> KeyGroups:
        """The same, of rows that an aggregate before has grouped, and those of the view."""
        compiler, names = environment.compiler, _names(measures)
        chosen = compiler.condition(totals.chosen)
        united, merged = totals.groups.told(
            keys, aggregates_in(names), chosen, view.rows(frame, environment), compiler
        )
        groups = united.groupBy(*map(column, keys)).agg(
            F.sum(column(TAKEN)).alias(_ROWS),
            *(compiler.compile(tree, merged).alias(name) for tree, name in names.items()),
        )
        return cls(groups, view, keys, names)

    def kept(self, storage: Storage) -> KeyGroups:
        """Computed here and now."""
        return replace(self, frame=checkpoint(self.frame, storage), is_kept=True)

    def figures(self, measures: Sequence[Result]) -> Mapping[str, Value] | None:
        """Of all rows, as one group; None where a value in it does not fit."""
        fields = [Field(each.column, each.expression.type) for each in measures]
        made = [self.measure(each).alias(each.column) for each in measures]
        found = unless_overflow(lambda: collect(self.frame.select(*made), fields))
        return None if found is None else found[0]

    def measure(self, result: Result) -> Column:
        return column(self.names[result.expression])


def _names(measures: Sequence[Result]) -> dict[Bound, str]:
    trees = dict.fromkeys(each.expression for each in measures)
    return {tree: f"__measure_{i}" for i, tree in enumerate(trees)}


@dataclass(frozen=True, slots=True)
class GroupViolations:
    """Groups that violate an expectation: their keys, samples of them, and how many they are; of
    keys that stand more than once, rows are counted."""

    keys: tuple[str, ...]
    found: Violations
    rows: Column | None = None

    @property
    def totals(self) -> tuple[Column, Column]:
        counted = F.lit(1) if self.rows is None else self.rows
        return F.sum(counted), F.sum(F.when(self.found.faulty, counted))

    def faulty_keys(self) -> DataFrame:
        faulty = self.found.frame.filter(self.found.faulty)
        return faulty.select(*map(column, self.keys))

    def observation(self, checked: int | None, violated: int | None) -> Observation:
        samples = self.found.samples() if violated else ()
        unit: Unit = "groups" if self.rows is None else "rows"
        return Observation(unit, checked or 0, violated or 0, samples=samples)


def group_violations(
    expectation: Expectation,
    groups: KeyGroups,
    environment: Environment,
    other: KeyGroups | None = None,
) -> GroupViolations:
    condition, compiler = expectation.condition, environment.compiler
    fields = groups.view.place.fields
    keys = {key: (column(key), fields[key].type) for key in groups.keys}
    size = expectation.fault_size
    if isinstance(condition, UniqueKeys):
        known = {key: value for key, (value, _) in keys.items()} | {"rows": column(_ROWS)}
        sized = None if size is None else compiler.compile(size, columns=known)
        values = {**keys, "rows": (column(_ROWS), t.INTEGER)}
        found = Violations(groups.frame, column(_ROWS) > 1, values, sized)
        return GroupViolations(groups.keys, found, column(_ROWS))
    assert isinstance(condition, GroupCondition)
    if other is not None and condition.against is not None:
        return _compared(expectation, condition, condition.against, groups, other, environment)
    measures = {each.column: groups.measure(each) for each in condition.measures}
    known = {key: value for key, (value, _) in keys.items()} | measures
    holds = F.coalesce(compiler.compile(condition.that, columns=known), F.lit(False))
    types = {each.column: each.expression.type for each in condition.measures}
    values = keys | {name: (value, types[name]) for name, value in measures.items()}
    sized = None if size is None else compiler.compile(size, columns=known)
    return GroupViolations(groups.keys, Violations(groups.frame, ~holds, values, sized))


def _compared(
    expectation: Expectation,
    condition: GroupCondition,
    against: Against,
    own: KeyGroups,
    other: KeyGroups,
    environment: Environment,
) -> GroupViolations:
    """Groups of both sides; one that a side lacks violates, and has NULLs there."""
    compiler, alias = environment.compiler, against.alias
    here = own.frame.select(
        *map(column, own.keys),
        *(own.measure(each).alias(each.column) for each in condition.measures),
        F.lit(True).alias(_HERE),
    )
    there = other.frame.select(
        *(column(key).alias(joined_name(_THERE, key)) for key in own.keys),
        *(other.measure(each).alias(joined_name(alias, each.column)) for each in against.measures),
        F.lit(True).alias(_THERE),
    )
    pairs = [(column(key), column(joined_name(_THERE, key))) for key in own.keys]
    both = here.join(there, reduce(and_, [a.eqNullSafe(b) for a, b in pairs]), "full_outer")
    lacks_own, lacks_other = column(_HERE).isNull(), column(_THERE).isNull()
    both = both.withColumns(
        {
            key: F.when(lacks_own, b).otherwise(a)
            for key, (a, b) in zip(own.keys, pairs, strict=True)
        }
    )
    fields, size = own.view.place.fields, expectation.fault_size
    values = {key: (column(key), fields[key].type) for key in own.keys}
    values |= {m.column: (column(m.column), m.expression.type) for m in condition.measures}
    values |= {
        f"{alias}.{m.column}": (column(joined_name(alias, m.column)), m.expression.type)
        for m in against.measures
    }
    holds = compiler.condition(condition.that)
    found = Violations(
        both,
        F.when(lacks_own | lacks_other, F.lit(True)).otherwise(~holds),
        values,
        None if size is None else compiler.compile(size),
        missing=F.when(lacks_own, F.lit("here")).when(lacks_other, F.lit(alias)),
    )
    return GroupViolations(own.keys, found)


def observe_groups(found: Sequence[GroupViolations]) -> list[Observation]:
    """Of groups that stand in one frame, counted in one pass."""
    names = [Field(f"c{i}", t.INTEGER) for i in range(2 * len(found))]
    totals = [total for each in found for total in each.totals]

    def compute() -> list[Observation]:
        made = [total.alias(name.name) for total, name in zip(totals, names, strict=True)]
        counts = list(collect(found[0].found.frame.agg(*made), names)[0].values())
        pairs = zip(counts[::2], counts[1::2], strict=True)
        return [each.observation(*pair) for each, pair in zip(found, pairs, strict=True)]

    seen = unless_overflow(compute)
    if seen is not None:
        return seen
    if len(found) == 1:
        return [Observation(failure=DOES_NOT_FIT)]
    return [observe_groups([each])[0] for each in found]
