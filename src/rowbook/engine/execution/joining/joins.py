"""Joins that never multiply rows: no match gives NULLs, a second match fails the run (JOIN_005).

The usual condition compares columns of both sides. Then the right side is grouped by its keys, so
that each key stands there once with how often it stood; a visible row that meets a number above one
raises. Duplicates that nothing matches harm nobody. Any other condition joins first and then looks
whether a row came out more than once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.functions import balanced
from rowbook.engine.compile.row_ids import FIRST
from rowbook.engine.execution.joining.joined_keys import MATCHES, KeyedRows
from rowbook.planning.datasets import Join
from rowbook.planning.join_condition import JoinCondition, join_condition
from rowbook.spark.column_names import column, joined_name
from rowbook.spark.markers import failing, sound_rows


def join(
    frame: DataFrame,
    right: DataFrame,
    spec: Join,
    compiler: Compiler,
    where: str,
    visible: Column,
    there: str | None = None,
) -> DataFrame:
    """The frame with the joined dataset's columns under the alias. Only visible rows are matched;
    `where` names the operation in the error, empty where none joins; a column `there` is TRUE where
    a row has a match."""
    condition = join_condition(spec)
    renamed = named_columns(right, spec, condition, compiler)
    if there is not None:
        renamed = renamed.withColumn(there, F.lit(True))
    made = _Join(spec, condition, compiler, where, visible)
    return (made.by_row if condition.by_row else made.by_keys)(frame, renamed)


def join_keyed(
    frame: DataFrame, right: KeyedRows, spec: Join, compiler: Compiler, where: str, visible: Column
) -> DataFrame:
    """The same, with a dataset that is grouped by its keys already."""
    made = _Join(spec, join_condition(spec), compiler, where, visible)
    return made.with_keyed(frame, right)


def named_columns(
    right: DataFrame,
    spec: Join,
    condition: JoinCondition,
    compiler: Compiler,
    more: Sequence[str] = (),
) -> DataFrame:
    """What expressions may read of a joined dataset, and `more`, under its alias; the rows for
    which what the condition asks of them alone is true."""
    names = (*spec.dataset.readable.fields, *more)
    renamed = right.select(*(column(n).alias(joined_name(spec.alias, n)) for n in names))
    if not condition.right:
        return renamed
    wanted = [compiler.condition(part) for part in condition.right]
    return renamed.filter(balanced(wanted, Column.__and__))


@dataclass(frozen=True, slots=True)
class _Join:
    spec: Join
    condition: JoinCondition
    compiler: Compiler
    where: str
    visible: Column

    def by_keys(self, frame: DataFrame, right: DataFrame) -> DataFrame:
        compile_, keys = self.compiler.compile, self.condition.keys
        key_names = [f"__key_{i}" for i in range(len(keys))]
        keyed = right.withColumns(
            {n: compile_(r) for n, (_, r) in zip(key_names, keys, strict=True)}
        )
        rows = F.struct(*(column(n) for n in right.columns))
        unique = keyed.groupBy(*key_names).agg(
            F.count(F.lit(1)).alias(MATCHES), F.first(rows).alias("__row")
        )
        unique = unique.select(
            *key_names, MATCHES, *(column("__row").getField(n).alias(n) for n in right.columns)
        )
        added = (*key_names, MATCHES)
        return self.with_keyed(frame, KeyedRows(unique, tuple(key_names), added, repeated=True))

    def with_keyed(self, frame: DataFrame, right: KeyedRows) -> DataFrame:
        left_keys = [self.compiler.compile(left) for left, _ in self.condition.keys]
        equal = [left == column(n) for n, left in zip(right.keys, left_keys, strict=True)]
        joined = frame.join(right.frame, self._matching(equal), "left")
        if right.repeated:
            matches = F.coalesce(column(MATCHES), F.lit(0))
            joined = self._checked(joined, matches, left_keys)
        return joined.drop(*right.added) if right.added else joined

    def by_row(self, frame: DataFrame, right: DataFrame) -> DataFrame:
        compile_, keys = self.compiler.compile, self.condition.keys
        marked = right.withColumn("__there", F.lit(True))
        numbered = frame.withColumn("__left", F.monotonically_increasing_id())
        equal = [compile_(left) == compile_(r) for left, r in keys]
        joined = numbered.join(marked, self._matching(equal), "left")
        same = Window.partitionBy("__left")
        counted = joined.withColumn(MATCHES, F.count(column("__there")).over(same))
        told_by = [compile_(left) for left, _ in keys] or row_key(frame, self.compiler)
        checked = self._checked(counted, column(MATCHES), told_by)
        return checked.drop("__left", "__there", MATCHES)

    def _matching(self, equal: Sequence[Column]) -> Column:
        also = [self.compiler.condition(part) for part in self.condition.rest]
        return balanced([self.visible, *equal, *also], Column.__and__)

    def _checked(self, frame: DataFrame, matches: Column, key: Sequence[Column]) -> DataFrame:
        dataset = self.spec.dataset.name
        where = f"{self.where}: " if self.where else ""
        text = F.concat(
            F.lit(f"{where}join '{self.spec.alias}' to dataset '{dataset}': key "),
            F.concat_ws(", ", *(F.coalesce(k.cast("string"), F.lit("NULL")) for k in key)),
            F.lit(" matches "),
            matches.cast("string"),
            F.lit(" rows"),
        )
        return sound_rows(frame, (matches > 1, failing("JOIN_005", text)))


def row_key(frame: DataFrame, compiler: Compiler) -> list[Column]:
    """What names a row where the condition has no keys: its id, or all it holds."""
    names = frame.columns
    if FIRST in names:
        return [F.concat(F.lit("row "), compiler.row_id())]
    return [column(name) for name in names if not name.startswith("_")]
