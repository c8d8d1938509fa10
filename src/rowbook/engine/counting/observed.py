"""Counting rows while they are written, in the job that computes them anyway.

Spark's observed metrics are exact in one process. On a cluster rows are counted in a pass of their
own.

A metric for each operation would cost as much as that pass. One metric for sixty operations is the
histogram of their marks, by a sketch that keeps the most frequent values: it is exact as long as it
never had to drop one. Whether it had to is checked, unless it is known how many different marks
there can be: the rows it saw, and a hash of their marks, must add up. A few marks are counted each
by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.counting.counters import (
    FEW,
    Added,
    CheckFlag,
    Count,
    Counter,
    Entries,
    Flag,
    bit_totals,
    bits_of,
    fault_bits,
    mark_names,
    read_counts,
    row_totals,
    with_faults,
    without_faults,
)
from rowbook.spark.column_names import column
from rowbook.spark.observed_metrics import ObservedMetrics, is_exact

_USUAL = 4_096
"""Combinations of marks that are expected at most; with more, rows are counted in another pass."""

_ROWS = "__rows"
_LOW, _STIR = (1 << 31) - 1, 1_640_531_527


class Observed:
    """A frame whose counters are read by the first job that computes it."""

    @classmethod
    def of(cls, frame: DataFrame, counters: Sequence[Counter]) -> Observed | None:
        """The frame, observed; None where that would not be exact."""
        return cls(frame, counters) if is_exact(frame) else None

    def __init__(
        self, frame: DataFrame, counters: Sequence[Counter], *, each_row: bool = False
    ) -> None:
        """With `each_row` what every counter counts are the rows of the frame, all of them."""
        self.counters, self._each_row = counters, each_row
        self._few = len(counters) <= FEW and not any(isinstance(c, Entries) for c in counters)
        self._observed = ObservedMetrics(frame, self._metrics())
        self.frame = self._observed.frame

    def counts(self) -> dict[int, Count] | None:
        """After that job: every operation's count. None where they are not known: where Spark found
        that it need not compute the rows (nothing of them is written, say), or where there were too
        many combinations of marks. How many rows are at fault of an expectation is only known where
        there are none; `counters` are then without it."""
        found = self._observed.found()
        if found is None:
            return None
        if self._each_row:
            rows = int(found[_ROWS])
            return {
                each.seq: Count(rows, rows if isinstance(each, Added) else 0)
                for each in self.counters
                if not isinstance(each, Entries)
            }
        if self._few:
            return read_counts(self.counters, bits_of(self.counters, found), found)
        marks: dict[str, dict[int, int]] = {}
        checks, others = _checks(self.counters), _others(self.counters)
        few = _few_alike(others)
        for name in mark_names([each for each in others if each not in few]):
            histogram = {e["item"]: int(e["count"]) for e in found[name] if e["item"] is not None}
            if f"{name}_rows" in found and not _adds_up(
                histogram, found[f"{name}_rows"], found[f"{name}_stirred"]
            ):
                return None
            marks[name] = histogram
        faults = with_faults(checks, found)
        self.counters = [each for each in self.counters if each not in faults]
        return read_counts(self.counters, {**marks, **bits_of([*checks, *few], found)}, found)

    def _metrics(self) -> dict[str, Column]:
        if self._each_row:
            return {_ROWS: F.count(F.lit(1))}
        marks = bit_totals(self.counters) if self._few else _histograms(self.counters)
        return {**marks, **row_totals(self.counters)}


def _histograms(counters: Sequence[Counter]) -> dict[str, Column]:
    sizes = _sizes(counters)
    checks, others = _checks(counters), _others(counters)
    few = _few_alike(others)
    metrics = {**fault_bits(checks), **bit_totals([*without_faults(checks), *few])}
    for name in mark_names([each for each in others if each not in few]):
        most = sizes.get(name, _USUAL - 1) + 1  # NULL is one of them
        mark = column(name)
        metrics[name] = F.call_function("approx_top_k", mark, F.lit(most), F.lit(2 * most))
        if name in sizes:
            continue
        metrics[f"{name}_rows"] = F.count(mark)
        metrics[f"{name}_stirred"] = F.sum(_stirred_column(mark))
    return metrics


def _sizes(counters: Sequence[Counter]) -> dict[str, int]:
    """How many different marks there can be, where that is known."""
    entries = {each.name: len(each.rules) for each in counters if isinstance(each, Entries)}
    flags = (each for each in counters if isinstance(each, Flag))
    return entries | {each.name: each.marks for each in flags if each.marks is not None}


def _few_alike(counters: Sequence[Counter]) -> list[Counter]:
    """The bits of numbers that have few: that the input has a row is one of all rows, and a
    histogram of it would cost as much as that of all rules."""
    flags = [each for each in counters if isinstance(each, Flag)]
    bits: dict[str, set[int]] = {}
    for each in flags:
        bits.setdefault(each.name, set()).add(each.bit)
    return [each for each in flags if len(bits[each.name]) <= FEW]


def _checks(counters: Sequence[Counter]) -> list[Counter]:
    """The marks of expectations: which of them any row has costs less than a histogram."""
    return [each for each in counters if isinstance(each, CheckFlag)]


def _others(counters: Sequence[Counter]) -> list[Counter]:
    return [each for each in counters if not isinstance(each, CheckFlag)]


def _adds_up(histogram: dict[int, int], rows: int, stirred: Any) -> bool:
    if sum(histogram.values()) != rows:
        return False
    return sum(_stirred(mark) * n for mark, n in histogram.items()) == int(stirred or 0)


def _stirred_column(mark: Column) -> Column:
    low = mark.bitwiseAND(F.lit(_LOW)) * F.lit(_STIR)
    high = F.shiftrightunsigned(mark, 31).bitwiseAND(F.lit(_LOW)) * F.lit(_STIR + 2)
    mixed = F.shiftrightunsigned(low, 20).bitwiseXOR(F.shiftrightunsigned(high, 17))
    return mixed.bitwiseXOR(low).bitwiseXOR(high).bitwiseAND(F.lit(_LOW))


def _stirred(mark: int) -> int:
    """31 bits that depend on all of a mark's."""
    low = (mark & _LOW) * _STIR
    high = ((mark >> 31) & _LOW) * (_STIR + 2)
    return ((low >> 20) ^ (high >> 17) ^ low ^ high) & _LOW
