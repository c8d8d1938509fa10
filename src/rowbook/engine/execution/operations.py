"""The operations that add or write rows, on frames; row-wise ones are in `layers`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.row_ids import FIRST, ROW_ID, SECOND, STORED, with_row_ids
from rowbook.engine.counting.by_group import GroupCounts
from rowbook.engine.counting.counters import TAKEN, Added, Flag
from rowbook.engine.execution.explain_failure import cannot_load
from rowbook.engine.execution.grouping import Grouping
from rowbook.engine.execution.joins import not_deleted
from rowbook.engine.execution.machinery import Machinery, step_label
from rowbook.engine.execution.rollups import Rollup, aggregates_of, can_merge
from rowbook.engine.execution.working import SUMMARY_EFFORT, Working
from rowbook.engine.loading.system_columns import KEPT, Origin, defaults, typed, typed_by_name
from rowbook.errors import RowbookError
from rowbook.expressions.bound import Aggregate
from rowbook.planning.columns import PERIOD, VALIDITY_PAIRS, Columns
from rowbook.planning.steps import AggregateStep, AppendStep, OutputStep, Step
from rowbook.spark.column_names import column

TEMPORAL = (PERIOD.name, *(name for pair in VALIDITY_PAIRS for name in pair))

_AT_START = "__flags_0"


def aggregate(
    working: Working,
    step: AggregateStep,
    machinery: Machinery,
    *,
    observed: DataFrame | None = None,
    counts: GroupCounts | None = None,
    keep: bool = False,
    rollup: Rollup | None = None,
) -> Working:
    """One summary row a group, beside the rows there are. Where rows are read again later, `keep`
    computes the summary here and now: each aggregate would else double the plan. `observed` are the
    same rows, to be counted while they are summarised; or they are counted by their groups, which
    must then be kept. With a `rollup` the step makes parts for others, or is made from those of
    another."""
    if rollup is not None and rollup.makes(step):
        picked, merges = rollup.merged(step, working.columns, machinery.compiler)
        grouping = Grouping(picked, step.keys, F.sum(column(TAKEN)), merges)
    else:
        rows = working if observed is None else replace(working, frame=observed)
        grouping = _Groups(step, machinery, counts, rollup).of(rows)
    if rollup is not None and step is rollup.steps[0]:
        grouping = grouping.with_parts(rollup.parts, machinery.compiler)
    summary, given = grouping.grouped(step, machinery.compiler)
    told = _identified(working, summary, step, step.keys, unique=True)
    if keep:
        told = told.localCheckpoint(eager=True)
    if counts is not None:
        told = counts.read(told)
    given = {**defaults(Origin(machinery.input, step.seq), machinery.context), **given}
    new = _new_rows(working, told, given, step, machinery)
    if rollup is not None:
        rollup.add(step, told, new)
    return _add(working, new, step, machinery, SUMMARY_EFFORT if keep else ADDED_EFFORT)


@dataclass(frozen=True, slots=True)
class _Groups:
    """How an aggregate groups rows."""

    step: AggregateStep
    machinery: Machinery
    counts: GroupCounts | None
    rollup: Rollup | None

    def of(self, working: Working) -> Grouping:
        """Groups of the working dataset's visible rows. Where rows are counted by groups, and these
        can be put together, each piece has its own: with many rows that is faster."""
        step, compiler = self.step, self.machinery.compiler
        parts = aggregates_of(self.rollup.steps if self.rollup else [step])
        if self.counts is not None and all(map(can_merge, parts)):
            pieces = [self._picked(piece) for piece in working.pieces()]
            if len(pieces) > 1:
                return self._grouping(pieces[0], parts).put_together(pieces, parts, compiler)
        frame = self.machinery.joined(working.frame, step.joins, step_label(step), not_deleted())
        if ROW_ID in step.keys:
            frame = frame.withColumn(ROW_ID, compiler.row_id())
        return self._grouping(self._picked(frame), parts)

    def _picked(self, frame: DataFrame) -> DataFrame:
        """The rows that are grouped: where they are counted by groups, deleted ones too."""
        if self.counts is not None:
            return frame
        return frame.filter(not_deleted() & self.machinery.compiler.condition(self.step.selector))

    def _grouping(self, frame: DataFrame, parts: Sequence[Aggregate]) -> Grouping:
        """Deleted rows have groups of their own, for which nothing is added up."""
        rows = F.count(F.lit(1))
        if self.counts is None:
            return Grouping(frame, self.step.keys, rows)
        made = {part: self.machinery.compiler.aggregate(part, not_deleted()) for part in parts}
        return Grouping(
            frame, self.step.keys, rows, made, self.counts.beside(), apart=("_deleted",)
        )


def append(working: Working, step: AppendStep, machinery: Machinery) -> Working:
    """Rows of another dataset, as they are or summarised."""
    source = _load_source(step, machinery)
    frame = machinery.joined(source, step.joins, step_label(step), visible=F.lit(True))
    picked = frame.filter(machinery.compiler.condition(step.selector))
    given = defaults(Origin(step.source, step.seq), machinery.context)
    own = set(source.columns)
    if step.keys is None:
        rows = picked.withColumn(TAKEN, F.lit(1).cast("bigint"))
        given |= {r.column: machinery.compiler.compile(r.expression) for r in step.results}
        told_by, unique = identity(source)
        rows = _identified(working, rows, step, told_by, unique=unique)
    else:
        grouping = Grouping(picked, step.keys, F.count(F.lit(1)))
        rows, results = grouping.grouped(step, machinery.compiler)
        own = set(step.keys)
        given |= results
        rows = _identified(working, rows, step, step.keys, unique=True)
    given |= _temporal(step, own, machinery)
    new = _new_rows(working, rows, given, step, machinery)
    return _add(working, new, step, machinery, ADDED_EFFORT)


def _load_source(step: AppendStep, machinery: Machinery) -> DataFrame:
    try:
        return machinery.load(step.source)
    except RowbookError as error:
        raise cannot_load(step_label(step), error.diagnostics, error) from error


def _temporal(step: AppendStep, own: set[str], machinery: Machinery) -> dict[str, Column]:
    """`_period` and validity of appended rows: the source's, else the run's period or NULL."""
    wanted = step.columns.fields
    given = {n: column(n) for n in TEMPORAL if n in wanted and n in own and n.startswith("_")}
    if PERIOD.name in wanted and PERIOD.name not in given:
        given[PERIOD.name] = F.lit(machinery.context.period.identifier)
    return given


def _new_rows(
    working: Working,
    rows: DataFrame,
    given: dict[str, Column],
    step: Step,
    machinery: Machinery,
) -> DataFrame:
    """Rows that an operation adds, with what they have of the working dataset's columns."""
    kept = {name: value for name, value in given.items() if name not in working.dropped}
    hidden = [] if ROW_ID in working.dropped else [FIRST, SECOND]
    hidden += [TAKEN] if machinery.options.ledger else []
    return rows.select(*typed(kept, step.columns), *map(column, hidden))


def _add(
    working: Working, new: DataFrame, step: Step, machinery: Machinery, effort: float
) -> Working:
    """The working dataset with the rows that an operation adds; what they lack is NULL."""
    after = replace(
        working.with_rows(new),
        columns=step.columns,
        depth=working.depth + 1,
        effort=working.effort + effort,
    )
    return after.counted(Added(step.seq)) if machinery.options.ledger else after


def output(working: Working, step: OutputStep, machinery: Machinery) -> DataFrame:
    """The rows that an output writes; the working dataset stays as it is."""
    visible = F.lit(True) if step.include_deleted else not_deleted()
    frame = machinery.joined(working.frame, step.joins, step_label(step), visible)
    picked = frame.filter(visible & machinery.compiler.condition(step.selector))
    period = F.coalesce(column(PERIOD.name), F.lit(machinery.context.period.identifier))
    read = working.select(step.written, machinery.context)
    return picked.select(
        *(
            period.alias(name) if name == PERIOD.name else value
            for name, value in zip(step.written, read, strict=True)
        )
    )


def start(
    loaded: DataFrame, machinery: Machinery, columns: Columns, *, with_ids: bool = True
) -> Working:
    """The working dataset from the input's rows, with the system columns they lack."""
    present = set(loaded.columns)
    given = defaults(Origin(machinery.input), machinery.context)
    for name in KEPT & present:
        given[name] = F.coalesce(column(name), given[name])
    stored = ROW_ID in present
    frame = loaded.withColumnRenamed(ROW_ID, STORED) if stored else loaded
    hidden: list[Column] = []
    if with_ids:
        told_by, unique = identity(frame)
        frame = with_row_ids(frame, "input", told_by, unique=unique)
        hidden += [column(name) for name in (FIRST, SECOND, *([STORED] * stored))]
    given |= {n: F.lit(None) for n in columns.fields if n not in present and n not in given}
    made = typed_by_name(given, columns)
    names = [name for name in columns.fields if name != ROW_ID]
    shown_columns = [made.get(name, column(name)).alias(name) for name in names]
    dropped = frozenset() if with_ids else frozenset({ROW_ID})
    working = Working(frame, columns, stored_ids=stored, dropped=dropped)
    if machinery.options.ledger:
        visible = F.when(given["_deleted"], F.lit(0)).otherwise(F.lit(1)).cast("bigint")
        hidden.append(visible.alias(_AT_START))
        working = working.counted(Flag(0, _AT_START, 0))
    return replace(working, frame=frame.select(*shown_columns, *hidden))


def identity(frame: DataFrame) -> tuple[tuple[str, ...], bool]:
    """The columns that tell a source's rows apart, and whether they surely do."""
    places = tuple(name for name in frame.columns if name.startswith("__id_"))
    return (places, True) if places else (tuple(sorted(frame.columns)), False)


ADDED_EFFORT = 0.5
"""Of rows that are added and computed each time: another source, or another grouping."""


def _identified(
    working: Working, rows: DataFrame, step: Step, told_by: Sequence[str], *, unique: bool
) -> DataFrame:
    """Rows that an operation adds, with ids if the others have any."""
    if ROW_ID in working.dropped:
        return rows
    return with_row_ids(rows, f"operation {step.seq}", told_by, unique=unique)
