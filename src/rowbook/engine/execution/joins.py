"""Joins that never multiply rows: no match gives NULLs, a second match fails the run (JOIN_005).

The usual condition compares columns of both sides. Then the right side is grouped by its keys, so
that each key stands there once with how often it stood; a visible row that meets a number above one
raises. Duplicates that nothing matches harm nobody. Any other condition joins first and then looks
whether a row came out more than once.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.functions import balanced
from rowbook.engine.compile.row_ids import FIRST
from rowbook.engine.strategy.step_analysis import JoinCondition, join_condition
from rowbook.planning.datasets import Join
from rowbook.spark.column_names import column, joined_name
from rowbook.spark.markers import failing

_MATCHES = "__matches"


def join(
    frame: DataFrame, right: DataFrame, spec: Join, compiler: Compiler, where: str, visible: Column
) -> DataFrame:
    """The frame with the joined dataset's columns under the alias. Only visible rows are matched;
    `where` names the operation in the error."""
    names = [f.name for f in spec.dataset.readable.fields.values()]
    renamed = right.select(*(column(n).alias(joined_name(spec.alias, n)) for n in names))
    condition = join_condition(spec)
    if condition.right:
        renamed = renamed.filter(
            balanced([compiler.condition(p) for p in condition.right], Column.__and__)
        )
    way = _by_row if condition.by_row else _by_keys
    return way(frame, renamed, spec, condition, compiler, where, visible)


def _by_keys(
    frame: DataFrame,
    right: DataFrame,
    spec: Join,
    condition: JoinCondition,
    compiler: Compiler,
    where: str,
    visible: Column,
) -> DataFrame:
    key_names = [f"__key_{i}" for i in range(len(condition.keys))]
    keyed = right.withColumns(
        {n: compiler.compile(r) for n, (_, r) in zip(key_names, condition.keys, strict=True)}
    )
    rows = F.struct(*(column(n) for n in right.columns))
    unique = keyed.groupBy(*key_names).agg(
        F.count(F.lit(1)).alias(_MATCHES), F.first(rows).alias("__row")
    )
    unique = unique.select(
        *key_names, _MATCHES, *(column("__row").getField(n).alias(n) for n in right.columns)
    )
    left_keys = [compiler.compile(left) for left, _ in condition.keys]
    equal = [left == column(n) for n, left in zip(key_names, left_keys, strict=True)]
    also = [compiler.condition(part) for part in condition.rest]
    joined = frame.join(unique, balanced([visible, *equal, *also], Column.__and__), "left")
    matches = F.coalesce(column(_MATCHES), F.lit(0))
    checked = _refuse_many(joined, matches, _shown(left_keys), spec, where)
    return checked.drop(*key_names, _MATCHES)


def _by_row(
    frame: DataFrame,
    right: DataFrame,
    spec: Join,
    condition: JoinCondition,
    compiler: Compiler,
    where: str,
    visible: Column,
) -> DataFrame:
    parts = [
        *(compiler.compile(left) == compiler.compile(r) for left, r in condition.keys),
        *(compiler.condition(part) for part in condition.rest),
    ]
    marked = right.withColumn("__there", F.lit(True))
    matches = balanced([visible, *parts], Column.__and__)
    numbered = frame.withColumn("__left", F.monotonically_increasing_id())
    joined = numbered.join(marked, matches, "left")
    same = Window.partitionBy("__left")
    counted = joined.withColumn(_MATCHES, F.count(column("__there")).over(same))
    shown = _shown(
        [compiler.compile(left) for left, _ in condition.keys] or _row_key(frame, compiler)
    )
    checked = _refuse_many(counted, column(_MATCHES), shown, spec, where)
    return checked.drop("__left", "__there", _MATCHES)


def _shown(keys: Sequence[Column]) -> Column:
    return F.concat_ws(", ", *(F.coalesce(k.cast("string"), F.lit("NULL")) for k in keys))


def _row_key(frame: DataFrame, compiler: Compiler) -> list[Column]:
    """What names a row where the condition has no keys: its id, or all it holds."""
    names = frame.columns
    if FIRST in names:
        return [F.concat(F.lit("row "), compiler.row_id())]
    return [column(name) for name in names if not name.startswith("_")]


def _refuse_many(
    frame: DataFrame, matches: Column, key: Column, spec: Join, where: str
) -> DataFrame:
    """A filter, because nothing may take it out of the plan."""
    text = F.concat(
        F.lit(f"{where}: join '{spec.alias}' to dataset '{spec.dataset.name}': key "),
        key,
        F.lit(" matches "),
        matches.cast("string"),
        F.lit(" rows"),
    )
    fail = failing("JOIN_005", text).cast("boolean")
    return frame.filter(F.when(matches > 1, fail).otherwise(F.lit(True)))
