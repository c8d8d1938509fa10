"""The rows in which two tables differ: found in one pass, kept, and counted and shown from there.

Rows whose key stands once on each side are joined. Others are compared as what they are, heaps of
rows: what is on one side more often than on the other is the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Any, Literal, TypeAlias

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compare.aligned import Pair
from rowbook.engine.compare.common_types import differs
from rowbook.engine.compare.difference import CellChange, ChangedRow, Criteria, Row
from rowbook.engine.compile.collect import collect
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.planning.columns import ROW_ID, is_system
from rowbook.spark.column_names import column

_KIND, _TIMES, _CELLS = "__kind", "__times", "__cells"
_Sort: TypeAlias = Literal["before", "after", "changed"]
_Naming: TypeAlias = Callable[[str], str]
_TELLING = 3
"""Cells by which people know a row that has no key of their own."""


def was_name(name: str) -> str:
    return f"__was_{name}"


def now_name(name: str) -> str:
    return f"__now_{name}"


@dataclass(frozen=True, slots=True)
class DifferingRows:
    """The rows that differ: of which sort, how often, in which cells, as they were and are."""

    pair: Pair
    key: tuple[str, ...]
    compared: tuple[str, ...]
    criteria: Criteria
    is_repeated: bool
    natural_key: tuple[str, ...] = ()
    """What tells rows apart for people."""

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.key, *self.compared)

    @property
    def in_order(self) -> tuple[str, ...]:
        """The columns by which rows are sorted to be shown: to people row ids are without order."""
        return (*self.compared, *self.key) if self.key == (ROW_ID,) else self.names

    def frame(self) -> DataFrame:
        """The sort, how often, names of cells that differ; each column as it was and as it is."""
        before, after = self.pair.both(self.names)
        if not self.key:
            return self._heaped(before, after)
        if not self.is_repeated:
            return self._joined(before, after)
        repeated = self._repeated_keys(before).unionByName(self._repeated_keys(after)).distinct()
        alone = [self._with_key(f, repeated, "left_anti") for f in (before, after)]
        among = [self._with_key(f, repeated, "left_semi") for f in (before, after)]
        return self._joined(*alone).unionByName(self._heaped(*among))

    def _repeated_keys(self, frame: DataFrame) -> DataFrame:
        times = frame.groupBy(*map(column, self.key)).agg(F.count(F.lit(1)).alias(_TIMES))
        renamed = [column(name).alias(f"__key_{i}") for i, name in enumerate(self.key)]
        return times.filter(F.col(_TIMES) > 1).select(*renamed)

    def _with_key(self, frame: DataFrame, keys: DataFrame, how: str) -> DataFrame:
        matches = (column(name).eqNullSafe(column(f"__key_{i}")) for i, name in enumerate(self.key))
        return frame.join(keys, reduce(and_, matches), how)

    def _joined(self, before: DataFrame, after: DataFrame) -> DataFrame:
        was = before.select(*self._as(was_name), F.lit(True).alias("__was"))
        now = after.select(*self._as(now_name), F.lit(True).alias("__is"))
        same = (column(was_name(n)).eqNullSafe(column(now_name(n))) for n in self.key)
        both = was.join(now, reduce(and_, same), "full_outer")
        cells = self._changed_cells()
        sort = (
            F.when(F.col("__is").isNull(), F.lit("before"))
            .when(F.col("__was").isNull(), F.lit("after"))
            .when(F.size(cells) > 0, F.lit("changed"))
        )
        values = [column(name(n)) for n in self.names for name in (was_name, now_name)]
        times = F.lit(1).cast("bigint").alias(_TIMES)
        rows = both.select(sort.alias(_KIND), times, cells.alias(_CELLS), *values)
        return rows.filter(F.col(_KIND).isNotNull())

    def _changed_cells(self) -> Column:
        cells = [
            F.when(
                differs(
                    column(was_name(name)),
                    column(now_name(name)),
                    self.pair.shared[name],
                    self.criteria.tolerance.get(name),
                ),
                F.lit(name),
            )
            for name in self.compared
        ]
        return F.array_compact(F.array(*cells)) if cells else _no_cells()

    def _heaped(self, before: DataFrame, after: DataFrame) -> DataFrame:
        heap = before.withColumn(_TIMES, F.lit(1).cast("bigint")).unionByName(
            after.withColumn(_TIMES, F.lit(-1).cast("bigint"))
        )
        left = heap.groupBy(*map(column, self.names)).agg(F.sum(_TIMES).alias(_TIMES))
        gone = F.col(_TIMES) > 0
        values = [
            F.when(is_there, column(n)).alias(name(n))
            for n in self.names
            for name, is_there in ((was_name, gone), (now_name, ~gone))
        ]
        sort = F.when(gone, F.lit("before")).otherwise(F.lit("after")).alias(_KIND)
        times = F.abs(F.col(_TIMES)).alias(_TIMES)
        rows = left.filter(F.col(_TIMES) != 0)
        return rows.select(sort, times, _no_cells().alias(_CELLS), *values)

    def _as(self, name: _Naming) -> list[Column]:
        return [column(n).alias(name(n)) for n in self.names]


class Kept:
    def __init__(self, rows: DifferingRows) -> None:
        self._rows = rows
        self._frame = rows.frame().persist()
        self._limit = rows.criteria.limit

    def close(self) -> None:
        self._frame.unpersist()

    def counts(self) -> dict[str, int]:
        found = self._frame.groupBy(_KIND).agg(F.sum(_TIMES)).collect()
        return {str(sort): int(count) for sort, count in found}

    def changed_cells(self) -> dict[str, int]:
        changed = self._frame.filter(F.col(_KIND) == "changed")
        names = changed.select(F.explode(_CELLS).alias(_CELLS))
        found = dict(tuple(row) for row in names.groupBy(_CELLS).count().collect())
        return {name: int(found[name]) for name in self._rows.compared if name in found}

    def changed_rows(self) -> tuple[ChangedRow, ...]:
        fields = [*self._fields(was_name), *self._fields(now_name)]
        cells = F.concat_ws("\n", F.col(_CELLS)).alias(_CELLS)
        rows = self._sorted("changed", was_name).withColumn(_CELLS, cells)
        found = collect(rows, [Field(_CELLS, t.STRING), *fields], self._limit)
        return tuple(self._changed_row(row) for row in found)

    def _changed_row(self, row: Mapping[str, Any]) -> ChangedRow:
        was = {name: row[was_name(name)] for name in self._rows.names}
        changed = str(row[_CELLS]).split("\n")
        return ChangedRow(
            {name: was[name] for name in self._rows.key},
            tuple(CellChange(name, was[name], row[now_name(name)]) for name in changed),
            self._known_by(was, changed) if self._rows.key == (ROW_ID,) else {},
        )

    def _known_by(self, was: Row, changed: Collection[str]) -> Row:
        """The natural key, else the first cells that say something."""
        told = [name for name in was if was[name] is not None and not is_system(name)]
        natural = [name for name in self._rows.natural_key if name in told]
        others = [name for name in told if name not in changed]
        return {name: was[name] for name in natural or others[:_TELLING]}

    def rows(self, sort: Literal["before", "after"]) -> tuple[Row, ...]:
        """The first rows that only one side has, by key; one as often as it is there."""
        name = was_name if sort == "before" else now_name
        found = collect(
            self._sorted(sort, name), [Field(_TIMES, t.INTEGER), *self._fields(name)], self._limit
        )
        rows = [
            {each: row[name(each)] for each in self._rows.names}
            for row in found
            for _ in range(min(row[_TIMES], self._limit))
        ]
        return tuple(rows[: self._limit])

    def _sorted(self, sort: _Sort, name: _Naming) -> DataFrame:
        order = [column(name(n)).asc_nulls_last() for n in self._rows.in_order]
        rows = self._frame.filter(F.col(_KIND) == sort)
        return rows.orderBy(*order) if order else rows

    def _fields(self, name: _Naming) -> list[Field]:
        shared = self._rows.pair.shared
        return [Field(name(n), shared[n]) for n in self._rows.names]


def _no_cells() -> Column:
    return F.array().cast("array<string>")
