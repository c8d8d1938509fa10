"""Rows written and grouped as they pass: one pass does for several outputs and aggregates what
takes one for each by hand.

Each piece of the rows goes through Python once. What comes back are groups, for each aggregate by
its keys, and once by all marks of rows, which tell what is counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as s
from pyspark.sql.pandas.types import to_arrow_schema

from rowbook.engine.compile.compiler import Compiler, is_constant
from rowbook.engine.compile.functions import added_up
from rowbook.engine.compile.row_ids import FIRST, LOWER, SECOND, STORED, UPPER, milliseconds
from rowbook.engine.compile.spark_types import sql_type
from rowbook.engine.counting.by_group import GroupCounts, written_name
from rowbook.engine.counting.counters import SEQ, TAKEN
from rowbook.engine.execution.checkpoint import checkpoint
from rowbook.engine.execution.environment import Environment
from rowbook.engine.execution.output_rows import written_period
from rowbook.engine.execution.row_groups import (
    GROUPING,
    Fold,
    Measure,
    RowGrouping,
    RowGroups,
    Writing,
)
from rowbook.engine.execution.working import Working
from rowbook.engine.execution.writers import PassingWriter
from rowbook.engine.loading.system_columns import not_deleted
from rowbook.engine.strategy.checks.absent_columns import asked_of_added
from rowbook.engine.strategy.passed_rows import most_rows
from rowbook.engine.strategy.stages import AggregateStage, GroupRequest
from rowbook.expressions import bound
from rowbook.expressions.bound import Aggregate, Bound
from rowbook.expressions.types import Type
from rowbook.planning.columns import PERIOD, ROW_ID
from rowbook.planning.expectations.expectation_plan import ExpectationKey
from rowbook.planning.steps import OutputStep
from rowbook.sources.source import BegunOutput
from rowbook.spark.column_names import column
from rowbook.spark.id_texts import IdTexts
from rowbook.spark.row_pass import passed

_ROWS = "__rows"
_MERGES = {"SUM": F.sum, "COUNT": F.sum, "MIN_AGG": F.min, "MAX_AGG": F.max}
_FUNCTIONS: dict[str, Fold] = {"SUM": "sum", "COUNT": "count", "MIN_AGG": "min", "MAX_AGG": "max"}


@dataclass(frozen=True, slots=True)
class PassedGroups:
    """Groups that an aggregate has of rows that have passed, which are to be put together, with how
    many rows each was made of (TAKEN); and where their parts stand."""

    frame: DataFrame
    parts: Mapping[Aggregate, str]

    def told(
        self,
        keys: Sequence[str],
        wanted: Sequence[Aggregate],
        _: Column,
        added: DataFrame,
        compiler: Compiler,
    ) -> tuple[DataFrame, dict[Aggregate, Column]]:
        """See GroupSource."""
        return united_groups(keys, wanted, self.parts, [self.frame], [added], compiler)


def united_groups(
    keys: Sequence[str],
    wanted: Sequence[Aggregate],
    parts: Mapping[Aggregate, str],
    groups: Sequence[DataFrame],
    others: Sequence[DataFrame],
    compiler: Compiler,
) -> tuple[DataFrame, dict[Aggregate, Column]]:
    """Groups, and those that other rows make, which are all to be put together by the keys; and how
    what is wanted is put together of its parts."""
    names = [*keys, *(parts[each] for each in wanted), TAKEN]
    values = [compiler.compile(each).alias(parts[each]) for each in wanted]
    made = [
        rows.groupBy(*map(column, keys)).agg(*values, F.count(F.lit(1)).alias(TAKEN))
        for rows in others
    ]
    pieces = [each.select(*map(column, names)) for each in (*groups, *made)]
    return reduce(DataFrame.unionByName, pieces), {w: merged_part(w, parts[w]) for w in wanted}


def merged_part(part: Aggregate, name: str) -> Column:
    return _MERGES[part.function](column(name)).cast(sql_type(part.type))


@dataclass(frozen=True, slots=True)
class GroupPass:
    """What is made of rows where an aggregate takes all of them: its own groups, those of others
    `beside` it, and outputs."""

    stage: AggregateStage
    passing: PassingWriter
    environment: Environment
    counts: GroupCounts

    def groups(self, working: Working) -> dict[int | ExpectationKey, PassedGroups]:
        """Of each aggregate and expectation; those of the aggregate itself also have all figures
        that are counted."""
        frames, only_read = working.pieces(), working.begins_with_read
        begun = {step.seq: self.passing.begin(step) for step in self.stage.writes}
        pieces = [
            _Piece(self, begun, replace(working, frame=each), has_added=i > 0 or not only_read)
            for i, each in enumerate(frames)
        ]
        frame = reduce(DataFrame.unionByName, (each.passed() for each in pieces))
        if self.stage.beside:
            frame = checkpoint(frame, self.stage.storage)
        keyed = pieces[0].keyed
        others = zip(self.stage.beside, keyed[1:], strict=True)
        own = self._counted(frame, keyed[0])
        return {self.stage.step.seq: own, **{each.of: made.of(frame) for each, made in others}}

    def _counted(self, frame: DataFrame, own: _Keyed) -> PassedGroups:
        """What is counted by marks stands beside the groups, as deleted ones."""
        rows, is_own = column(_ROWS), column(GROUPING) == own.place
        figures = {n: F.when(is_own, each) for n, each in self.counts.of_groups(rows).items()}
        figures |= {n: F.when(~is_own, each) for n, each in self.counts.of_alike(rows).items()}
        groups = frame.filter(column(GROUPING) <= own.place).select(
            *(column(made).alias(name) for name, made in own.keys.items()),
            (~is_own).alias("_deleted"),
            F.when(is_own, rows).alias(TAKEN),
            *(column(name) for name in own.parts.values()),
            *(value.alias(name) for name, value in figures.items()),
        )
        return PassedGroups(groups, own.parts)


@dataclass(frozen=True, slots=True)
class _Keyed:
    """Where the groups of an aggregate stand among all, and its keys and parts in them."""

    place: int
    keys: Mapping[str, str]
    parts: Mapping[Aggregate, str]

    def of(self, frame: DataFrame) -> PassedGroups:
        groups = frame.filter(column(GROUPING) == self.place).select(
            *(column(made).alias(name) for name, made in self.keys.items()),
            column(_ROWS).alias(TAKEN),
            *map(column, self.parts.values()),
        )
        return PassedGroups(groups, self.parts)


class _Piece:
    """A piece of the rows, with all columns that a task is given of it, each once whatever it is
    asked for."""

    def __init__(
        self, of: GroupPass, begun: Mapping[int, BegunOutput], rows: Working, *, has_added: bool
    ) -> None:
        self._of, self._begun, self._rows, self._has_added = of, begun, rows, has_added
        self._types = {each.name: each.dataType.simpleString() for each in rows.frame.schema}
        self._columns: dict[str, Column] = {}
        self._names: dict[Hashable, str] = {}
        self._measures: dict[Aggregate, Measure] = {}
        self._writings = [self._writing(each) for each in of.stage.writes]
        self._groupings = [self._marks()]
        own = of.stage.request(of.stage.step.selector)
        self.keyed = [self._grouped(own, is_own=True), *map(self._grouped, of.stage.beside)]

    def passed(self) -> DataFrame:
        frame = self._rows.frame.select(*(v.alias(n) for n, v in self._columns.items()))
        schema = self._schema(frame)
        groupings, most = tuple(self._groupings), min(map(most_rows, self._measures), default=10**9)
        task = RowGroups(tuple(self._writings), groupings, to_arrow_schema(schema), most)
        return passed(frame, task, schema)

    def _writing(self, step: OutputStep) -> Writing:
        made = tuple(self._written(step, name) for name in step.written)
        picked = self._picked(step.selector, include_deleted=step.include_deleted)
        ids = self._ids() if ROW_ID in step.written else None
        return Writing(self._begun[step.seq].files(), picked, made, ids)

    def _marks(self) -> RowGrouping:
        """What is counted of all rows, deleted ones too."""
        counts = self._of.counts
        writings = zip(self._of.stage.writes, self._writings, strict=True)
        measures = [
            Measure(_ROWS, "rows"),
            *(Measure(written_name(step.seq), "number", each.picked) for step, each in writings),
        ]
        keys = [*counts.marks]
        if counts.adds_up_taken and self._has_added:
            measures.append(Measure(TAKEN, "number", self._as_read(TAKEN)))
            keys.append(SEQ)
        return RowGrouping(None, tuple(map(self._as_read, keys)), tuple(measures))

    def _grouped(self, request: GroupRequest, *, is_own: bool = False) -> _Keyed:
        keys = {each.name: self._own(each.name, each.type) for each in request.keys}
        asks_seq = is_own and self._has_added and self._of.counts.asks_seq
        parts = {part: self._measure(part) for part in request.asked if not is_constant(part)}
        grouping = RowGrouping(
            self._picked(request.selector),
            tuple(dict.fromkeys((*keys.values(), *([self._as_read(SEQ)] if asks_seq else [])))),
            (Measure(_ROWS, "rows"), *dict.fromkeys(parts.values())),
        )
        self._groupings.append(grouping)
        names = {part: measure.name for part, measure in parts.items()}
        return _Keyed(len(self._groupings) - 1, keys, names)

    def _measure(self, part: Aggregate) -> Measure:
        if part not in self._measures:
            name = f"__part_{len(self._measures)}"
            self._measures[part] = self._measured(name, part, _FUNCTIONS[part.function])
        return self._measures[part]

    def _measured(self, name: str, part: Aggregate, function: Fold) -> Measure:
        """What deleted rows have is not computed."""
        argument = added_up(part)
        match argument:
            case None:
                return Measure(name, "rows")
            case bound.Column(None, own) if own != ROW_ID:
                return Measure(name, function, self._own(own, argument.type))
        value = F.when(not_deleted(), self._value(argument))
        return Measure(name, function, self._made(argument, value))

    def _written(self, step: OutputStep, name: str) -> str:
        if name == ROW_ID:
            return name
        if name != PERIOD.name:
            return self._own(name, step.columns.fields[name].type)
        return self._made(name, written_period(self._of.environment.context))

    def _ids(self) -> IdTexts:
        first, second = map(self._as_read, (FIRST, SECOND))
        stored = self._as_read(STORED) if self._rows.stored_ids else None
        millis = milliseconds(self._of.environment.context.now)
        return IdTexts(ROW_ID, millis, first, second, UPPER, LOWER, stored)

    def _picked(self, selector: Bound | None, *, include_deleted: bool = False) -> str:
        key = "picked", selector, include_deleted
        picked = F.lit(True) if include_deleted else not_deleted()
        if selector is not None:
            asked = asked_of_added(selector, self._of.environment.never_null)
            picked = picked & self._value(asked)
        return self._made(key, picked)

    def _value(self, tree: Bound) -> Column:
        """Of columns as wide as they are taken to be."""
        compiler = self._of.environment.compiler
        made = {
            each.name: compiler.row_id()
            if each.name == ROW_ID
            else self._fitted(each.name, each.type)
            for each in bound.walk(tree)
            if isinstance(each, bound.Column)
        }
        return compiler.compile(tree, columns=made)

    def _as_read(self, name: str) -> str:
        self._columns.setdefault(name, column(name))
        return name

    def _own(self, name: str, kind: Type) -> str:
        if self._types.get(name) == sql_type(kind):
            return self._as_read(name)
        return self._made((name, kind), self._fitted(name, kind))

    def _fitted(self, name: str, kind: Type) -> Column:
        """Rows that came to others brought columns, and wider ones."""
        wanted, known = sql_type(kind), self._types.get(name)
        value = F.lit(None) if known is None else column(name)
        return value if known == wanted else value.cast(wanted)

    def _made(self, key: Hashable, value: Column) -> str:
        if key not in self._names:
            self._names[key] = name = f"__column_{len(self._names)}"
            self._columns[name] = value
        return self._names[key]

    def _schema(self, frame: DataFrame) -> s.StructType:
        """Of what a task gives: keys and measures of all groupings."""
        types = {each.name: each.dataType for each in frame.schema}
        parts = {each.name: part for part, each in self._measures.items()}
        fields: dict[str, s.DataType] = {GROUPING: s.IntegerType()}
        if self._of.counts.adds_up_taken:
            fields |= dict.fromkeys((SEQ, TAKEN), s.LongType())
        for grouping in self._groupings:
            fields |= {key: types[key] for key in grouping.keys}
            for each in grouping.measures:
                part = parts.get(each.name)
                if part is not None and part.function == "SUM":
                    fields[each.name] = s.DecimalType(38, part.type.scale)
                elif each.function in ("min", "max"):
                    fields[each.name] = types[each.column]
                else:
                    fields[each.name] = s.LongType()
        return s.StructType([s.StructField(name, kind) for name, kind in fields.items()])
