"""Counting rows by the groups of an aggregate that is computed anyway.

Updates that left no mark are asked once a group instead of once a row. What cannot be known so,
bits that operations left on rows and rows they added, is counted beside the aggregate's results.
Unlike what is observed, these are figures of a query: exact wherever it runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.counting.counters import (
    TAKEN,
    Added,
    Count,
    Counter,
    CountRequest,
    bit_rows,
    bit_totals,
    bits_of,
    existed_before,
    fault_bits,
    fault_marks,
    mark_names,
    read_counts,
    row_totals,
    with_faults,
    without_faults,
)
from rowbook.engine.loading.system_columns import not_deleted
from rowbook.spark.column_names import column


@dataclass(slots=True)
class GroupCounts:
    """Of all rows, read from groups of visible rows and, apart from them, of deleted ones."""

    counters: tuple[Counter, ...]
    writes: tuple[int, ...] = ()
    """The outputs that rows are written for as they are grouped."""
    counts: dict[int, Count] = field(default_factory=dict)
    written: dict[int, int] = field(default_factory=dict)
    """How many rows of each."""
    all_told: bool = True
    """Nothing is left to be counted: no row is at fault."""

    def beside(self) -> dict[str, Column]:
        beside = {
            _rows_before(seq): F.count(F.when(existed_before(seq), F.lit(1)))
            for seq in map(self._next_added, self._asked)
        }
        return {**beside, **self._sums, **fault_bits(self.counters), **self._written}

    @property
    def marks(self) -> tuple[str, ...]:
        """The columns by which rows are alike for figures of marks; for those of added rows they
        also are by SEQ."""
        return mark_names(self.counters)

    @property
    def asks_seq(self) -> bool:
        """Whether rows of a group are only alike by SEQ for what groups are asked."""
        return bool(self._asked) and self.adds_up_taken

    @property
    def adds_up_taken(self) -> bool:
        """Whether rows that were added say from how many they were made."""
        return bool(self._added)

    def of_alike(self, rows: Column) -> dict[str, Column]:
        """What groups of rows that are alike in their marks add to figures; they say how many
        `rows` each has, from how many these were made, and how many are written."""
        figures = {name: column(name) for name in self._written}
        for name, marked in bit_rows(without_faults(self.counters)).items():
            figures[name] = F.when(marked, rows)
        for each in self._added:
            taken, number = each.names
            figures[number] = F.when(each.rows, rows)
            if not each.single:
                figures[taken] = F.when(each.rows, column(TAKEN))
        faults = fault_marks(self.counters)
        return figures | {name: column(each.name) for name, each in faults.items()}

    def of_groups(self, rows: Column) -> dict[str, Column]:
        """The same of groups by keys, for what these are asked."""
        seqs = map(self._next_added, self._asked)
        return {_rows_before(seq): F.when(existed_before(seq), rows) for seq in seqs}

    @property
    def bits(self) -> frozenset[str]:
        """The figures that are bits, not numbers."""
        return frozenset(fault_bits(self.counters))

    def read(self, groups: DataFrame) -> DataFrame:
        """Counts. The groups of visible rows are what the aggregate is about. `counters` are then
        without those of rows at fault, where there are any."""
        totals = {name: F.sum(column(name)) for name in self._sums}
        totals |= {name: F.bit_or(column(name)) for name in self.bits}
        for counter in self._asked:
            rows = column(_rows_before(self._next_added(counter)))
            totals[counter.total] = F.sum(F.when(not_deleted() & counter.condition, rows))
        totals |= self._written
        if not totals:  # all was counted before
            return groups.filter(not_deleted())
        (row,) = groups.agg(*(total.alias(name) for name, total in totals.items())).collect()
        found = row.asDict()
        self.written = {seq: int(found[written_name(seq)] or 0) for seq in self.writes}
        faults = with_faults(self.counters, found)
        self.all_told = not faults
        self.counters = tuple(each for each in self.counters if each not in faults)
        self.counts = read_counts(self.counters, bits_of(self.counters, found), found)
        return groups.filter(not_deleted())

    @property
    def _written(self) -> dict[str, Column]:
        return {name: F.sum(column(name)) for name in map(written_name, self.writes)}

    @property
    def _sums(self) -> dict[str, Column]:
        return {**bit_totals(without_faults(self.counters)), **row_totals(self._added)}

    @property
    def _asked(self) -> list[CountRequest]:
        return [counter for counter in self.counters if isinstance(counter, CountRequest)]

    @property
    def _added(self) -> list[Added]:
        return [counter for counter in self.counters if isinstance(counter, Added)]

    def _next_added(self, asked: CountRequest) -> int | None:
        """The first operation after an update that added rows: the update did not see them."""
        return min((c.seq for c in self._added if c.seq > asked.before), default=None)


def written_name(seq: int) -> str:
    """What groups call the number of rows that an output writes of them."""
    return f"__written_{seq}"


def _rows_before(seq: int | None) -> str:
    return f"__rows_before_{'all' if seq is None else seq}"
