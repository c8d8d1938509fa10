"""Aggregates: one summary row a group, from rows, or from the groups of another aggregate; at each
of their levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import Compiler, is_constant
from rowbook.engine.compile.spark_types import sql_type
from rowbook.engine.counting.by_group import GroupCounts
from rowbook.engine.counting.counters import TAKEN
from rowbook.engine.execution.checkpoint import checkpoint, is_in_one_task
from rowbook.engine.execution.environment import Environment, step_label
from rowbook.engine.execution.new_rows import add_rows, new_rows, with_level_ids, with_new_ids
from rowbook.engine.execution.output_rows import added_rows
from rowbook.engine.execution.passed_groups import PassedGroups, merged_part, united_groups
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import Origin, defaults, not_deleted
from rowbook.engine.session.sizing import in_one_task
from rowbook.engine.strategy.rollups import can_merge
from rowbook.engine.strategy.stages import AggregateStage
from rowbook.engine.strategy.step_analysis import aggregates_of, conditions, own_columns
from rowbook.expressions.bound import Aggregate
from rowbook.expressions.scope import LEVEL
from rowbook.planning.columns import ROW_ID, Columns, is_listed
from rowbook.planning.steps import AggregateStep, AppendStep
from rowbook.spark.column_names import column

_LEVEL_NUMBER = "__level_number"


def aggregate(
    working: Working,
    stage: AggregateStage,
    environment: Environment,
    *,
    observed: DataFrame | None = None,
    counts: GroupCounts | None = None,
    levels: LevelFrames | None = None,
    passed: PassedGroups | None = None,
) -> Working:
    """One summary row a group, beside the rows there are. `observed` are the same rows, to be
    counted while they are summarised; or they are counted by their groups, which must then be kept.
    `levels` are those of the stage, with what was left by those before it; `passed` are its groups
    of rows that have passed."""
    step, compiler = stage.step, environment.compiler
    if levels is not None and not stage.reads_rows:
        picked, merges = levels.merged(step, working.columns, compiler)
        grouping = Grouping(picked, step.keys, F.sum(column(TAKEN)), merges)
    else:
        rows = working if observed is None else replace(working, frame=observed)
        groups = _Groups(step, environment, counts, stage.asked)
        grouping = groups.of(rows) if passed is None else groups.of_passed(rows, passed, stage)
        if levels is not None:
            grouping = grouping.with_parts(levels.parts, compiler)
    if stage.groups_first:
        grouping = grouping.put_together([grouping.frame], aggregates_of([step]), compiler)
    summary, given = grouping.grouped(step, compiler)
    if step.levels:
        told = with_level_ids(working, summary, step, key_names(step))
    else:
        told = with_new_ids(working, summary, step, grouping.keys, unique=True)
    local = stage.storage.copies == "driver"
    in_one = False
    if stage.keep and not local:
        told = checkpoint(told, stage.storage)
        in_one = is_in_one_task(told)
        told = in_one_task(told) if in_one else told
    if counts is not None:
        told = counts.read(told)
    given |= _assigned(step, given, compiler)
    given = {**defaults(Origin(environment.input, step.seq), environment.context), **given}
    new = new_rows(working, told, given, step, environment)
    if levels is not None:
        levels.add(told, new, in_one=in_one)
    return add_rows(working, new, step, environment, local=local)


def _assigned(
    step: AggregateStep, given: Mapping[str, Column], compiler: Compiler
) -> dict[str, Column]:
    """What assignments give, of keys and results where they stand."""
    return {
        each.column: compiler.compile(each.expression, columns={**given, LEVEL: column(LEVEL)})
        for each in step.assignments
    }


def key_names(step: AggregateStep | AppendStep) -> dict[str, str]:
    """What keys are called in a frame: one that is computed must not hide a column of its name."""
    names = {key: key for key in step.keys or ()}
    return names | {key.column: f"__key_{key.column}" for key in step.key_values}


def with_keys(frame: DataFrame, step: AggregateStep | AppendStep, compiler: Compiler) -> DataFrame:
    """The frame with the keys that are computed."""
    names = key_names(step)
    made = {names[k.column]: compiler.compile(k.expression) for k in step.key_values}
    return frame.withColumns(made) if made else frame


@dataclass(frozen=True, slots=True)
class _Groups:
    step: AggregateStep
    environment: Environment
    counts: GroupCounts | None
    asked: Sequence[Aggregate]
    """What is computed of each group: its own results, and parts for levels and expectations."""

    def of(self, working: Working) -> Grouping:
        """Groups of the working dataset's visible rows. Where rows are counted by groups, and these
        can be put together, each piece has its own: with many rows that is faster."""
        step, compiler = self.step, self.environment.compiler
        parts = self.asked
        if self.counts is not None and all(map(can_merge, parts)):
            pieces = [self._picked(piece) for piece in working.pieces()]
            if len(pieces) > 1:
                return self._grouping(pieces[0], parts).put_together(pieces, parts, compiler)
        frame = self.environment.joined(working.frame, step.joins, step_label(step), not_deleted())
        if ROW_ID in step.keys:
            frame = frame.withColumn(ROW_ID, compiler.row_id())
        picked = with_keys(self._picked(frame), step, compiler)
        return self._grouping(picked if working.table is None else in_one_task(picked), parts)

    def of_passed(self, working: Working, passed: PassedGroups, stage: AggregateStage) -> Grouping:
        """The same, of rows that have passed, and of those that were added since, if any were."""
        compiler, parts = self.environment.compiler, self.asked
        if stage.of_pass is None:
            grouping = self._grouping(passed.frame, ())
            return grouping.of_groups(passed.frame, passed.parts, parts, compiler)
        added = self._picked(added_rows(working, stage.of_pass).frame)
        grouping = self._grouping(added, parts)
        return grouping.put_together([added], parts, compiler, passed=passed)

    def _picked(self, frame: DataFrame) -> DataFrame:
        """The rows that are grouped: where they are counted by groups, deleted ones too."""
        if self.counts is not None:
            return frame
        return frame.filter(not_deleted() & self.environment.picking(self.step.selector))

    def _grouping(self, frame: DataFrame, parts: Sequence[Aggregate]) -> Grouping:
        """Deleted rows have groups of their own, for which nothing is added up."""
        rows = F.count(F.lit(1))
        if self.counts is None:
            return Grouping(frame, tuple(key_names(self.step).values()), rows)
        made = {part: self.environment.compiler.aggregate(part, not_deleted()) for part in parts}
        return Grouping(
            frame,
            self.step.keys,
            rows,
            made,
            self.counts.beside(),
            self.counts.bits,
            apart=("_deleted",),
        )


class LevelFrames:
    """What levels of totals leave: the groups of the first, with parts for those that follow and
    for expectations, and the new rows of each."""

    def __init__(self, stage: AggregateStage) -> None:
        wanted = dict.fromkeys((*aggregates_of(stage.levels[1:]), *stage.parts))
        self.parts = {part: f"__part_{i}" for i, part in enumerate(wanted)}
        self._groups: DataFrame | None = None
        self._summaries: list[DataFrame] = []
        self._are_in_one = True

    def add(self, groups: DataFrame, rows: DataFrame, *, in_one: bool) -> None:
        """After a level: its groups, with parts if it is the first, and its new rows; `in_one` task
        each."""
        if self._groups is None:
            self._groups = groups
        self._summaries.append(rows)
        self._are_in_one &= in_one

    def merged(
        self, step: AggregateStep, columns: Columns, compiler: Compiler
    ) -> tuple[DataFrame, dict[Aggregate, Column]]:
        """The rows that a following step groups, with parts instead of values: groups that it
        chooses, and summaries before it; and how its aggregates are put together from them.
        `columns` are those of the working dataset before it."""
        assert self._groups is not None
        wanted = aggregates_of([step])
        chosen = compiler.condition(step.selector)
        read = own_columns([*conditions(step), *wanted]) | frozenset(step.keys)
        groups = _completed(self._groups, read, columns).filter(chosen)
        summaries = [_completed(each, read, columns).filter(chosen) for each in self._summaries]
        united, merges = united_groups(step.keys, wanted, self.parts, [groups], summaries, compiler)
        return in_one_task(united) if self._are_in_one else united, merges

    def told(
        self,
        keys: Sequence[str],
        wanted: Sequence[Aggregate],
        chosen: Column,
        added: DataFrame,
        compiler: Compiler,
    ) -> tuple[DataFrame, dict[Aggregate, Column]]:
        """See GroupSource."""
        assert self._groups is not None
        groups = self._groups.filter(chosen)
        return united_groups(keys, wanted, self.parts, [groups], [added], compiler)


def _completed(frame: DataFrame, read: frozenset[str], columns: Columns) -> DataFrame:
    missing = {
        name: F.lit(None).cast(sql_type(columns.fields[name].type))
        for name in sorted(read)
        if name not in frame.columns
    }
    return frame.withColumns(missing) if missing else frame


@dataclass(frozen=True, slots=True)
class Grouping:
    """How many rows a group is made from (`taken`); aggregates that are made otherwise than from
    rows; what else is computed for each group, numbers or `bits`; and by what else groups are kept
    apart."""

    frame: DataFrame
    keys: tuple[str, ...]
    taken: Column
    made: Mapping[Aggregate, Column] = field(default_factory=dict)
    beside: Mapping[str, Column] = field(default_factory=dict)
    bits: frozenset[str] = frozenset()
    apart: tuple[str, ...] = ()

    def with_parts(self, parts: Mapping[Aggregate, str], compiler: Compiler) -> Grouping:
        made = {name: compiler.compile(p, self.made) for p, name in parts.items()}
        return replace(self, beside={**self.beside, **made})

    def put_together(
        self,
        pieces: Sequence[DataFrame],
        parts: Sequence[Aggregate],
        compiler: Compiler,
        passed: PassedGroups | None = None,
    ) -> Grouping:
        """The same groups, of rows that are united from pieces: each piece is grouped by itself,
        and rows leave the loop that reads them only as groups, as those that have passed already.
        What is computed for each group must be sums, counts and bits."""
        some = enumerate(part for part in parts if not is_constant(part))
        names = {part: f"__of_piece_{i}" for i, part in some} if passed is None else passed.parts
        beside = {name: compiler.compile(p, self.made) for p, name in names.items()}
        beside |= self.beside
        groups = [
            piece.groupBy(*self._columns).agg(
                self.taken.alias(TAKEN), *(value.alias(name) for name, value in beside.items())
            )
            for piece in pieces
        ]
        groups += [] if passed is None else [passed.frame]
        return self.of_groups(reduce(DataFrame.unionByName, groups), names, parts, compiler)

    def of_groups(
        self,
        groups: DataFrame,
        names: Mapping[Aggregate, str],
        parts: Sequence[Aggregate],
        compiler: Compiler,
    ) -> Grouping:
        """The same groups, of groups of pieces; `names` are those of parts in them."""
        constants = {part: compiler.compile(part) for part in parts if part not in names}
        return replace(
            self,
            frame=groups,
            taken=F.sum(column(TAKEN)),
            made={part: merged_part(part, name) for part, name in names.items()} | constants,
            beside={
                name: (F.bit_or if name in self.bits else F.sum)(column(name))
                for name in self.beside
            },
        )

    @property
    def _columns(self) -> list[Column]:
        return [column(name) for name in (*self.keys, *self.apart)]

    def grouped(
        self, step: AggregateStep | AppendStep, compiler: Compiler
    ) -> tuple[DataFrame, dict[str, Column]]:
        """One row a group, with how many rows it was made from; and where each result stands."""
        results = {f"__result_{i}": r for i, r in enumerate(step.results)}
        values = [
            *(value.alias(name) for name, value in self.beside.items()),
            *(compiler.compile(r.expression, self.made).alias(n) for n, r in results.items()),
        ]
        if isinstance(step, AggregateStep) and step.levels:
            summary = self._by_levels(step, values)
        else:
            summary = self.frame.groupBy(*self._columns).agg(self.taken.alias(TAKEN), *values)
        keys = key_names(step).items()
        given = {key: column(name) for key, name in keys if is_listed(key)}
        return summary, given | {r.column: column(name) for name, r in results.items()}

    def _by_levels(self, step: AggregateStep, values: Sequence[Column]) -> DataFrame:
        """The groups of all levels, with the name of each. The first level counts the rows: each
        row is in one group of every level. Without rows there are no groups, not even one over
        all."""
        names = key_names(step)
        sets = [[column(names[key]) for key in level.keys] for level in step.levels]
        if len(sets) == 1:
            grouped, number = self.frame.groupBy(*sets[0]), F.lit(0)
        else:
            grouped, number = self.frame.groupingSets(sets, *self._columns), F.grouping_id()
        groups = grouped.agg(number.alias(_LEVEL_NUMBER), self.taken.alias(TAKEN), *values)
        which = [column(_LEVEL_NUMBER) == F.lit(each) for each in _level_numbers(step)]
        named = (F.when(w, F.lit(e.name)) for w, e in zip(which, step.levels, strict=True))
        return groups.filter(column(TAKEN) > 0).withColumns(
            {LEVEL: F.coalesce(*named), TAKEN: F.when(which[0], column(TAKEN)).otherwise(F.lit(0))}
        )


def _level_numbers(step: AggregateStep) -> list[int]:
    """What Spark calls the groupings: a bit for each key that is not among theirs, the last key's
    being the lowest."""
    if len(step.levels) == 1:
        return [0]
    bits = [(key, 1 << i) for i, key in enumerate(reversed(step.keys))]
    return [sum(bit for key, bit in bits if key not in level.keys) for level in step.levels]
