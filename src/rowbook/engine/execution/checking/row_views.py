"""The rows that an expectation looks at in a frame, with what it reads beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.counting.counters import added_since
from rowbook.engine.execution.environment import Environment, step_label
from rowbook.engine.execution.failures.explain_failure import is_overflow
from rowbook.engine.loading.system_columns import not_deleted
from rowbook.expressions.bound import Bound
from rowbook.expressions.scope import Field
from rowbook.planning.datasets import Join
from rowbook.planning.expectations.expectation_plan import Against, Expectation
from rowbook.planning.steps import OutputStep
from rowbook.spark.causes import is_spark_failure
from rowbook.spark.column_names import column, joined_name

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RowPlace:
    """Where rows are looked at: their columns; of a dataset, which has none that are deleted and no
    ids of the working dataset; or those that an output writes."""

    fields: Mapping[str, Field]
    of_dataset: bool = False
    output: OutputStep | None = None


@dataclass(frozen=True, slots=True)
class RowView:
    place: RowPlace
    selector: Bound | None
    joins: tuple[Join, ...] = ()
    include_deleted: bool = False
    alias: str | None = None
    """What expressions may call the rows themselves by."""
    since: int | None = None
    """Of rows that this operation or a later one added."""

    @classmethod
    def of(cls, expectation: Expectation, place: RowPlace, since: int | None = None) -> RowView:
        joins, deleted = expectation.joins, expectation.include_deleted
        return cls(place, expectation.selector, joins, deleted, since=since)

    @classmethod
    def of_other_side(cls, against: Against, place: RowPlace) -> RowView:
        return cls(place, against.selector, against.joins, alias=against.alias)

    @property
    def frame_key(self) -> tuple[object, ...]:
        """The same for views that read the same frame."""
        seq = self.place.output.seq if self.place.output else None
        return seq, self.alias, tuple(each.alias for each in self.joins), self.include_deleted

    @property
    def key(self) -> tuple[object, ...]:
        """The same for views of the same rows."""
        return *self.frame_key, self.selector, self.since

    @property
    def visible(self) -> Column:
        everything = self.place.of_dataset or self.include_deleted
        return F.lit(True) if everything else not_deleted()

    def frame(self, frame: DataFrame, environment: Environment) -> DataFrame:
        """The frame with what joins have for its rows."""
        joined, step = frame, self.place.output
        if step is not None:
            joined = environment.joined(joined, step.joins, step_label(step), self._written(step))
        known = set() if step is None else {join.alias for join in step.joins}
        joins = tuple(join for join in self.joins if join.alias not in known)
        joined = environment.joined(joined, joins, None, self.visible)
        if self.alias is None:
            return joined
        names = (name for name in self.place.fields if name in frame.columns)
        return joined.withColumns({joined_name(self.alias, name): column(name) for name in names})

    def rows(self, frame: DataFrame, environment: Environment) -> DataFrame:
        """Those of that frame that are looked at."""
        return self.frame(frame, environment).filter(self.seen(environment))

    def seen(self, environment: Environment) -> Column:
        """Which rows of that frame are looked at; never NULL."""
        step, condition = self.place.output, environment.compiler.condition
        seen = self.visible & condition(self.selector)
        seen = seen if self.since is None else added_since(self.since) & seen
        return seen if step is None else self._written(step) & condition(step.selector) & seen

    def _written(self, step: OutputStep) -> Column:
        return F.lit(True) if step.include_deleted else not_deleted()


def unless_overflow(compute: Callable[[], T]) -> T | None:
    """What is computed; None where a value in it does not fit."""
    try:
        return compute()
    except Exception as error:
        if not is_spark_failure(error) or not is_overflow(error):
            raise
        return None
