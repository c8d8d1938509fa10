"""Row-wise operations, as few projections as can be.

Updates and deletes that do not read what an earlier one of them wrote form a layer: all their
conditions are evaluated on the same rows, once each, and every column gets one flat CASE, in which
the last writer comes first. What was written on all rows may be read: its expression then takes
the column's place. Rules that are lookups become tables (see `rule_tables`). A value that a later
update of the layer overwrites is not computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import literal
from rowbook.engine.compile.functions import balanced, first_of
from rowbook.engine.compile.spark_types import sql_type
from rowbook.engine.counting.counters import BITS, CountRequest, Entries, Flag
from rowbook.engine.execution.joins import not_deleted
from rowbook.engine.execution.machinery import Machinery, step_label
from rowbook.engine.execution.rule_tables import RuleTable, find_tables, look_up
from rowbook.engine.execution.working import Working
from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound
from rowbook.planning.datasets import Join
from rowbook.planning.steps import DeleteStep, Step, UpdateStep
from rowbook.spark.column_names import column

RowWise: TypeAlias = UpdateStep | DeleteStep

_FLAGS = "__flags_"
MOST_STEPS = 1_000
"""Steps of a layer: a projection of ten thousand columns is no help to anybody."""

MOST_NODES = 200
"""Of an expression with others in it: about the depth that the language allows."""

LAYER_EFFORT, JOIN_EFFORT, FLAG_EFFORT = 0.2, 0.5, 0.02
"""What a layer adds to computing rows again, and each of its joins and conditions (in scans)."""


@dataclass(slots=True)
class Layer:
    """Steps of a layer, each as it is written, and as it reads the rows there are before all of
    them: where one reads what all visible rows were given before, it computes that for itself."""

    steps: list[RowWise] = field(default_factory=list)
    composed: list[RowWise] = field(default_factory=list)
    _given: dict[str, Bound | None] = field(default_factory=dict)
    """The columns that are set, to which value on all visible rows, None where rows differ."""
    _joins: dict[str, Join] = field(default_factory=dict)

    @classmethod
    def of(cls, steps: Iterable[RowWise]) -> Layer:
        """A layer of steps that share one."""
        layer = cls()
        for step in steps:
            if not layer.take(step):
                raise ValueError(f"operation {step.seq} does not fit the layer")
        return layer

    def take(self, step: RowWise) -> bool:
        """Adds a step, if it may join the layer: it reads nothing that the layer sets on some rows
        only (a delete sets which rows are visible, and every step reads that), and its aliases mean
        the same."""
        composed = self._composed(step)
        if composed is None:
            return False
        self.steps.append(step)
        self.composed.append(composed)
        self._joins |= {join.alias: join for join in step.joins}
        if isinstance(composed, UpdateStep):
            for made in composed.assignments:
                self._given[made.column] = made.expression if step.selector is None else None
        return True

    def _composed(self, step: RowWise) -> RowWise | None:
        if not self.steps:
            return step
        if isinstance(self.steps[-1], DeleteStep) or len(self.steps) >= MOST_STEPS:
            return None
        if not all(_same(join, self._joins.get(join.alias, join)) for join in step.joins):
            return None
        read = reads(step)
        values: dict[str, Bound] = {}
        for name in read & (self._given.keys() | {"_updated_at"}):
            value = self._given.get(name)
            if value is None:
                return None
            values[name] = value
        if not values:
            return step
        if not values.keys().isdisjoint(own_columns([join.condition for join in step.joins])):
            return None
        return _with_values(step, values)


def _with_values(step: RowWise, values: Mapping[str, Bound]) -> RowWise | None:
    """A step with values in place of columns; None where that makes too much of it."""
    selector = None if step.selector is None else bound.replaced(step.selector, values)
    composed = replace(step, selector=selector)
    trees = [] if selector is None else [selector]
    if isinstance(composed, UpdateStep):
        made = tuple(
            replace(each, expression=bound.replaced(each.expression, values))
            for each in composed.assignments
        )
        composed = replace(composed, assignments=made)
        trees += [each.expression for each in made]
    return composed if all(bound.size(tree) <= MOST_NODES for tree in trees) else None


def reads(step: Step) -> frozenset[str]:
    """The columns of the working dataset that a row-wise step's conditions and values read."""
    trees = conditions(step)
    if isinstance(step, UpdateStep):
        trees += [assignment.expression for assignment in step.assignments]
    return own_columns(trees)


def conditions(step: Step) -> list[Bound]:
    """A step's selector, if it has one, and what it joins by."""
    selector = [] if step.selector is None else [step.selector]
    return [*selector, *(join.condition for join in step.joins)]


def own_columns(trees: Sequence[Bound]) -> frozenset[str]:
    """The columns that expressions read of the dataset itself."""
    return frozenset(n for tree in trees for source, n in bound.columns(tree) if source is None)


def written_by(layer: Sequence[RowWise]) -> frozenset[str]:
    """The columns that row-wise steps set."""
    assigned = {a.column for s in layer if isinstance(s, UpdateStep) for a in s.assignments}
    return frozenset(assigned | {"_updated_at"})


def _same(a: Join, b: Join) -> bool:
    return a is b or (
        (a.dataset.id, a.dataset.version, a.condition)
        == (b.dataset.id, b.dataset.version, b.condition)
    )


def apply(
    working: Working,
    layer: Layer,
    machinery: Machinery,
    unmarked: frozenset[int] = frozenset(),
) -> Working:
    """The working dataset after a layer; `unmarked` steps leave no mark on the rows they pick,
    since their conditions will tell (see `tallies`)."""
    asked = [
        CountRequest(step.seq, machinery.compiler.condition(step.selector))
        for step in layer.steps
        if step.seq in unmarked
    ]
    return _Applied(working, tuple(layer.composed), machinery, tuple(asked)).working_after()


@dataclass(frozen=True, slots=True)
class _Applied:
    working: Working
    steps: tuple[RowWise, ...]
    machinery: Machinery
    asked: tuple[CountRequest, ...]

    def working_after(self) -> Working:
        tables = self._tables()
        fields = self.steps[-1].columns.fields
        looked = [
            look_up(table, self.machinery.compiler, fields, not_deleted()) for table in tables
        ]
        in_tables = {rule.seq for table in tables for rule in table.rules}
        singles = tuple(step for step in self.steps if step.seq not in in_tables)
        marks = self._marks(singles)
        for each in looked:
            marks |= each.offered
        unmarked = {each.seq for each in self.asked}
        of_tables = [
            counter
            for each in looked
            for counter in each.counters
            if isinstance(counter, Entries) or counter.seq not in unmarked
        ]
        working, made = self._written(singles, tables, of_tables)

        frame = self._joined(working.frame)
        for each in looked:
            frame = each.join(frame)
        return replace(working, frame=frame.withColumns(marks).select(*made))

    def _joined(self, frame: DataFrame) -> DataFrame:
        """The rows with every dataset that a step joins, each of them once."""
        done = set[str]()
        for step in self.steps:
            new = tuple(join for join in step.joins if join.alias not in done)
            frame = self.machinery.joined(frame, new, step_label(step), not_deleted())
            done |= {join.alias for join in new}
        return frame

    def _tables(self) -> tuple[RuleTable, ...]:
        options = self.machinery.options
        if not options.rule_tables:
            return ()
        updates = [step for step in self.steps if isinstance(step, UpdateStep)]
        return find_tables(updates, self.machinery.moment, options.smallest_table)

    def _marks(self, singles: Sequence[RowWise]) -> dict[str, Column]:
        """Columns that say which rows a step picks; steps that pick all share one."""
        marks: dict[str, Column] = {}
        for step in singles:
            if step.selector is None:
                marks.setdefault(_mark(step), not_deleted())
            else:
                picked = self.machinery.compiler.condition(step.selector)
                marks[_mark(step)] = not_deleted() & picked
        return marks

    def _written(
        self,
        singles: Sequence[RowWise],
        tables: Sequence[RuleTable],
        of_tables: Sequence[Flag | Entries],
    ) -> tuple[Working, list[Column]]:
        """What the working dataset is afterwards, and the columns of its frame."""
        working = replace(self.working, columns=self.steps[-1].columns)
        changed = self._assigned(singles, tables)
        deletes = [column(_mark(step)) for step in singles if isinstance(step, DeleteStep)]
        if deletes:
            changed["_deleted"] = balanced([column("_deleted"), *deletes], Column.__or__)
        changed["_updated_at"] = self._stamped(singles, tables)
        unmarked = {each.seq for each in self.asked}
        flags, packed = self._counters([step for step in singles if step.seq not in unmarked])
        counters = (*flags, *of_tables, *self.asked)
        names = dict.fromkeys((*working.kept, *working.hidden))
        carried = {name: changed.get(name, column(name)) for name in names}
        made = {**carried, **packed, **{c.name: column(c.name) for c in of_tables}}
        if not self.machinery.options.ledger:
            made, counters = carried, ()
        joins = {join.alias for step in self.steps for join in step.joins}
        effort = (
            LAYER_EFFORT + JOIN_EFFORT * (len(joins) + len(tables)) + FLAG_EFFORT * len(singles)
        )
        after = replace(
            working,
            counters=(*working.counters, *counters),
            depth=working.depth + 1 + len(joins),
            effort=working.effort + effort,
        )
        return after, [value.alias(name) for name, value in made.items()]

    def _assigned(
        self, singles: Sequence[RowWise], tables: Sequence[RuleTable]
    ) -> dict[str, Column]:
        """Every column that a step sets, as the last of them to pick a row leaves it."""
        writers: dict[str, list[tuple[UpdateStep, Bound]]] = {}
        for step in singles:
            if isinstance(step, UpdateStep):
                for made in step.assignments:
                    writers.setdefault(made.column, []).append((step, made.expression))
        of_tables: dict[str, list[RuleTable]] = {}
        for table in tables:
            for name in table.columns:
                of_tables.setdefault(name, []).append(table)
        names = dict.fromkeys((*writers, *of_tables))
        return {
            name: self._chosen(name, writers.get(name, ()), of_tables.get(name, ()))
            for name in names
            if name not in self.working.dropped
        }

    def _chosen(
        self,
        name: str,
        writers: Sequence[tuple[UpdateStep, Bound]],
        tables: Sequence[RuleTable],
    ) -> Column:
        best = _best(tables)
        branches: list[tuple[Column, Column]] = []
        for step, expression in reversed(writers):
            picked = column(_mark(step))
            value = self.machinery.compiler.compile(expression)
            branches.append((picked if best is None else picked & (best < step.seq), value))
            if best is None and step.selector is None:
                break  # no row is left for who wrote before
        for table in tables:
            met = table.winner.isNotNull()
            if best is not None and len(tables) > 1:
                met = met & (table.winner == best)
            branches.append((met, table.value(name)))
        chain = first_of(branches)
        if name in self.working.columns.fields:
            chain = chain.otherwise(column(name))
        return chain.cast(sql_type(self.steps[-1].columns.fields[name].type))

    def _stamped(self, singles: Sequence[RowWise], tables: Sequence[RuleTable]) -> Column:
        picked = [column(name) for name in dict.fromkeys(map(_mark, singles))]
        picked += [table.winner.isNotNull() for table in tables]
        now = literal(self.machinery.context.now, t.TIMESTAMP)
        return F.when(balanced(picked, Column.__or__), now).otherwise(column("_updated_at"))

    def _counters(self, singles: Sequence[RowWise]) -> tuple[list[Flag], dict[str, Column]]:
        """Marks packed into numbers, the last one filled up first; and where each is."""
        before = [
            c for c in self.working.counters if isinstance(c, Flag) and c.name.startswith(_FLAGS)
        ]
        name = before[-1].name if before else ""
        bit = max((flag.bit for flag in before if flag.name == name), default=BITS - 1) + 1
        flags: list[Flag] = []
        bits: dict[str, list[Column]] = {}
        nothing = F.lit(0).cast("bigint")
        if before and bit < BITS and singles:
            bits[name] = [F.coalesce(column(name), nothing)]
        places: dict[str, tuple[str, int]] = {}
        for step in singles:
            mark = _mark(step)
            if mark not in places:
                if bit >= BITS:
                    name, bit = f"{_FLAGS}{step.seq}", 0
                places[mark] = name, bit
                picked = column(mark).cast("bigint")
                bits.setdefault(name, []).append(F.shiftleft(picked, bit) if bit else picked)
                bit += 1
            flags.append(Flag(step.seq, *places[mark]))
        packed = {name: balanced(some, Column.bitwiseOR) for name, some in bits.items()}
        return flags, packed


def _best(tables: Sequence[RuleTable]) -> Column | None:
    """The highest seq that any of the tables has for a row, 0 for none."""
    if not tables:
        return None
    none = F.lit(0).cast("bigint")
    seqs = [F.coalesce(table.winner, none) for table in tables]
    return seqs[0] if len(seqs) == 1 else F.greatest(*seqs)


def _mark(step: Step) -> str:
    return "__picked_all" if step.selector is None else f"__picked_{step.seq}"
