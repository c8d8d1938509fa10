"""Rows made from rows, on frames: what an append's joins find for the rows that it has picked."""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.row_ids import FIRST, SECOND, id_hashes, uuid_text, with_row_ids
from rowbook.engine.counting.counters import TAKEN
from rowbook.engine.execution.entries.spread_parts import SpreadFrame
from rowbook.engine.execution.environment import Environment, step_label
from rowbook.engine.execution.joining.many_matches import (
    MatchJoin,
    is_first,
    matched_ids,
    tells_first,
    there_name,
)
from rowbook.engine.execution.start_rows import identity
from rowbook.planning.datasets import Join
from rowbook.planning.steps import AppendStep
from rowbook.spark.column_names import column

_ORIGIN = ("__origin_first", "__origin_second")
"""The id of a dataset's row, which has none of the working dataset's."""


@dataclass(frozen=True, slots=True)
class EntryFrames:
    """Of an append: the rows of its source, and which of them it has picked; `with_ids` where ids
    are wanted."""

    step: AppendStep
    environment: Environment
    with_ids: bool
    source: DataFrame
    picked: DataFrame

    def entries(self) -> DataFrame:
        """A row for each new one, with how many origins it counts for."""
        frame, spread, where = self.told_apart(), self.spread, str(step_label(self.step))
        by_lists = self.environment.spread_lists and spread is not None and spread.weighs_matches
        for join in self.step.matches:
            if spread is not None and by_lists and join.many:
                right, name = self.environment.load(join.dataset), there_name(join.alias)
                origins = self.match(join).with_figures(frame, right, spread.of_matches)
                frame = spread.shared(spread.checked(origins, where)).drop(name)
            frame = self.match(join).checked(self.matched(frame, join))
        if spread is not None:
            if not by_lists:
                frame = spread.shared_by_rows(spread.checked(spread.weighed(frame), where))
            frame = spread.with_parts(frame)
        taken = [is_first(join.alias) for join in self.step.matches if join.many]
        counts = taken[0].cast("bigint") if taken and self.tells_taken else F.lit(1).cast("bigint")
        return frame.withColumn(TAKEN, counts)

    def told_apart(self) -> DataFrame:
        """The rows that are picked, with ids where they have none yet: those that they would be
        appended with."""
        if not self.with_ids or self.step.source is None:
            return self.picked
        told_by, unique = identity(self.source)
        made = with_row_ids(self.picked, self._salt, told_by, unique=unique)
        return made.withColumnsRenamed(dict(zip((FIRST, SECOND), _ORIGIN, strict=True)))

    def matched(self, frame: DataFrame, join: Join) -> DataFrame:
        return self.match(join).joined(frame, self.environment.load(join.dataset))

    def match(self, join: Join) -> MatchJoin:
        where, spread = str(step_label(self.step)), self.spread
        prepare = spread.weigh if spread and join.many and spread.weighs_matches else None
        return MatchJoin(join, self.environment.compiler, where, self.with_ids, prepare)

    @property
    def spread(self) -> SpreadFrame | None:
        spread = self.step.spread
        if spread is None:
            return None
        join = next(each for each in self.step.matches if each.alias == spread.alias)
        origin = (FIRST, SECOND) if self.step.source is None else _ORIGIN
        return SpreadFrame(spread, join, self.environment.compiler, origin)

    @property
    def tells_taken(self) -> bool:
        """Whether the new rows tell how many origins they come from."""
        joins = self.step.matches
        many = [join for join in joins if join.many]
        return (
            len(many) <= 1
            and all(map(tells_first, many))
            and all(join.unmatched != "drop" for join in joins)
        )

    def ids(self) -> tuple[Column, Column]:
        """The two numbers of each new row's id."""
        many = [join.alias for join in self.step.matches if join.many]
        now = self.environment.context.now
        if self.step.source is None:
            origin = self.environment.compiler.row_id()
        else:
            first, second = map(column, _ORIGIN)
            if not many:
                return first, second
            origin = uuid_text(now, first, second)
        told_by = [origin, *(each for alias in many for each in matched_ids(alias))]
        return id_hashes(self._salt, told_by)

    @property
    def _salt(self) -> str:
        return f"operation {self.step.seq}"
