"""Subtotals of subtotals: levels of totals from one pass over the rows.

Totals by entity and account, then totals by entity: the second are sums of the first. Where an
aggregate is followed by others that group by some of its keys and choose rows by nothing but those
keys (or by columns that only the summaries have, as `level IS NULL`), it keeps, beside its summary,
the parts that they need for each of its groups. They are then made from these few rows.

Only what can be put together from parts exactly: SUM of decimals and integers, COUNT, MIN_AGG and
MAX_AGG.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.row_ids import ROW_ID
from rowbook.engine.compile.spark_types import sql_type
from rowbook.engine.counting.counters import TAKEN
from rowbook.engine.execution.layers import conditions, own_columns
from rowbook.engine.execution.rule_tables import is_safe
from rowbook.expressions import bound
from rowbook.expressions.bound import Aggregate, Bound
from rowbook.expressions.types import Kind, as_decimal
from rowbook.planning.columns import Columns
from rowbook.planning.steps import AggregateStep, AnyStep, OutputStep
from rowbook.spark.column_names import column

_MERGES = {"SUM": F.sum, "COUNT": F.sum, "MIN_AGG": F.min, "MAX_AGG": F.max}


def followers(step: AggregateStep, ahead: Sequence[AnyStep]) -> tuple[AggregateStep, ...]:
    """The aggregates after this one that can be made from its groups: the next ones, until an
    operation changes rows."""
    if step.selector is not None or step.joins:
        return ()
    absent = made_by(step)
    found: list[AggregateStep] = []
    for each in ahead:
        if isinstance(each, OutputStep):
            continue
        if not isinstance(each, AggregateStep):
            break
        if not _follows(each, step, absent):
            break
        found.append(each)
        absent |= made_by(each)
    return tuple(found)


def made_by(step: AggregateStep) -> frozenset[str]:
    """The columns that no row had before an aggregate."""
    return frozenset(result.column for result in step.results if result.is_new)


def _follows(each: AggregateStep, first: AggregateStep, absent: frozenset[str]) -> bool:
    chosen_by = own_columns(conditions(each))
    of_first = aggregates_of([first])
    return (
        not each.joins
        and set(each.keys) <= set(first.keys)
        and chosen_by <= set(first.keys) | absent
        and all(_is_exact(node, of_first) for node in aggregates_of([each]))
        and absent.isdisjoint(own_columns([r.expression for r in each.results]))
        and ROW_ID not in own_columns([r.expression for r in each.results]) | chosen_by
        and ROW_ID not in each.keys
    )


def _is_exact(node: Aggregate, of_first: Sequence[Aggregate]) -> bool:
    """Parts are made for all groups, chosen or not: they must not be able to fail, unless the first
    aggregate makes the same for results of its own, and would fail anyway."""
    if not can_merge(node):
        return False
    return node in of_first or (
        (node.argument is None or _cannot_fail(node.argument))
        and (node.function != "SUM" or _has_room(node))
    )


def can_merge(node: Aggregate) -> bool:
    """Whether an aggregate can be put together from those of parts; sums of floats depend on the
    order."""
    return node.function in _MERGES and (node.function != "SUM" or node.type.kind is Kind.DECIMAL)


def _has_room(node: Aggregate) -> bool:
    """A sum has ten digits more than what it adds, if there is room for them."""
    argument = node.argument
    return argument is None or node.type.precision >= as_decimal(argument.type).precision + 10


def _cannot_fail(argument: Bound) -> bool:
    return isinstance(argument, bound.Constant) or is_safe(argument)


def aggregates_of(steps: Sequence[AggregateStep]) -> list[Aggregate]:
    """The aggregates that results of steps are made of, each once."""
    trees = [result.expression for step in steps for result in step.results]
    found = [part for tree in trees for part in bound.walk(tree) if isinstance(part, Aggregate)]
    return list(dict.fromkeys(found))


class Rollup:
    """Levels of totals from the groups of the first. `steps` are the first aggregate and those that
    follow it; what they leave is added as they are made."""

    def __init__(self, first: AggregateStep, following: Sequence[AggregateStep]) -> None:
        self.steps = (first, *following)
        self.parts = {part: f"__part_{i}" for i, part in enumerate(aggregates_of(following))}
        self._groups: DataFrame | None = None
        self._summaries: list[DataFrame] = []

    def add(self, step: AggregateStep, groups: DataFrame, rows: DataFrame) -> None:
        """After a step: the groups it made, with parts if it is the first, and its new rows."""
        if step is self.steps[0]:
            self._groups = groups
        self._summaries.append(rows)

    def makes(self, step: AnyStep) -> bool:
        """Whether a step is made from the groups of the first."""
        return self._groups is not None and step in self.steps[1:]

    def merged(
        self, step: AggregateStep, columns: Columns, compiler: Compiler
    ) -> tuple[DataFrame, dict[Aggregate, Column]]:
        """The rows that a following step groups, with parts instead of values: groups that it
        chooses, and summaries before it; and how its aggregates are put together from them.
        `columns` are those of the working dataset before it."""
        assert self._groups is not None
        wanted = aggregates_of([step])
        chosen = compiler.condition(step.selector)
        names = [*step.keys, *(self.parts[each] for each in wanted), TAKEN]
        read = own_columns([*conditions(step), *wanted]) | frozenset(step.keys)
        groups = _completed(self._groups, read, columns)
        pieces = [groups.filter(chosen).select(*map(column, names))]
        for summary in self._summaries:
            rows = _completed(summary, read, columns).filter(chosen)
            parts = [compiler.compile(each).alias(self.parts[each]) for each in wanted]
            grouped = rows.groupBy(*map(column, step.keys))
            made = grouped.agg(*parts, F.count(F.lit(1)).alias(TAKEN))
            pieces.append(made.select(*map(column, names)))
        merges = {each: merged(each, self.parts[each]) for each in wanted}
        return reduce(lambda a, b: a.unionByName(b), pieces), merges


def _completed(frame: DataFrame, read: frozenset[str], columns: Columns) -> DataFrame:
    """With NULL in columns that rows of this kind do not have."""
    missing = {
        name: F.lit(None).cast(sql_type(columns.fields[name].type))
        for name in sorted(read)
        if name not in frame.columns
    }
    return frame.withColumns(missing) if missing else frame


def merged(node: Aggregate, name: str) -> Column:
    """An aggregate, put together from a column of parts."""
    return _MERGES[node.function](column(name)).cast(sql_type(node.type))
