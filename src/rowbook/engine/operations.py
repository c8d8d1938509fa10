"""The operations on frames. Each takes the working dataset and returns it after the operation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine import frames
from rowbook.engine.compile import Compiler, column, joined_name, literal
from rowbook.engine.context import RunContext
from rowbook.engine.failures import cannot_load
from rowbook.engine.frames import Working
from rowbook.engine.joins import join, not_deleted
from rowbook.engine.row_ids import with_row_ids
from rowbook.engine.spark_types import spark_type
from rowbook.engine.system_columns import KEPT, Origin, defaults, typed, typed_by_name
from rowbook.errors import RowbookError
from rowbook.expressions import types as t
from rowbook.planning.columns import PERIOD, VALIDITY_PAIRS, Columns
from rowbook.planning.datasets import Dataset, Join
from rowbook.planning.steps import (
    AggregateStep,
    AppendStep,
    DeleteStep,
    OutputStep,
    Step,
    UpdateStep,
)

TEMPORAL = (PERIOD.name, *(name for pair in VALIDITY_PAIRS for name in pair))

Load: TypeAlias = Callable[[Dataset], DataFrame]
"""The rows of a dataset for this run: mapped, checked, filtered, without deleted ones."""


@dataclass(frozen=True, slots=True)
class Machinery:
    """What all operations of a run share."""

    context: RunContext
    compiler: Compiler
    load: Load
    input: Dataset

    def joined(
        self, frame: DataFrame, joins: tuple[Join, ...], where: str, visible: Column
    ) -> DataFrame:
        """The frame with all joins of a step."""
        for each in joins:
            right = self.load(each.dataset)
            frame = join(frame, right, each, self.compiler, where, visible)
        return frame


def shown(step: Step) -> str:
    """How messages name an operation."""
    return f"operation {step.seq} '{step.name}'"


def update(working: Working, step: UpdateStep, machinery: Machinery) -> Working:
    """All assignments from the row as it was before; other rows untouched."""
    marked, matched = _mark(working, step, machinery)
    changed = {
        r.column: _changed(
            r.column, machinery.compiler.compile(r.expression), matched, step, working
        )
        for r in step.assignments
    }
    changed["_updated_at"] = _stamped(matched, machinery)
    return _after(working, marked.withColumns(changed), step)


def delete(working: Working, step: DeleteStep, machinery: Machinery) -> Working:
    """Matching rows marked; nothing leaves the dataset."""
    marked, matched = _mark(working, step, machinery)
    deleted = column("_deleted") | matched
    changed = {"_deleted": deleted, "_updated_at": _stamped(matched, machinery)}
    return _after(working, marked.withColumns(changed), step)


def _changed(name: str, value: Column, matched: Column, step: Step, working: Working) -> Column:
    chosen = F.when(matched, value)
    if name in working.columns.fields:
        chosen = chosen.otherwise(column(name))
    return chosen.cast(spark_type(step.columns.fields[name].type))


def _stamped(matched: Column, machinery: Machinery) -> Column:
    now = literal(machinery.context.now, t.TIMESTAMP)
    return F.when(matched, now).otherwise(column("_updated_at"))


def _after(working: Working, frame: DataFrame, step: Step) -> Working:
    """The working dataset after a row-wise operation, without what it joined."""
    joined = [joined_name(j.alias, n) for j in step.joins for n in j.dataset.readable.fields]
    frame = frame.drop(*joined) if joined else frame
    return working.with_frame(frame, step.columns).counted(frames.matched_name(step.seq))


def _mark(working: Working, step: Step, machinery: Machinery) -> tuple[DataFrame, Column]:
    """The frame with joins and a column that says which visible rows the selector picks."""
    frame = machinery.joined(working.frame, step.joins, shown(step), not_deleted())
    name = frames.matched_name(step.seq)
    picked = not_deleted() & machinery.compiler.condition(step.selector)
    return frame.withColumn(name, picked), column(name)


def aggregate(working: Working, step: AggregateStep, machinery: Machinery) -> Working:
    """One summary row a group, beside the rows there are."""
    frame = machinery.joined(working.frame, step.joins, shown(step), not_deleted())
    picked = frame.filter(not_deleted() & machinery.compiler.condition(step.selector))
    summary, given = _grouped(picked, step.keys, step, machinery)
    told = with_row_ids(summary, _salt(step), machinery.context.now, step.keys, unique=True)
    given = {**defaults(Origin(machinery.input, step.seq), machinery.context), **given}
    return _add(working, told, given, step)


def append(working: Working, step: AppendStep, machinery: Machinery) -> Working:
    """Rows of another dataset, as they are or summarised."""
    source = _load_source(step, machinery)
    frame = machinery.joined(source, step.joins, shown(step), visible=F.lit(True))
    picked = frame.filter(machinery.compiler.condition(step.selector))
    given = defaults(Origin(step.source, step.seq), machinery.context)
    own = set(source.columns)
    if step.keys is None:
        taken = frames.taken_name(step.seq)
        rows = picked.withColumn(taken, F.lit(1).cast("bigint"))
        given |= {r.column: machinery.compiler.compile(r.expression) for r in step.results}
        told_by, unique = identity(source)
        rows = with_row_ids(rows, _salt(step), machinery.context.now, told_by, unique=unique)
    else:
        rows, results = _grouped(picked, step.keys, step, machinery)
        own = set(step.keys)
        given |= results
        rows = with_row_ids(rows, _salt(step), machinery.context.now, step.keys, unique=True)
    given |= _temporal(step, own, machinery)
    return _add(working, rows, given, step)


def _load_source(step: AppendStep, machinery: Machinery) -> DataFrame:
    try:
        return machinery.load(step.source)
    except RowbookError as error:
        raise cannot_load(shown(step), error.diagnostics, error) from error


def _temporal(step: AppendStep, own: set[str], machinery: Machinery) -> dict[str, Column]:
    """`_period` and validity of appended rows: the source's, else the run's period or NULL."""
    wanted = step.columns.fields
    given = {n: column(n) for n in TEMPORAL if n in wanted and n in own and n.startswith("_")}
    if PERIOD.name in wanted and PERIOD.name not in given:
        given[PERIOD.name] = F.lit(machinery.context.period.identifier)
    return given


def _grouped(
    picked: DataFrame,
    keys: tuple[str, ...],
    step: AggregateStep | AppendStep,
    machinery: Machinery,
) -> tuple[DataFrame, dict[str, Column]]:
    """One row a group with the number of rows it was made from, and where each result stands."""
    made = {f"__result_{i}": r for i, r in enumerate(step.results)}
    summary = picked.groupBy(*(column(key) for key in keys)).agg(
        F.count(F.lit(1)).alias(frames.taken_name(step.seq)),
        *(machinery.compiler.compile(r.expression).alias(name) for name, r in made.items()),
    )
    given = {key: column(key) for key in keys if not key.startswith("_") or key == PERIOD.name}
    return summary, given | {r.column: column(name) for name, r in made.items()}


def _add(working: Working, rows: DataFrame, given: dict[str, Column], step: Step) -> Working:
    """The working dataset with the rows that an operation adds; what they lack is NULL."""
    taken = frames.taken_name(step.seq)
    given = {**given, "_row_id": column("_row_id")}
    new = rows.select(*typed(given, step.columns), column(taken))
    both = working.frame.unionByName(new, allowMissingColumns=True)
    return working.with_frame(both, step.columns).counted(taken)


def output(working: Working, step: OutputStep, machinery: Machinery) -> DataFrame:
    """The rows that an output writes; the working dataset stays as it is."""
    visible = F.lit(True) if step.include_deleted else not_deleted()
    frame = machinery.joined(working.frame, step.joins, shown(step), visible)
    picked = frame.filter(visible & machinery.compiler.condition(step.selector))
    period = F.coalesce(column(PERIOD.name), F.lit(machinery.context.period.identifier))
    return picked.select(
        *(period.alias(n) if n == PERIOD.name else column(n) for n in step.written)
    )


def start(loaded: DataFrame, machinery: Machinery, columns: Columns) -> Working:
    """The working dataset from the input's rows, with the system columns they lack."""
    present = set(loaded.columns)
    given = defaults(Origin(machinery.input), machinery.context)
    for name in KEPT & present:
        given[name] = F.coalesce(column(name), given[name])
    stored = "_row_id" in present
    frame = loaded.withColumnRenamed("_row_id", "__stored_id") if stored else loaded
    told_by, unique = identity(frame)
    told = with_row_ids(frame, "input", machinery.context.now, told_by, unique=unique)
    new = column("_row_id")
    given["_row_id"] = F.coalesce(column("__stored_id"), new) if stored else new
    counter = frames.matched_name(0)
    given |= {n: F.lit(None) for n in columns.fields if n not in present and n not in given}
    given |= {counter: ~given["_deleted"]}
    made = told.withColumns({**typed_by_name(given, columns), counter: given[counter]})
    surplus = [n for n in made.columns if n not in columns.fields and n != counter]
    return Working(made.drop(*surplus), columns).counted(counter)


def identity(frame: DataFrame) -> tuple[tuple[str, ...], bool]:
    """The columns that tell a source's rows apart, and whether they surely do."""
    places = tuple(name for name in frame.columns if name.startswith("__id_"))
    return (places, True) if places else (tuple(sorted(frame.columns)), False)


def _salt(step: Step) -> str:
    return f"operation {step.seq}"
