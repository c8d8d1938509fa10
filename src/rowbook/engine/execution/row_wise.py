"""Layers of row-wise operations on frames: which they are is decided in `strategy.layers`.

All conditions are evaluated on the same rows, once each, and every column gets one flat CASE, in
which the last writer comes first. A value that a later update of the layer overwrites is not
computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import literal
from rowbook.engine.compile.functions import balanced, first_of
from rowbook.engine.compile.spark_types import sql_type
from rowbook.engine.counting.counters import BITS, CountRequest, Entries, Flag
from rowbook.engine.execution.environment import Environment, step_label
from rowbook.engine.execution.joining.rule_lookup import LookUp, look_up
from rowbook.engine.execution.row_windows import with_windows
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import not_deleted
from rowbook.engine.session.sizing import in_one_task
from rowbook.engine.strategy.stages import LayerStage
from rowbook.engine.strategy.step_analysis import RowWise
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound
from rowbook.planning.columns import Columns
from rowbook.planning.operations.required_values import requirements_of
from rowbook.planning.steps import DeleteStep, Step, UpdateStep
from rowbook.spark.column_names import column, named
from rowbook.spark.markers import failing, sound_rows

_FLAGS = "__flags_"


def apply_layer(working: Working, layer: LayerStage, environment: Environment) -> Working:
    fields = layer.steps[-1].columns.fields
    tables = tuple(
        look_up(table, environment.compiler, fields, not_deleted()) for table in layer.tables
    )
    return _Applied(working, layer, environment, tables, layer.singles).working_after()


def seen_rows(working: Working, layer: LayerStage, environment: Environment) -> DataFrame:
    """The rows with all that steps of the layer see beside them: joins, and windows over these."""
    frame, done = working.frame, set[str]()
    for step in layer.steps:
        new = tuple(join for join in step.joins if join.alias not in done)
        if new:
            frame = environment.joined(frame, new, step_label(step), not_deleted())
        done |= {join.alias for join in new}
    if not layer.passes:
        return frame
    if working.table is not None:
        frame = in_one_task(frame)
    return with_windows(frame, working.frame, layer.passes, environment.compiler)


@dataclass(frozen=True, slots=True)
class _Applied:
    working: Working
    layer: LayerStage
    environment: Environment
    tables: tuple[LookUp, ...]
    singles: tuple[RowWise, ...]

    @property
    def _columns(self) -> Columns:
        return self.layer.steps[-1].columns

    def working_after(self) -> Working:
        marks = self._marks()
        for each in self.tables:
            marks |= each.offered
        working, made = self._written()
        frame = seen_rows(working, self.layer, self.environment)
        frame = self._with_shared(frame)
        for each in self.tables:
            frame = each.join(frame)
        marked = self._checked(frame.withColumns(marks))
        return replace(working, frame=marked.select(*made))

    def _with_shared(self, frame: DataFrame) -> DataFrame:
        """A projection for each level: Spark keeps apart what is read more than once."""
        for level in sorted({each.level for each in self.layer.shared}):
            frame = frame.withColumns(
                {
                    each.name: F.when(
                        not_deleted(), self.environment.compiler.compile(each.expression)
                    )
                    for each in self.layer.shared
                    if each.level == level
                }
            )
        return frame

    def _checked(self, frame: DataFrame) -> DataFrame:
        """Which rows they are is found out afterwards."""
        condition = self.environment.compiler.condition
        unmet = [
            (column(_mark(step)) & condition(each.unmet), failing("RUN_013", f"{step_label(step)}"))
            for step in self.singles
            if isinstance(step, UpdateStep)
            for each in requirements_of(step)
        ]
        return sound_rows(frame, *unmet) if unmet else frame

    def _marks(self) -> dict[str, Column]:
        marks: dict[str, Column] = {}
        for step in self.singles:
            if step.selector is None:
                marks[_mark(step)] = not_deleted()
            else:
                picked = self.environment.compiler.condition(step.selector)
                marks[_mark(step)] = not_deleted() & picked
        return marks

    def _written(self) -> tuple[Working, list[Column]]:
        """What the working dataset is afterwards, and the columns of its frame."""
        working = replace(self.working, columns=self._columns)
        changed = self._assigned()
        deletes = [column(_mark(step)) for step in self.singles if isinstance(step, DeleteStep)]
        if deletes:
            changed["_deleted"] = balanced([column("_deleted"), *deletes], Column.__or__)
        if "_updated_at" not in working.dropped:
            changed["_updated_at"] = self._stamped()
        names = dict.fromkeys((*working.kept, *working.hidden))
        made = {name: changed.get(name, column(name)) for name in names}
        if self.environment.ledger:
            flags, packed = self._flags()
            of_tables = self._table_counters()
            made |= {**packed, **{c.name: column(c.name) for c in of_tables}}
            working = working.counted(*flags, *of_tables, *self._requests())
        return working, named(made)

    def _requests(self) -> list[CountRequest]:
        condition = self.environment.compiler.condition
        return [
            CountRequest(step.seq, condition(step.selector))
            for step in self.layer.steps
            if step.seq in self.layer.unmarked
        ]

    def _table_counters(self) -> list[Flag | Entries]:
        return [
            counter
            for each in self.tables
            for counter in each.counters
            if isinstance(counter, Entries) or counter.seq not in self.layer.unmarked
        ]

    def _assigned(self) -> dict[str, Column]:
        """Every column that a step sets, as the last of them to pick a row leaves it."""
        writers: dict[str, list[tuple[UpdateStep, Bound]]] = {}
        for step in self.singles:
            if isinstance(step, UpdateStep):
                for made in step.assignments:
                    writers.setdefault(made.column, []).append((step, made.expression))
        of_tables: dict[str, list[LookUp]] = {}
        for table in self.tables:
            for name in table.table.columns:
                of_tables.setdefault(name, []).append(table)
        names = dict.fromkeys((*writers, *of_tables))
        return {
            name: self._chosen(name, writers.get(name, ()), of_tables.get(name, ()))
            for name in names
            if name not in self.working.dropped
        }

    def _chosen(
        self, name: str, writers: Sequence[tuple[UpdateStep, Bound]], tables: Sequence[LookUp]
    ) -> Column:
        best = _best(tables)
        branches: list[tuple[Column, Column]] = []
        for step, expression in reversed(writers):
            picked = column(_mark(step))
            value = self.environment.compiler.compile(expression)
            branches.append((picked if best is None else picked & (best < step.seq), value))
            if best is None and step.selector is None:
                break  # no row is left for who wrote before
        for table in tables:
            met = table.winner.isNotNull()
            if best is not None and len(tables) > 1:
                met = met & (table.winner == best)
            branches.append((met, table.value(name)))
        chain, kind = first_of(branches), self._columns.fields[name].type
        types = {expression.type for _, expression in writers}
        if name in self.working.columns.fields:
            chain = chain.otherwise(column(name))
            types.add(self.working.columns.fields[name].type)
        return chain if types <= {kind} else chain.cast(sql_type(kind))

    def _stamped(self) -> Column:
        picked = [column(name) for name in dict.fromkeys(map(_mark, self.singles))]
        picked += [table.winner.isNotNull() for table in self.tables]
        now = literal(self.environment.context.now, t.TIMESTAMP)
        return F.when(balanced(picked, Column.__or__), now).otherwise(column("_updated_at"))

    def _flags(self) -> tuple[list[Flag], dict[str, Column]]:
        """Marks packed into numbers, the last one filled up first; and where each is."""
        uncounted = self.layer.unmarked | self.layer.of_input
        singles = [step for step in self.singles if step.seq not in uncounted]
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
            every = step.selector is None and isinstance(step, UpdateStep)
            flags.append(Flag(step.seq, *places[mark], every=every))
        packed = {name: balanced(some, Column.bitwiseOR) for name, some in bits.items()}
        return flags, packed


def _best(tables: Sequence[LookUp]) -> Column | None:
    """The highest seq that any of the tables has for a row, 0 for none."""
    if not tables:
        return None
    none = F.lit(0).cast("bigint")
    seqs = [F.coalesce(table.winner, none) for table in tables]
    return seqs[0] if len(seqs) == 1 else F.greatest(*seqs)


def _mark(step: Step) -> str:
    return "__picked_all" if step.selector is None else f"__picked_{step.seq}"
