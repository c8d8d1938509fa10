"""Rows with the values of windows: how is decided in `strategy.window_passes`.

Each aggregate, and each place in an order, is a column; values are made of these. Deleted rows are
kept apart: nothing of them is counted, and they see nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, WindowSpec
from pyspark.sql import Window as SparkWindow
from pyspark.sql import functions as F

from rowbook.engine.compile import functions
from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.float_sums import Over, of_group
from rowbook.engine.compile.functions import balanced
from rowbook.engine.compile.spark_types import sql_type
from rowbook.engine.loading.system_columns import not_deleted
from rowbook.engine.strategy.stages import WindowPass
from rowbook.expressions.bound import Aggregate, Bound, Position, walk
from rowbook.planning.columns import ROW_ID
from rowbook.planning.steps import SortKey, Window
from rowbook.spark.column_names import column, joined_name


def with_windows(
    frame: DataFrame, bare: DataFrame, passes: Sequence[WindowPass], compiler: Compiler
) -> DataFrame:
    """The frame with each window's values below its alias; `bare` are the same rows without what
    was joined to them."""
    with_joins = frame
    for number, each in enumerate(passes):
        windows = [_Windowed(window, compiler) for window in each.windows]
        if each.joined:
            rows = with_joins if each.reads_joins else bare
            frame = _joined(frame, rows, each, number, windows, compiler)
        else:
            frame = _sorted(frame, each, windows, compiler)
        frame = frame.withColumns(
            {name: value for window in windows for name, value in window.values().items()}
        )
    return frame


@dataclass(frozen=True, slots=True)
class _Windowed:
    window: Window
    compiler: Compiler

    @property
    def counted(self) -> Column:
        return not_deleted() & self.compiler.condition(self.window.selector)

    @property
    def aggregates(self) -> dict[Aggregate, str]:
        found = [part for part in self._parts() if isinstance(part, Aggregate)]
        return {part: self._name(f"total {i}") for i, part in enumerate(dict.fromkeys(found))}

    @property
    def positions(self) -> dict[Position, str]:
        found = [part for part in self._parts() if isinstance(part, Position)]
        return {part: self._name(f"place {i}") for i, part in enumerate(dict.fromkeys(found))}

    def values(self) -> dict[str, Column]:
        made = {part: column(name) for part, name in self.aggregates.items()}
        places = {part: column(name) for part, name in self.positions.items()}
        return {
            self._name(each.column): F.when(
                not_deleted(), self.compiler.compile(each.expression, made, places)
            )
            for each in self.window.values
        }

    def total(self, node: Aggregate, over: Over = of_group) -> Column:
        """An aggregate of the rows that count; of others nothing is computed."""
        value = self._of_counted(functions.added_up(node))
        by = None if node.by is None else self._of_counted(node.by)
        return functions.aggregate(node, value, by, over)

    def place(self, node: Position, by_place: WindowSpec, by_rank: WindowSpec) -> Column:
        """Among the rows that count, which the windows hold apart from others."""
        match node.function:
            case "ROW_NUMBER":
                made = F.row_number().over(by_place)
            case "RANK":
                made = F.rank().over(by_rank)
            case "LAG":
                made = F.lag(self._of_counted(node.argument), node.offset).over(by_place)
            case _:
                made = F.lead(self._of_counted(node.argument), node.offset).over(by_place)
        return F.when(self.counted, made).cast(sql_type(node.type))

    def _of_counted(self, tree: Bound | None) -> Column:
        value = F.lit(1) if tree is None else self.compiler.compile(tree)
        return F.when(self.counted, value)

    def _parts(self) -> list[Bound]:
        return [part for each in self.window.values for part in walk(each.expression)]

    def _name(self, name: str) -> str:
        return joined_name(self.window.alias, name)


def _joined(
    frame: DataFrame,
    rows: DataFrame,
    each: WindowPass,
    number: int,
    windows: Sequence[_Windowed],
    compiler: Compiler,
) -> DataFrame:
    keys = {f"__by_{number}_{i}": _own(key, compiler) for i, key in enumerate(each.keys)}
    totals = [
        window.total(node).alias(name)
        for window in windows
        for node, name in window.aggregates.items()
    ]
    visible = rows.filter(not_deleted())
    groups = visible.groupBy(*(key.alias(name) for name, key in keys.items())).agg(*totals)
    if not keys:
        return frame.crossJoin(F.broadcast(groups))
    same = [key.eqNullSafe(column(name)) for name, key in keys.items()]
    return frame.join(groups, balanced(same, Column.__and__), "left").drop(*keys)


def _sorted(
    frame: DataFrame, each: WindowPass, windows: Sequence[_Windowed], compiler: Compiler
) -> DataFrame:
    """First what needs the whole order: Spark then has nothing more to sort for the rest."""
    keys = [_own(key, compiler) for key in each.keys]
    order = [_in_order(key, compiler) for key in each.order]
    ties = compiler.row_order() if order else []
    group = SparkWindow.partitionBy(*keys, column("_deleted"))
    by_place, by_rank = _ordered(group, [*order, *ties]), _ordered(group, order)
    first, last = SparkWindow.unboundedPreceding, SparkWindow.currentRow
    up_to_row = by_place.rowsBetween(first, last) if order else group
    stages: list[dict[str, Column]] = [{}, {}]
    for window in windows:
        for node, name in window.aggregates.items():
            stages[0][name] = window.total(node, lambda total: total.over(up_to_row))
        if window.window.selector is None:
            for place, name in window.positions.items():
                stages[place.function == "RANK"][name] = window.place(place, by_place, by_rank)
        elif window.positions:
            apart = SparkWindow.partitionBy(*keys, window.counted)
            specs = _ordered(apart, [*order, *ties]), _ordered(apart, order)
            stages.append({name: window.place(p, *specs) for p, name in window.positions.items()})
    for made in stages:
        frame = frame.withColumns(made) if made else frame
    return frame


def _ordered(group: WindowSpec, order: Sequence[Column]) -> WindowSpec:
    return group.orderBy(*order) if order else group


def _own(name: str, compiler: Compiler) -> Column:
    return compiler.row_id() if name == ROW_ID else column(name)


def _in_order(key: SortKey, compiler: Compiler) -> Column:
    value = _own(key.column, compiler)
    return value.desc_nulls_last() if key.descending else value.asc_nulls_last()
