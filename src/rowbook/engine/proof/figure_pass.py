"""What a figure of very many rows is made of: a plan followed on Spark, and rows that it treats
alike counted together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import reduce
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.row_ids import FIRST, SECOND, id_hashes
from rowbook.engine.counting.counters import SEQ, Flag
from rowbook.engine.execution.environment import Environment, step_label
from rowbook.engine.execution.summary import key_names, with_keys
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import not_deleted
from rowbook.engine.measure.measurer import sum_over, total_number
from rowbook.engine.proof.plan_walk import PlanWalk, group_salt, is_of_level
from rowbook.engine.strategy.stages import Storage
from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound, Convert, replaced
from rowbook.expressions.scope import Field
from rowbook.expressions.types import Kind
from rowbook.expressions.values import Value
from rowbook.planning.columns import PERIOD, ROW_ID
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import (
    AggregateStep,
    AppendStep,
    DeleteStep,
    OutputStep,
    UpdateStep,
)
from rowbook.proof.backward.figure_stage import FigureStage, group_stage, output_stage
from rowbook.proof.backward.join_keys import JoinKey
from rowbook.proof.backward.mark_slices import writers_behind
from rowbook.proof.backward.row_patterns import (
    AppendedRows,
    FigurePatterns,
    LargeRow,
    RowPattern,
    RowState,
)
from rowbook.reference.subset.row_subset import RowSubset
from rowbook.spark.column_names import column

_STATE, _AMOUNT, _PICKED, _INSIDE = "__state", "__amount", "__picked", "__inside"
_ROWS, _VALUED, _SUM, _MARKS = "__rows", "__valued", "__sum", "__marks_"
_STATES: tuple[RowState, ...] = ("inside", "elsewhere", "not chosen", "not known", "deleted")
_MOST_PATTERNS = 20_000


class MixedFigureError(Exception):
    """A figure that is more than a sum over rows of sources; the message says why."""


@dataclass(frozen=True, slots=True)
class FigureQuestion:
    """A column of the rows of an output that a condition is TRUE for; contributions by the columns
    of `group_by`, and `limit` rows that add most, with the columns that name them."""

    seq: int
    column: str
    where: Bound | None
    group_by: tuple[str, ...]
    limit: int
    naming: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Members:
    """How many rows are counted, how many of them add anything, and what."""

    rows: int
    valued: int
    total: Any


@dataclass(slots=True)
class FigurePass:
    """Of the rows that are `loaded` of the input, in which the groups of `subset` are whole. `keys`
    are the columns in which rows remember what joins found."""

    plan: ProjectPlan
    environment: Environment
    loaded: DataFrame
    subset: RowSubset
    storage: Storage
    keys: tuple[JoinKey, ...] = ()
    _before: Mapping[int, Working] = field(default_factory=dict)

    def patterns(self, question: FigureQuestion) -> FigurePatterns:
        walk = PlanWalk(
            self.plan, self.environment, self.subset, self.storage, self._telling(question)
        )
        output, self._before = walk.to_output(self.loaded, question.seq)
        stage = output_stage(output, question.column)
        frame = self._written(stage, output, question.where)
        found = self._members(frame, stage)
        rows = sum(each.rows for each in found.values())
        value = self._total(found, stage)
        stages, alike = [stage], None
        adding = {seq for seq, each in found.items() if each.valued}
        while adding & self._aggregates.keys():
            if len(adding) > 1:
                raise MixedFigureError("rows and totals of rows are counted together")
            inside = frame.filter(column(_INSIDE) & column(_AMOUNT).isNotNull())
            stage = self._behind(stage, next(iter(adding)), inside)
            frame = _with_states(self._grouped(stage, inside))
            alike = tuple(self._alike(frame, stage, question))
            adding = {each.appended for each in alike if each.state == "inside" and each.valued}
            stages.append(stage)
        self._check_sources(adding)
        if alike is None:
            frame = _with_states(frame)
            alike = tuple(self._alike(frame, stage, question))
        sources = {None, *self._copies}
        return FigurePatterns(
            tuple(stages),
            rows,
            value,
            tuple(each for each in alike if each.appended in sources),
            tuple(self._largest(frame, stage, question)),
            tuple(self._appended(stage)),
        )

    @property
    def _aggregates(self) -> dict[int | None, AggregateStep]:
        return {step.seq: step for step in self.plan.steps if isinstance(step, AggregateStep)}

    @property
    def _copies(self) -> dict[int, AppendStep]:
        """Appends whose rows are those of a dataset, one by one."""
        return {
            step.seq: step
            for step in self.plan.steps
            if isinstance(step, AppendStep)
            and step.source is not None
            and step.keys is None
            and not any(join.many for join in step.matches)
        }

    def _written(self, stage: FigureStage, output: OutputStep, where: Bound | None) -> DataFrame:
        own = self.environment.context.period.identifier
        period = bound.Column(None, PERIOD.name, t.STRING, True)
        text = bound.Call("COALESCE", (period, bound.Constant(own, t.STRING)), t.STRING, False)
        asked = None if where is None else replaced(where, {PERIOD.name: text})
        shown = F.lit(True) if output.include_deleted else not_deleted()
        frame = self._seen(stage, shown)
        is_asked = self.environment.compiler.condition(asked)
        return frame.withColumn(_INSIDE, shown & _is_true(_PICKED) & is_asked)

    def _seen(self, stage: FigureStage, shown: Column) -> DataFrame:
        """The rows before a stage, with what its condition gives for each, and its measure."""
        step, environment = stage.step, self.environment
        frame = self._before[step.seq].frame
        frame = environment.joined(frame, step.joins, step_label(step), shown)
        compiler = environment.compiler
        picked = F.lit(True) if step.selector is None else compiler.compile(step.selector)
        amount = compiler.compile(stage.measure)
        if not isinstance(stage.measure, bound.Column | bound.Constant):
            amount = F.when(_is(picked), amount)  # on other rows it may not fit
        return frame.withColumns({_PICKED: picked, _AMOUNT: amount})

    def _members(self, frame: DataFrame, stage: FigureStage) -> dict[int | None, _Members]:
        """The rows that are counted, by the operation that added them."""
        total = sum_over(F.lit(True), column(_AMOUNT), _measure(stage))
        rows = frame.filter(column(_INSIDE)).groupBy(column(SEQ))
        counts = F.count(F.lit(1)).alias(_ROWS), F.count(column(_AMOUNT)).alias(_VALUED)
        found = rows.agg(total.alias(_SUM), *counts).collect()
        return {row[SEQ]: _Members(row[_ROWS], row[_VALUED], row[_SUM]) for row in found}

    def _total(self, found: Mapping[int | None, _Members], stage: FigureStage) -> Value:
        sums = [each.total for each in found.values() if each.valued]
        return _number(sum(sums[1:], sums[0]), stage) if sums else None

    def _behind(self, stage: FigureStage, seq: int | None, rows: DataFrame) -> FigureStage:
        """Where the rows are counted that totals, which a stage counts, are of."""
        step, measure = self._aggregates[seq], stage.measure
        while isinstance(measure, Convert):
            measure = measure.operand
        if not isinstance(measure, bound.Column) or measure.source is not None:
            raise MixedFigureError(f"{_words(stage.step)} computes with totals")
        self._check_unwritten(measure.name, step, stage, rows)
        if ROW_ID in step.keys:
            raise MixedFigureError(f"{_words(step)} has a group for each row")
        count = rows.count() if step.levels else 0
        for level in step.groupings:
            if not step.levels or rows.filter(is_of_level(step, level)).count() == count:
                found = group_stage(step, measure.name, level)
                if found is None:
                    break
                return found
        raise MixedFigureError(f"'{measure.name}' of {_words(step)} is no sum over its rows")

    def _check_unwritten(
        self, name: str, step: AggregateStep, stage: FigureStage, rows: DataFrame
    ) -> None:
        later = [
            each.seq
            for each in self.plan.steps
            if step.seq < each.seq < stage.step.seq
            and isinstance(each, UpdateStep)
            and any(assigned.column == name for assigned in each.assignments)
        ]
        masks = self._masks(stage, later)
        if masks:
            met = reduce(Column.__or__, [_marked(n, mask) != 0 for n, mask in masks.items()])
            if rows.filter(met).limit(1).count():
                raise MixedFigureError(f"'{name}' of totals was changed after they were made")

    def _grouped(self, stage: FigureStage, rows: DataFrame) -> DataFrame:
        """The rows that an aggregate sees, inside where they are of the groups of these totals."""
        step, level = stage.step, stage.level
        assert isinstance(step, AggregateStep)
        assert level is not None
        frame = with_keys(self._seen(stage, not_deleted()), step, self.environment.compiler)
        names = key_names(step)
        first, second = id_hashes(
            group_salt(step, level), [column(names[key]) for key in level.keys]
        )
        frame = frame.withColumns({"__group_first": first, "__group_second": second})
        groups = rows.select(
            column(FIRST).alias("__of_first"),
            column(SECOND).alias("__of_second"),
            F.lit(True).alias("__counted"),
        ).distinct()
        same = (column("__group_first") == column("__of_first")) & (
            column("__group_second") == column("__of_second")
        )
        joined = frame.join(F.broadcast(groups), same, "left")
        inside = not_deleted() & _is_true(_PICKED) & _is_true("__counted")
        return joined.withColumn(_INSIDE, inside)

    def _check_sources(self, found: Collection[int | None]) -> None:
        for seq in found:
            if seq is not None and seq not in self._copies:
                raise MixedFigureError(f"operation {seq} made rows of rows")

    def _appended(self, stage: FigureStage) -> Iterator[AppendedRows]:
        """What appends did with the rows of datasets, each dataset once."""
        seen: set[tuple[str, int]] = set()
        for step in self.plan.steps:
            if not isinstance(step, AppendStep) or step.source is None:
                continue
            key = step.source.id, step.source.version
            if key in seen:
                continue
            seen.add(key)
            environment = self.environment
            rows = environment.load(step.source)
            rows = environment.joined(rows, step.lookups, step_label(step), F.lit(True))
            picked = F.lit(True)
            if step.selector is not None:
                picked = environment.compiler.compile(step.selector)
            counts = rows.agg(
                F.count_if(picked), F.count_if(~picked), F.count_if(picked.isNull())
            ).collect()[0]
            counted = step.seq in self._copies and step.seq < stage.step.seq
            taken = 0 if counted else int(counts[0])
            yield AppendedRows(step.seq, taken, int(counts[1]), int(counts[2]))

    def _alike(
        self, frame: DataFrame, stage: FigureStage, question: FigureQuestion
    ) -> Iterator[RowPattern]:
        """Rows of sources, and those that operations made."""
        names = tuple(name for name in question.group_by if name in frame.columns)
        seqs = self._relevant(stage, question)
        keys = tuple(key for key in self.keys if key.seq in seqs)
        found = self._histogram(frame, stage, names, seqs, keys)
        if len(found) > _MOST_PATTERNS and keys:
            keys = ()
            found = self._histogram(frame, stage, names, seqs, keys)
        if len(found) > _MOST_PATTERNS:
            raise MixedFigureError(f"there are more than {_MOST_PATTERNS:,} kinds of rows")
        flags = self._flags(stage)
        for row in found:
            met = {
                flag.seq
                for flag in flags
                if flag.seq in seqs and (row[f"{_MARKS}{flag.name}"] or 0) & (1 << flag.bit)
            }
            joined: dict[tuple[int, str], dict[str, Value]] = {}
            for key in keys:
                if row[key.field.name] is not None:
                    joined.setdefault((key.seq, key.alias), {})[key.name] = row[key.field.name]
            amount = None if row[_SUM] is None else _number(row[_SUM], stage)
            yield RowPattern(
                row[SEQ],
                frozenset(met),
                _STATES[row[_STATE]],
                {name: row[name] for name in names},
                joined,
                row[_ROWS],
                row[_VALUED],
                amount,
            )

    def _histogram(
        self,
        frame: DataFrame,
        stage: FigureStage,
        names: Sequence[str],
        seqs: Collection[int],
        keys: Sequence[JoinKey],
    ) -> list[dict[str, Any]]:
        fields = {name: self._before[stage.step.seq].columns.fields[name] for name in names}
        inside = column(_STATE) == 0
        by = {SEQ: column(SEQ), _STATE: column(_STATE)}
        by |= {
            f"{_MARKS}{name}": _marked(name, mask)
            for name, mask in self._masks(stage, seqs).items()
        }
        of_inside = [*names, *(key.field.name for key in keys)]
        by |= {name: F.when(inside, column(name)) for name in of_inside}
        total = sum_over(F.lit(True), column(_AMOUNT), _measure(stage))
        rows = frame.groupBy(*(value.alias(name) for name, value in by.items())).agg(
            F.count(F.lit(1)).alias(_ROWS),
            F.count(column(_AMOUNT)).alias(_VALUED),
            total.alias(_SUM),
        )
        numbers = [Field(n, t.INTEGER) for n in by if n not in of_inside]
        numbers += [Field(_ROWS, t.INTEGER), Field(_VALUED, t.INTEGER)]
        kept = [*fields.values(), *(key.field for key in keys)]
        wide = t.FLOAT if _measure(stage).type.kind is Kind.FLOAT else t.decimal(38, _scale(stage))
        return collect(rows, [*numbers, *kept, Field(_SUM, wide)], _MOST_PATTERNS + 1)

    def _relevant(self, stage: FigureStage, question: FigureQuestion) -> frozenset[int]:
        """The operations whose marks tell rows apart: those that may have made what is counted, and
        where; and deletes."""
        trees: list[Bound] = [stage.measure]
        names: set[str] = set()
        if stage.level is not None and isinstance(stage.step, AggregateStep):
            computed = {each.column: each.expression for each in stage.step.key_values}
            trees += [computed[key] for key in stage.level.keys if key in computed]
            names |= {key for key in stage.level.keys if key not in computed}
        elif question.where is not None:
            trees.append(question.where)
        names |= {n for tree in trees for source, n in bound.columns(tree) if source is None}
        return self._writers(names, stage.step.seq)

    def _telling(self, question: FigureQuestion) -> frozenset[int]:
        """The operations whose marks may matter, wherever rows will be counted."""
        names = {question.column}
        trees = [] if question.where is None else [question.where]
        for step in self._aggregates.values():
            names |= set(step.keys)
            trees += [each.expression for each in (*step.key_values, *step.results)]
        names |= {n for tree in trees for source, n in bound.columns(tree) if source is None}
        return self._writers(names, question.seq)

    def _writers(self, names: Collection[str], seq: int) -> frozenset[int]:
        """Those that may have made these columns, and deletes."""
        found = {each.seq for each in writers_behind(self.plan.steps, names, seq)}
        return frozenset(found) | {s.seq for s in self.plan.steps if isinstance(s, DeleteStep)}

    def _flags(self, stage: FigureStage) -> list[Flag]:
        return [c for c in self._before[stage.step.seq].counters if isinstance(c, Flag)]

    def _masks(self, stage: FigureStage, seqs: Collection[int]) -> dict[str, int]:
        """The bits of operations, by the column that has them."""
        masks: dict[str, int] = {}
        for flag in self._flags(stage):
            if flag.seq in seqs:
                masks[flag.name] = masks.get(flag.name, 0) | (1 << flag.bit)
        return masks

    def _largest(
        self, frame: DataFrame, stage: FigureStage, question: FigureQuestion
    ) -> Iterator[LargeRow]:
        """Those that are counted are of sources. Texts of ids are made for these alone."""
        known = self._before[stage.step.seq].columns.fields
        naming = [known[name] for name in question.naming if name in known]
        rows = frame.filter((column(_STATE) == 0) & column(_AMOUNT).isNotNull())
        rows = rows.orderBy(F.abs(column(_AMOUNT)).desc(), column(FIRST)).limit(question.limit)
        rows = rows.withColumn(ROW_ID, self.environment.compiler.row_id())
        fields = [
            Field(ROW_ID, t.STRING),
            Field(SEQ, t.INTEGER),
            Field(_AMOUNT, _measure(stage).type),
        ]
        for row in collect(rows, [*fields, *naming]):
            values = {each.name: row[each.name] for each in naming}
            yield LargeRow(row[ROW_ID], row[SEQ], values, row[_AMOUNT])


def _with_states(frame: DataFrame) -> DataFrame:
    """Rows, each with what became of it."""
    state = (
        F.when(column(_INSIDE), F.lit(0))
        .when(column("_deleted"), F.lit(4))
        .when(column(_PICKED).isNull(), F.lit(3))
        .when(~column(_PICKED), F.lit(2))
        .otherwise(F.lit(1))
    )
    return frame.withColumn(_STATE, state)


def _words(step: AggregateStep | OutputStep) -> str:
    return f"operation {step.seq} '{step.name}'"


def _measure(stage: FigureStage) -> Field:
    return Field(_AMOUNT, stage.measure.type)


def _scale(stage: FigureStage) -> int:
    return stage.measure.type.scale


def _number(found: Any, stage: FigureStage) -> Value:
    number = total_number(found, _measure(stage))
    if stage.measure.type.kind is Kind.INTEGER and isinstance(number, Decimal):
        return int(number)
    return number


def _is(condition: Column) -> Column:
    return F.coalesce(condition, F.lit(False))


def _is_true(name: str) -> Column:
    return _is(column(name))


def _marked(name: str, mask: int) -> Column:
    return F.coalesce(column(name), F.lit(0).cast("bigint")).bitwiseAND(F.lit(mask))
