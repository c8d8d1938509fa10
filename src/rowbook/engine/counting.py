"""Counts for the ledger, carried with the data.

An operation that picks rows leaves a bit on them; a table of rules leaves the number of the entry
that a row met; an operation that adds rows leaves, on each, how many rows it was made from. One
aggregation reads all of them: beside a write that passes every row anyway, or in a pass of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.names import column
from rowbook.expressions.scope import Field
from rowbook.expressions.types import INTEGER

TAKEN, SEQ = "__taken", "_operation_seq"
BITS = 62
"""Flags in one number; the highest bits stay free of its sign."""


@dataclass(frozen=True, slots=True)
class Count:
    """Of one operation: rows it picked or was made from, and rows it added."""

    matched: int
    added: int = 0


@dataclass(frozen=True, slots=True)
class Flag:
    """An operation's rows have a bit set."""

    seq: int
    name: str
    bit: int

    def totals(self) -> list[Column]:
        """See `totals`."""
        is_set = column(self.name).bitwiseAND(F.lit(1 << self.bit)) != 0
        return [F.count_if(is_set).alias(f"flag_{self.seq}")]

    def read(self, totals: Mapping[str, Any]) -> dict[int, Count]:
        """See `read_totals`."""
        return {self.seq: Count(int(totals[f"flag_{self.seq}"] or 0))}

    def count(self, rows: Sequence[Mapping[str, Any]]) -> dict[int, Count]:
        """See `count_rows`."""
        bit = 1 << self.bit
        return {self.seq: Count(sum(1 for row in rows if (row[self.name] or 0) & bit))}


@dataclass(frozen=True, slots=True)
class Entries:
    """Rows that met a table of rules have the number of their entry; `rules` gives, for each entry,
    the operations it stands for."""

    name: str
    rules: tuple[tuple[int, ...], ...]

    def totals(self) -> list[Column]:
        """How many rows each entry has. The sketch is exact: it drops an item only when there are
        more than three quarters of what it has room for, and there are no more than the entries
        and NULL."""
        most = len(self.rules) + 1
        room = max(16, 2 * most)
        counted = F.call_function("approx_top_k", column(self.name), F.lit(most), F.lit(room))
        return [counted.alias(self.name)]

    def read(self, totals: Mapping[str, Any]) -> dict[int, Count]:
        """See `read_totals`."""
        found = totals[self.name] or ()
        return self._sum({e["item"]: int(e["count"]) for e in found if e["item"] is not None})

    def count(self, rows: Sequence[Mapping[str, Any]]) -> dict[int, Count]:
        """See `count_rows`."""
        met: dict[int, int] = {}
        for row in rows:
            entry = row[self.name]
            if entry is not None:
                met[entry] = met.get(entry, 0) + 1
        return self._sum(met)

    def _sum(self, met: Mapping[int, int]) -> dict[int, Count]:
        sums = {seq: 0 for rules in self.rules for seq in rules}
        for entry, rows in met.items():
            for seq in self.rules[entry]:
                sums[seq] += rows
        return {seq: Count(rows) for seq, rows in sums.items()}


@dataclass(frozen=True, slots=True)
class Added:
    """Rows that an operation added say how many each was made from."""

    seq: int

    def totals(self) -> list[Column]:
        """See `totals`."""
        taken = F.when(column(SEQ) == self.seq, column(TAKEN))
        return [
            F.sum(taken).alias(f"taken_{self.seq}"),
            F.count(taken).alias(f"added_{self.seq}"),
        ]

    def read(self, totals: Mapping[str, Any]) -> dict[int, Count]:
        """See `read_totals`."""
        taken, added = totals[f"taken_{self.seq}"], totals[f"added_{self.seq}"]
        return {self.seq: Count(int(taken or 0), int(added or 0))}

    def count(self, rows: Sequence[Mapping[str, Any]]) -> dict[int, Count]:
        """See `count_rows`."""
        taken = [row[TAKEN] for row in rows if row[SEQ] == self.seq and row[TAKEN] is not None]
        return {self.seq: Count(sum(taken), len(taken))}


Counter: TypeAlias = Flag | Entries | Added


def totals(counters: Sequence[Counter]) -> list[Column]:
    """The aggregates that count everything; none without counters."""
    return [total for counter in counters for total in counter.totals()]


def read_totals(counters: Sequence[Counter], found: Mapping[str, Any]) -> dict[int, Count]:
    """Every operation's count by seq, from the aggregates' values; 0 stands for the input's visible
    rows."""
    return {seq: n for counter in counters for seq, n in counter.read(found).items()}


def count_rows(counters: Sequence[Counter], rows: Sequence[Mapping[str, Any]]) -> dict[int, Count]:
    """The same, of rows that have been collected with the counters' columns."""
    return {seq: n for counter in counters for seq, n in counter.count(rows).items()}


def counter_names(counters: Sequence[Counter]) -> tuple[str, ...]:
    """The columns that counters are kept in, each once."""
    names = [TAKEN if isinstance(c, Added) else c.name for c in counters]
    return tuple(dict.fromkeys(names))


def counter_fields(counters: Sequence[Counter]) -> list[Field]:
    """These columns, as fields to collect."""
    return [Field(name, INTEGER) for name in counter_names(counters)]
