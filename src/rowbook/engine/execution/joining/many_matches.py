"""The joins of an append: with many matches each makes a row; rows without any fail the run, are
left out, or are kept with NULLs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.functions import balanced
from rowbook.engine.compile.row_ids import FIRST, SECOND, with_row_ids
from rowbook.engine.execution.joining.joins import join, named_columns
from rowbook.engine.execution.start_rows import identity
from rowbook.expressions import bound
from rowbook.planning.datasets import Join
from rowbook.planning.join_condition import join_condition
from rowbook.reference.entries.entry_rows import JOINED
from rowbook.spark.column_names import column, joined_name
from rowbook.spark.markers import failing, sound_rows


def there_name(alias: str) -> str:
    return f"__there_{alias}"


def there(alias: str) -> Column:
    """TRUE where a row has a match."""
    return column(there_name(alias))


def matched_ids(alias: str) -> list[Column]:
    """The two numbers that tell a match with many from others."""
    return [column(joined_name(alias, name)) for name in (FIRST, SECOND)]


def is_first(alias: str) -> Column:
    """Of the rows that an origin makes, TRUE on one."""
    return F.coalesce(column(_number(alias)) == 1, F.lit(True))


def tells_first(spec: Join) -> bool:
    """Whether all rows with the same keys match the same rows, so that `is_first` holds."""
    parts = join_condition(spec)
    return not any(spec.alias in _sources(part) for part in parts.rest)


def left_keys(spec: Join, compiler: Compiler) -> list[Column]:
    return [compiler.compile(left) for left, _ in join_condition(spec).keys]


@dataclass(frozen=True, slots=True)
class MatchJoin:
    """`where` names the operation in errors; with `with_ids` matches can be told apart; `prepare`
    adds columns to the matches of a join with many, of which those with the same keys belong
    together."""

    spec: Join
    compiler: Compiler
    where: str
    with_ids: bool
    prepare: Callable[[DataFrame, Sequence[Column]], DataFrame] | None = None

    def joined(self, frame: DataFrame, right: DataFrame) -> DataFrame:
        """The frame with what the join finds, and whether it found anything."""
        if self.spec.many:
            return self._many(frame, right)
        visible, name = F.lit(True), there_name(self.spec.alias)
        return join(frame, right, self.spec, self.compiler, self.where, visible, name)

    def checked(self, frame: DataFrame) -> DataFrame:
        """Without rows that have no match, unless they are kept."""
        found = there(self.spec.alias)
        match self.spec.unmatched:
            case "keep":
                return frame
            case "drop":
                return frame.filter(found)
            case "error":
                # Of both sides, so that Spark does not try it on a row of NULLs while it plans.
                some = F.coalesce(column(frame.columns[0]).cast("string"), F.lit("NULL"))
                join = f"join '{self.spec.alias}' to dataset '{self.spec.dataset.name}'"
                text = F.concat(F.lit(f"{self.where}: {join}: a row without a match: "), some)
                return sound_rows(frame, (found.isNull(), failing("JOIN_007", text)))

    def with_figures(
        self, frame: DataFrame, right: DataFrame, figures: Mapping[str, Column]
    ) -> DataFrame:
        """The frame with figures of all matches of a row, and whether it has any; of a join with
        many that `tells_first`."""
        named, keys = self._prepared(right)
        names = [f"__group_key_{i}" for i in range(len(keys))]
        grouped = named.groupBy(*(key.alias(name) for key, name in zip(keys, names, strict=True)))
        groups = grouped.agg(*(value.alias(name) for name, value in figures.items()))
        groups = groups.withColumn(there_name(self.spec.alias), F.lit(True))
        left = left_keys(self.spec, self.compiler)
        equal = [key == column(name) for key, name in zip(left, names, strict=False)]
        return frame.join(groups, self._matching(equal), "left").drop(*names)

    def _many(self, frame: DataFrame, right: DataFrame) -> DataFrame:
        named, keys = self._prepared(right)
        left = left_keys(self.spec, self.compiler)
        equal = [a == b for a, b in zip(left, keys, strict=False)]
        return frame.join(named, self._matching(equal), "left")

    def _prepared(self, right: DataFrame) -> tuple[DataFrame, list[Column]]:
        """The matches, and their keys: a constant where there are none."""
        alias, parts = self.spec.alias, join_condition(self.spec)
        more: Sequence[str] = ()
        if self.with_ids:
            told_by, unique = identity(right)
            right, more = with_row_ids(right, JOINED, told_by, unique=unique), (FIRST, SECOND)
        named = named_columns(right, self.spec, parts, self.compiler, more)
        keys = [self.compiler.compile(each) for _, each in parts.keys] or [F.lit(0)]
        # By all they hold, so that the same match is the first whenever they are computed again.
        same = Window.partitionBy(*keys).orderBy(*map(column, named.columns))
        number = F.row_number().over(same)
        named = named.withColumns({_number(alias): number, there_name(alias): F.lit(True)})
        return (named if self.prepare is None else self.prepare(named, keys)), keys

    def _matching(self, equal: Sequence[Column]) -> Column:
        also = [self.compiler.condition(part) for part in join_condition(self.spec).rest]
        return balanced([*equal, *also] or [F.lit(True)], Column.__and__)


def _number(alias: str) -> str:
    return f"__number_{alias}"


def _sources(node: bound.Bound) -> set[str | None]:
    return {source for source, _ in bound.columns(node)}
