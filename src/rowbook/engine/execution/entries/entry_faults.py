"""Rows without a match (JOIN_007) and weights that nothing is spread by (RUN_012), told in full.

Inside Spark the first of them fails the job; only then is it found out which there are and how
many, by computing them once more.
"""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.execution.append_rows import entry_frames
from rowbook.engine.execution.entries.entry_frames import EntryFrames
from rowbook.engine.execution.environment import Environment, step_label
from rowbook.engine.execution.failures.retry_parts import one_by_one
from rowbook.engine.execution.joining.joins import row_key
from rowbook.engine.execution.joining.many_matches import left_keys, there
from rowbook.engine.execution.working import Working
from rowbook.errors import Diagnostic
from rowbook.planning.datasets import Join
from rowbook.planning.steps import AnyStep, AppendStep
from rowbook.reference.entries.entry_rows import MOST_KEYS, unmatched_message
from rowbook.reference.entries.spreads import spread_message
from rowbook.spark.causes import is_spark_failure
from rowbook.spark.column_names import column
from rowbook.spark.markers import found_in

_CODES = ("JOIN_005", "JOIN_007", "RUN_012")


def entry_fault(
    error: Exception, steps: Sequence[AnyStep], start: Working, environment: Environment
) -> Diagnostic | Exception:
    """What is wrong with the rows of the first append of which something is, among these steps of
    which one failed; else the error. A fault of an operation before it, found on the way, takes the
    error's place: Spark may meet any of them first."""
    marked = found_in(str(error))
    checked = [step for step in steps if isinstance(step, AppendStep) and _is_checked(step)]
    if marked is None or marked[0] not in _CODES or not checked:
        return error
    before = start
    for step in steps:
        if isinstance(step, AppendStep) and step in checked:
            try:
                fault = _fault(entry_frames(before, step, environment))
            except Exception as another:
                if not is_spark_failure(another):
                    raise
                return another
            if fault is not None:
                return Diagnostic(*fault, operation=step_label(step))
        if marked[1].startswith(f"{step_label(step)}: "):
            break
        before = one_by_one(step, before, environment)
    return error


def _is_checked(step: AppendStep) -> bool:
    return step.spread is not None or any(join.unmatched == "error" for join in step.matches)


def _fault(entries: EntryFrames) -> tuple[str, str] | None:
    """The code and message of the first fault, in the order in which the append does things."""
    frame = entries.told_apart()
    for join in entries.step.matches:
        frame = entries.matched(frame, join)
        if join.unmatched == "error":
            without = frame.filter(there(join.alias).isNull())
            if (message := _unmatched(without, join, entries)) is not None:
                return "JOIN_007", message
        if join.unmatched != "keep":
            frame = frame.filter(there(join.alias))
    if (spread := entries.spread) is None:
        return None
    name = F.concat_ws(", ", *(_text(each) for each in _name(entries)))
    fault = F.concat(name, F.lit(": "), spread.fault())
    rows = spread.weighed(frame).select(*map(column, spread.origin), fault.alias("fault"))
    faults = rows.filter(column("fault").isNotNull()).distinct()
    count, first = faults.agg(F.count(F.lit(1)), F.min(column("fault"))).collect()[0]
    return ("RUN_012", spread_message(spread.spread, first, count)) if count else None


def _unmatched(rows: DataFrame, join: Join, entries: EntryFrames) -> str | None:
    keys = left_keys(join, entries.environment.compiler)
    key = F.concat_ws(", ", *map(_text, keys)) if keys else F.lit("")
    counted = rows.groupBy(key.alias("key")).agg(F.count(F.lit(1)).alias("rows"))
    distinct, total = counted.agg(F.count(F.lit(1)), F.sum(column("rows"))).collect()[0]
    if not distinct:
        return None
    first = counted.orderBy(column("key")).limit(MOST_KEYS).collect()
    return unmatched_message(join, [(row[0], row[1]) for row in first], distinct, total)


def _name(entries: EntryFrames) -> list[Column]:
    return row_key(entries.source, entries.environment.compiler)


def _text(value: Column) -> Column:
    return F.coalesce(value.cast("string"), F.lit("NULL"))
