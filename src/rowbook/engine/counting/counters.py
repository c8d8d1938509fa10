"""Counts for the ledger, carried with the data.

An operation that picks rows leaves a bit on them; a large table of rules leaves the number of the
entry that a row met; an operation that adds rows leaves, on each, how many rows it was made from.
Marks are read as a histogram: how many rows have which bits. Where rows are written in one process
that happens on the way, at next to no cost (see `observed`); elsewhere in a pass that reads little
else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any, TypeAlias

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.expressions.scope import Field
from rowbook.expressions.types import INTEGER
from rowbook.spark.column_names import column

TAKEN, SEQ = "__taken", "_operation_seq"
BITS = 62
"""Flags in one number; the highest bits stay free of its sign."""

FEW = 8
"""Bits that are counted each by itself."""

_COLLECTED = 50_000
"""Rows whose marks are worth bringing here."""

Histogram: TypeAlias = Mapping[int, int]
"""How many rows have which mark."""


@dataclass(frozen=True, slots=True)
class Count:
    """Of one operation: rows it picked or was made from, and rows it added."""

    matched: int
    added: int = 0


@dataclass(frozen=True, slots=True)
class Flag:
    """An operation's rows have a bit set; operations that pick the same rows share one. `every`:
    they are all visible rows, and stay so. `marks`: how many different numbers rows can have, where
    few of all combinations of bits can be."""

    seq: int
    name: str
    bit: int
    every: bool = False
    marks: int | None = None

    def read(self, marks: Histogram) -> dict[int, Count]:
        bit = 1 << self.bit
        return {self.seq: Count(sum(rows for mark, rows in marks.items() if mark & bit))}


@dataclass(frozen=True, slots=True)
class CheckFlag(Flag):
    """The same of an expectation, in a number of its own: rows that are looked at, or, seldom any,
    those that are at `fault`. `since`: of rows that this operation or a later one added."""

    fault: bool = False
    since: int | None = None

    @property
    def rows(self) -> Column:
        return F.lit(True) if self.since is None else added_since(self.since)


@dataclass(frozen=True, slots=True)
class Entries:
    """Rows that met a table of rules have the number of their entry; `rules` gives, for each entry,
    the operations it stands for. `seqs` are all operations: one may have no entry."""

    name: str
    rules: tuple[tuple[int, ...], ...]
    seqs: tuple[int, ...]

    def read(self, marks: Histogram) -> dict[int, Count]:
        sums = dict.fromkeys(self.seqs, 0)
        for entry, rows in marks.items():
            for seq in self.rules[entry]:
                sums[seq] += rows
        return {seq: Count(rows) for seq, rows in sums.items()}


@dataclass(frozen=True, slots=True)
class Added:
    """Rows that an operation added say how many each was made from; `single`: one. Where they
    cannot, `taken` are those rows, counted in a pass of their own."""

    seq: int
    taken: DataFrame | None = field(default=None, compare=False, repr=False)
    single: bool = False

    @property
    def names(self) -> tuple[str, str]:
        return f"__taken_{self.seq}", f"__added_{self.seq}"

    @property
    def rows(self) -> Column:
        return column(SEQ) == self.seq

    def totals(self) -> dict[str, Column]:
        taken = F.when(self.rows, column(TAKEN))
        totals = dict(zip(self.names, (F.sum(taken), F.count(taken)), strict=True))
        if self.single:
            del totals[self.names[0]]
        return totals

    def read(self, totals: Mapping[str, Any]) -> dict[int, Count]:
        taken, added = self.names
        rows = int(totals[added] or 0)
        if self.single:
            return {self.seq: Count(rows, rows)}
        matched = int(totals[taken] or 0) if self.taken is None else self.taken.count()
        return {self.seq: Count(matched, rows)}


@dataclass(frozen=True, slots=True)
class CountRequest:
    """An operation left no mark: its rows are those visible ones that were there before it and for
    which its condition still holds. An expectation that looks at them before operation `at` counts
    in the same way."""

    seq: int
    condition: Column = field(compare=False)
    at: int | None = None

    @property
    def before(self) -> int:
        return self.seq if self.at is None else self.at

    @property
    def total(self) -> str:
        return f"__asked_{self.seq}"

    @property
    def rows(self) -> Column:
        return ~column("_deleted") & self.condition & existed_before(self.before)

    def totals(self) -> dict[str, Column]:
        return {self.total: F.count(F.when(self.rows, F.lit(1)))}

    def read(self, totals: Mapping[str, Any]) -> dict[int, Count]:
        return {self.seq: Count(int(totals[self.total] or 0))}


def existed_before(seq: int | None) -> Column:
    """Whether a row was there before an operation added rows; None is after all of them."""
    return F.lit(True) if seq is None else F.coalesce(column(SEQ) < seq, F.lit(True))


def added_since(seq: int) -> Column:
    return F.coalesce(column(SEQ) >= seq, F.lit(False))


Counter: TypeAlias = Flag | Entries | Added | CountRequest


def mark_names(counters: Sequence[Counter]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(c.name for c in counters if isinstance(c, Flag | Entries)))


def counter_names(counters: Sequence[Counter]) -> tuple[str, ...]:
    added = any(isinstance(counter, Added) for counter in counters)
    return (*mark_names(counters), *([TAKEN] if added else []))


def counter_fields(counters: Sequence[Counter]) -> list[Field]:
    return [Field(name, INTEGER) for name in counter_names(counters)]


def row_totals(counters: Sequence[Counter]) -> dict[str, Column]:
    """The aggregates that count rows which have no mark, by name."""
    unmarked = (counter for counter in counters if isinstance(counter, Added | CountRequest))
    return {name: total for counter in unmarked for name, total in counter.totals().items()}


def bit_totals(counters: Sequence[Counter]) -> dict[str, Column]:
    """The aggregates that count rows which have a bit, each by itself, by name."""
    return {name: F.count(F.when(rows, F.lit(1))) for name, rows in bit_rows(counters).items()}


def bit_rows(counters: Sequence[Counter]) -> dict[str, Column]:
    """The rows that have a bit, by the same names."""
    return {
        _bit_name(flag): column(flag.name).bitwiseAND(F.lit(1 << flag.bit)) != 0
        for flag in counters
        if isinstance(flag, Flag)
    }


def without_faults(counters: Sequence[Counter]) -> list[Counter]:
    """Without what is counted only where there is any."""
    return [each for each in counters if not (isinstance(each, CheckFlag) and each.fault)]


def fault_bits(counters: Sequence[Counter]) -> dict[str, Column]:
    """The aggregates that tell which faults any row has, by name: nearly always none."""
    return {name: F.bit_or(column(each.name)) for name, each in fault_marks(counters).items()}


def fault_marks(counters: Sequence[Counter]) -> dict[str, CheckFlag]:
    """The marks that they are about, by the same names."""
    faults = (each for each in counters if isinstance(each, CheckFlag) and each.fault)
    return {_fault_name(each): each for each in faults}


def with_faults(counters: Sequence[Counter], found: Mapping[str, Any]) -> list[CheckFlag]:
    """The faults that rows have, by those aggregates; all others have been counted: none."""
    faults = (each for each in counters if isinstance(each, CheckFlag) and each.fault)
    return [each for each in faults if int(found[_fault_name(each)] or 0) & (1 << each.bit)]


def _fault_name(flag: CheckFlag) -> str:
    return f"{flag.name}_any"


def bits_of(counters: Sequence[Counter], totals: Mapping[str, Any]) -> dict[str, dict[int, int]]:
    """The histograms of marks, of bits that were counted each by itself; others no row has."""
    marks: dict[str, dict[int, int]] = {name: {} for name in mark_names(counters)}
    for flag in counters:
        if isinstance(flag, Flag):
            marks[flag.name][1 << flag.bit] = int(totals.get(_bit_name(flag)) or 0)
    return marks


def _bit_name(flag: Flag) -> str:
    return f"{flag.name}:{flag.bit}"


def read_counts(
    counters: Sequence[Counter], marks: Mapping[str, Histogram], totals: Mapping[str, Any]
) -> dict[int, Count]:
    """Every operation's count by seq, from the histograms of marks and the totals of rows without;
    0 stands for the input's visible rows."""
    counts: dict[int, Count] = {}
    for counter in counters:
        if isinstance(counter, Flag | Entries):
            counts |= counter.read(marks[counter.name])
        else:
            counts |= counter.read(totals)
    return counts


def count_rows(counters: Sequence[Counter], rows: Sequence[Mapping[str, Any]]) -> dict[int, Count]:
    """The same, of rows that were collected; every counter must have columns on them."""
    marks: dict[str, dict[int, int]] = {name: {} for name in mark_names(counters)}
    added: dict[str, int] = {}
    for row in rows:
        for name, found in marks.items():
            if row[name] is not None:
                found[row[name]] = found.get(row[name], 0) + 1
        if any(isinstance(counter, Added) for counter in counters) and row[TAKEN] is not None:
            taken, number = Added(row[SEQ]).names
            added[taken] = added.get(taken, 0) + row[TAKEN]
            added[number] = added.get(number, 0) + 1
    zeros = {name: 0 for c in counters if isinstance(c, Added) for name in c.names}
    return read_counts(counters, marks, {**zeros, **added})


def collect_all(counters: Sequence[Counter], frame: DataFrame) -> dict[int, Count] | None:
    """As `read_all`, for few rows: marks are brought here in one plain job and counted here. None
    where rows are not few after all, or an operation left no mark on them."""
    if any(isinstance(counter, CountRequest) for counter in counters):
        return None
    entries = {counter.name for counter in counters if isinstance(counter, Entries)}
    marked = [
        column(name).isNotNull() if name in entries else column(name) != 0
        for name in mark_names(counters)
    ]
    added = _unmarked_rows(counters)
    names = [*counter_names(counters), *([SEQ] if added else [])]
    rows = frame.filter(reduce(or_, [*marked, *added])).select(*map(column, names))
    found = rows.coalesce(1).take(_COLLECTED + 1)
    if len(found) > _COLLECTED:
        return None
    return count_rows(counters, [row.asDict() for row in found])


def count_table(counters: Sequence[Counter], table: pa.Table) -> dict[int, Count]:
    """As `read_all`, of rows that are here."""
    added = any(isinstance(counter, Added) for counter in counters)
    names = dict.fromkeys((*counter_names(counters), *([SEQ] if added else [])))
    return count_rows(counters, table.select(list(names)).to_pylist())


def read_all(counters: Sequence[Counter], frame: DataFrame) -> dict[int, Count]:
    """All counts, in passes of their own over a frame. They leave out rows that have nothing to
    count, so that Spark leaves out whole parts of a plan where it sees that they have none. Rows at
    fault are counted in one more, where there are any."""
    checks = [each for each in counters if isinstance(each, CheckFlag)]
    others = [each for each in counters if not isinstance(each, CheckFlag)]
    few = not any(isinstance(each, Entries) for each in others) and len(others) <= FEW
    alone = without_faults(counters if few else checks)
    marks: dict[str, Histogram] = {}
    some = [each.rows for each in checks] + _unmarked_rows(others)
    if few:
        some += [column(name) != 0 for name in mark_names(others)]
    else:
        marks = {name: _histogram(frame, name, others) for name in mark_names(others)}
    totals = {**bit_totals(alone), **row_totals(others), **fault_bits(checks)}
    found = _totalled(frame, some, totals) if totals else {}
    faults = with_faults(checks, found)
    if faults:
        found |= _totalled(frame, [each.rows for each in faults], bit_totals(faults))
    return read_counts(counters, {**marks, **bits_of([*alone, *checks], found)}, found)


def _unmarked_rows(counters: Sequence[Counter]) -> list[Column]:
    return [counter.rows for counter in counters if isinstance(counter, Added | CountRequest)]


def _totalled(
    frame: DataFrame, some: Sequence[Column], totals: Mapping[str, Column]
) -> dict[str, Any]:
    rows = frame.filter(reduce(or_, some))
    return rows.agg(*(total.alias(n) for n, total in totals.items())).collect()[0].asDict()


def _histogram(frame: DataFrame, name: str, counters: Sequence[Counter]) -> dict[int, int]:
    """Of entries: as they are, from 0. Of bits: rows with none do not matter; and should there be
    very many combinations, each bit is counted for itself."""
    flags = (c for c in counters if isinstance(c, Flag) and c.name == name)
    bits = sorted({flag.bit for flag in flags})
    if len(bits) <= FEW:
        # With many, Spark would evaluate all their conditions twice: for the filter, then again.
        frame = frame.filter(column(name) != 0 if bits else column(name).isNotNull())
    found = frame.groupBy(column(name).alias("mark")).count()
    if not bits:
        return {row["mark"]: row["count"] for row in found.collect() if row["mark"] is not None}
    totals = [
        F.sum(F.when(column("mark").bitwiseAND(F.lit(1 << bit)) != 0, column("count")))
        for bit in bits
    ]
    sums = found.agg(*totals).collect()[0]
    return {1 << bit: int(total or 0) for bit, total in zip(bits, sums, strict=True)}
