"""Counting rows by the groups of an aggregate that is computed anyway.

How many rows an update picked follows from a summary where its selector asks for nothing but what
rows are grouped by: it is asked once a group instead of once a row. What cannot be known so, bits
that operations left on rows and rows they added, is counted beside the aggregate's results. Unlike
what is observed, these are figures of a query: exact wherever it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.row_ids import ROW_ID
from rowbook.engine.counting.counters import (
    BITS,
    Added,
    Count,
    Counter,
    CountRequest,
    bit_totals,
    bits_of,
    existed_before,
    read_counts,
    row_totals,
)
from rowbook.engine.execution.joins import not_deleted
from rowbook.engine.execution.layers import own_columns, written_by
from rowbook.engine.execution.rollups import aggregates_of, followers, made_by
from rowbook.expressions import bound
from rowbook.planning.columns import PERIOD
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    DeleteStep,
    OutputStep,
    UpdateStep,
)
from rowbook.spark.column_names import column

MOST_BESIDE = 16
"""Figures that are computed beside an aggregate's results; more are better observed."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The aggregate by whose groups rows are counted, and the updates that need leave no mark on
    rows for it."""

    step: AggregateStep
    by_group: frozenset[int]


def tally_of(steps: Sequence[AnyStep]) -> Tally | None:
    """The first aggregate that takes all rows, will be kept, and after which nothing but summaries
    changes; if few figures have to be computed beside it."""
    for i, step in enumerate(steps):
        if isinstance(step, AggregateStep) and _can_count(step, steps[i + 1 :]):
            before = steps[:i]
            by_group = frozenset(
                each.seq
                for j, each in enumerate(before)
                if isinstance(each, UpdateStep) and _follows_from_keys(each, step, before[j:])
            )
            others = [s for s in before if not isinstance(s, OutputStep) and s.seq not in by_group]
            if len(others) < MOST_BESIDE and len(by_group) <= BITS:
                return Tally(step, by_group)
    return None


def touches_new_rows(step: AggregateStep, later: Sequence[AnyStep]) -> bool:
    """Whether the row-wise operations that follow an aggregate seem to be for its summary rows
    alone: each asks for a column that no other row has."""
    new = made_by(step)
    for each in later:
        if isinstance(each, AggregateStep):
            new |= made_by(each)
        elif isinstance(each, UpdateStep | DeleteStep) and (
            each.selector is None or new.isdisjoint(own_columns([each.selector]))
        ):
            return False
    return True


def is_kept(step: AggregateStep, later: Sequence[AnyStep]) -> bool:
    """Whether the summary of an aggregate is computed at once: because rows are read more than once
    after it, or because totals of other levels are made from it."""
    readers = sum(isinstance(each, AggregateStep | OutputStep) for each in later)
    return readers > 1 or bool(followers(step, later))


def _can_count(step: AggregateStep, later: Sequence[AnyStep]) -> bool:
    return (
        step.selector is None
        and not step.joins
        and bool(step.keys)
        and ROW_ID not in step.keys
        and all(node.function != "COUNT_DISTINCT" for node in aggregates_of([step]))
        and is_kept(step, later)
        and touches_new_rows(step, later)
    )


def _follows_from_keys(update: UpdateStep, step: AggregateStep, since: Sequence[AnyStep]) -> bool:
    """Whether the groups still tell which rows an update picked; `since` are the operations from
    the update on."""
    asked = frozenset[str]()
    if update.selector is not None:
        if any(source is not None for source, _ in bound.columns(update.selector)):
            return False
        asked = own_columns([update.selector])
    keys = {key for key in step.keys if not key.startswith("_") or key == PERIOD.name}
    if not asked <= keys:
        return False
    return all(
        not isinstance(each, DeleteStep)
        and not (isinstance(each, UpdateStep) and asked & written_by([each]))
        for each in since
    )


@dataclass(slots=True)
class GroupCounts:
    """The counters of all rows, read from groups of visible rows and, apart from them, of deleted
    ones."""

    counters: tuple[Counter, ...]
    counts: dict[int, Count] = field(default_factory=dict)

    def beside(self) -> dict[str, Column]:
        """What is computed for each group."""
        beside = {
            _rows_before(seq): F.count(F.when(existed_before(seq), F.lit(1)))
            for seq in map(self._next_added, self._asked)
        }
        return {**beside, **bit_totals(self.counters), **row_totals(self._added)}

    def read(self, groups: DataFrame) -> DataFrame:
        """Counts. The groups of visible rows are what the aggregate is about."""
        summed = (*bit_totals(self.counters), *row_totals(self._added))
        totals = {name: F.sum(column(name)) for name in summed}
        for counter in self._asked:
            rows = column(_rows_before(self._next_added(counter)))
            totals[counter.total] = F.sum(F.when(not_deleted() & counter.condition, rows))
        (row,) = groups.agg(*(total.alias(name) for name, total in totals.items())).collect()
        found = row.asDict()
        self.counts = read_counts(self.counters, bits_of(self.counters, found), found)
        return groups.filter(not_deleted())

    @property
    def _asked(self) -> list[CountRequest]:
        return [counter for counter in self.counters if isinstance(counter, CountRequest)]

    @property
    def _added(self) -> list[Added]:
        return [counter for counter in self.counters if isinstance(counter, Added)]

    def _next_added(self, asked: CountRequest) -> int | None:
        """The first operation after an update that added rows: the update did not see them."""
        return min((c.seq for c in self._added if c.seq > asked.seq), default=None)


def _rows_before(seq: int | None) -> str:
    return f"__rows_before_{'all' if seq is None else seq}"
