"""The working dataset while a run goes on: a frame, its columns, and the counts it carries.

Counts for the ledger come with the data: each operation that picks rows leaves a boolean column on
the rows it picked, each that adds rows a number on the rows it added. One aggregation at the end
reads them all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile import column
from rowbook.expressions.scope import Field
from rowbook.expressions.types import BOOLEAN, INTEGER
from rowbook.planning.columns import Columns

_BOOLEAN, _NUMBER = "__matched_", "__taken_"


@dataclass(frozen=True, slots=True)
class Working:
    """The working dataset after some operation. `depth` counts the steps since the plan was last
    cut: plans that grow without end overflow Spark's analyser."""

    frame: DataFrame
    columns: Columns
    counters: tuple[str, ...] = ()
    depth: int = 0
    computed: bool = False

    def with_frame(self, frame: DataFrame, columns: Columns | None = None) -> Working:
        """After one more step."""
        return Working(frame, columns or self.columns, self.counters, self.depth + 1)

    def counted(self, name: str) -> Working:
        """With one more counter."""
        return replace(self, counters=(*self.counters, name))

    def visible(self) -> DataFrame:
        """The rows that operations see, without counters."""
        return self.frame.filter(~column("_deleted")).select(*map(column, self.columns.fields))

    def cut(self) -> Working:
        """Computed here and now; what follows starts from the result."""
        return Working(self.frame.localCheckpoint(eager=True), self.columns, self.counters, 0, True)


def matched_name(seq: int) -> str:
    """The column that marks rows an operation picked."""
    return f"{_BOOLEAN}{seq}"


def taken_name(seq: int) -> str:
    """The column that says, on a row that was added, how many rows it was made from."""
    return f"{_NUMBER}{seq}"


@dataclass(frozen=True, slots=True)
class Count:
    """Of one operation: rows it picked or was made from, and rows it added."""

    matched: int
    added: int = 0


def count_all(working: Working) -> dict[int, Count]:
    """Every operation's count by seq, in one pass; 0 stands for the input's visible rows."""
    if not working.counters:
        return {}
    totals = [total for name in working.counters for total in _totals(name)]
    row = working.frame.agg(*totals).collect()[0].asDict()
    return {
        _seq(name): Count(int(row[name] or 0), int(row.get(f"{name}_rows") or 0))
        for name in working.counters
    }


def counter_fields(working: Working) -> list[Field]:
    """The counters as columns to collect."""
    return [
        Field(name, BOOLEAN if name.startswith(_BOOLEAN) else INTEGER) for name in working.counters
    ]


def count_rows(rows: Sequence[Mapping[str, Any]], working: Working) -> dict[int, Count]:
    """As `count_all`, of rows that have been collected."""
    counts: dict[int, Count] = {}
    for name in working.counters:
        marks = [int(row[name]) for row in rows if row[name] is not None]
        added = 0 if name.startswith(_BOOLEAN) else len(marks)
        counts[_seq(name)] = Count(sum(marks), added)
    return counts


def _totals(name: str) -> list[Column]:
    if name.startswith(_BOOLEAN):
        return [F.count_if(column(name)).alias(name)]
    return [F.sum(column(name)).alias(name), F.count(column(name)).alias(f"{name}_rows")]


def _seq(name: str) -> int:
    return int(name.rpartition("_")[2])
