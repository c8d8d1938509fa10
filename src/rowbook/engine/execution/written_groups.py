"""Rows grouped while an output writes them: one pass does both, where by hand there are two.

Each piece of the rows goes through Python once. What comes back are groups of rows that are alike
in the keys and in all marks; what is counted, and what groups are to add up, is told from these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as s

from rowbook.engine.compile.compiler import Compiler, is_constant
from rowbook.engine.compile.spark_types import sql_type
from rowbook.engine.counting.by_group import WRITTEN, GroupCounts
from rowbook.engine.counting.counters import TAKEN
from rowbook.engine.execution.environment import Environment
from rowbook.engine.execution.output_rows import picked_rows, with_types, written_values
from rowbook.engine.execution.row_groups import Fold, Measure, RowGroups
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import not_deleted
from rowbook.engine.strategy.passed_rows import most_rows
from rowbook.expressions import bound
from rowbook.expressions.bound import Aggregate
from rowbook.expressions.types import Kind, as_decimal
from rowbook.planning.columns import PERIOD, ROW_ID
from rowbook.planning.steps import AggregateStep, OutputStep
from rowbook.sources.source import BegunOutput
from rowbook.spark.column_names import column
from rowbook.spark.row_pass import passed

_ROWS, _PICKED, _DELETED = "__rows", "__picked", "_deleted"
_FUNCTIONS: dict[str, Fold] = {"SUM": "sum", "COUNT": "count", "MIN_AGG": "min", "MAX_AGG": "max"}


@dataclass(frozen=True, slots=True)
class WrittenGroups:
    """What is grouped, by what, and which output writes it."""

    step: AggregateStep
    output: OutputStep
    begun: BegunOutput
    environment: Environment
    counts: GroupCounts

    def of(
        self, working: Working, parts: Sequence[Aggregate]
    ) -> tuple[DataFrame, dict[Aggregate, str]]:
        """Groups of each piece, which are to be put together, with these parts and all figures that
        are counted; and where the parts stand."""
        names = {p: f"__of_piece_{i}" for i, p in enumerate(parts) if not is_constant(p)}
        pieces = working.pieces()
        groups = [self._groups(replace(working, frame=piece), names) for piece in pieces]
        return reduce(DataFrame.unionByName, groups), names

    def _groups(self, piece: Working, names: dict[Aggregate, str]) -> DataFrame:
        asked = _Asked(self.environment.compiler)
        rows, cast = with_types(piece, self.output)
        asked.columns |= dict(
            zip(
                self.output.written,
                written_values(rows, self.output.written, self.environment.context),
                strict=True,
            )
        )
        asked.shared |= set(self.output.written) - {PERIOD.name, ROW_ID, *cast}
        keys = {name: asked.key(name) for name in self._keys}
        measures = [Measure(_ROWS, "rows")]
        measures += [asked.measure(name, part) for part, name in names.items()]
        measures.append(Measure(WRITTEN, "sum", _PICKED))
        if self.counts.adds_up_taken:
            measures.append(Measure(TAKEN, "sum", asked.added("__made_of", column(TAKEN))))
        asked.columns[_PICKED] = picked_rows(self.output, self.environment)
        frame = rows.frame.select(*(value.alias(n) for n, value in asked.columns.items()))
        most = min((most_rows(part) for part in names), default=10**9)
        task = RowGroups(self.begun.files(), _PICKED, tuple(keys.values()), tuple(measures), most)
        return self._figures(passed(frame, task, _schema(frame, task, names)), keys, names)

    @property
    def _keys(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.step.keys, _DELETED, *self.counts.alike_in)))

    def _figures(
        self, groups: DataFrame, keys: dict[str, str], names: dict[Aggregate, str]
    ) -> DataFrame:
        """With what is counted, of groups that are apart by their keys alone."""
        called = groups.withColumnsRenamed({made: name for name, made in keys.items()})
        figures = self.counts.of_alike(column(_ROWS))
        return called.select(
            *(column(name) for name in (*self.step.keys, _DELETED)),
            column(_ROWS).alias(TAKEN),
            *(F.when(not_deleted(), column(name)).alias(name) for name in names.values()),
            *(value.alias(name) for name, value in figures.items()),
        )


class _Asked:
    """The columns that a task is given of rows: those that are written, which may also be asked for
    other things, and others."""

    def __init__(self, compiler: Compiler) -> None:
        self.columns: dict[str, Column] = {}
        self.shared: set[str] = set()
        self._compiler = compiler
        self._keys: set[str] = set()

    def key(self, name: str) -> str:
        made = name if name in self.shared else self.added(f"__key_{name}", column(name))
        self._keys.add(made)
        return made

    def measure(self, name: str, part: Aggregate) -> Measure:
        argument, function = part.argument, _FUNCTIONS[part.function]
        if argument is None:
            return Measure(name, "rows")
        is_added_up = function == "sum" and argument.type.kind is not Kind.DECIMAL
        match argument:
            case bound.Column(None, own) if own in self.shared - self._keys and not is_added_up:
                return Measure(name, function, own)
        value = F.when(not_deleted(), self._compiler.compile(argument))
        if is_added_up:
            value = value.cast(sql_type(as_decimal(argument.type)))
        return Measure(name, function, self.added(f"__value_{name}", value))

    def added(self, name: str, value: Column) -> str:
        self.columns[name] = value
        return name


def _schema(frame: DataFrame, task: RowGroups, names: dict[Aggregate, str]) -> s.StructType:
    types = {field.name: field.dataType for field in frame.schema.fields}
    parts = {name: part for part, name in names.items()}
    fields = [s.StructField(name, types[name]) for name in task.keys]
    for each in task.measures:
        part = parts.get(each.name)
        if part is not None and part.function == "SUM":
            kind: s.DataType = s.DecimalType(38, part.type.scale)
        elif each.function in ("min", "max"):
            kind = types[each.column]
        else:
            kind = s.LongType()
        fields.append(s.StructField(each.name, kind))
    return s.StructType(fields)
