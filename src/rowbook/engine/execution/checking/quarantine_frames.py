"""Rows that expectations take out of a frame: which they are, and how they are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.compile.spark_types import sql_type
from rowbook.engine.execution.checking.row_views import RowView
from rowbook.engine.execution.checkpoint import checkpoint
from rowbook.engine.execution.environment import Environment
from rowbook.engine.strategy.stages import Storage
from rowbook.expressions.bound import Bound
from rowbook.planning.columns import PERIOD, ROW_ID
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.steps import OutputStep
from rowbook.spark.column_names import column

_KEY, _FAULTY = "__faulty_key_", "__faulty"


@dataclass(frozen=True, slots=True)
class Taking:
    """Says which rows go: those for which `that` is not true, or those with keys that are found.
    With `beyond`, rows that were not looked at go too."""

    view: RowView
    that: Bound | None = None
    keys: tuple[str, ...] = ()
    found: DataFrame | None = None
    beyond: bool = False

    @classmethod
    def by_keys(
        cls,
        view: RowView,
        keys: tuple[str, ...],
        found: DataFrame,
        storage: Storage,
        *,
        beyond: bool = False,
    ) -> Taking:
        """The keys are computed here and now."""
        named = found.select(*(column(key).alias(f"{_KEY}{i}") for i, key in enumerate(keys)))
        kept = checkpoint(named.distinct().withColumn(_FAULTY, F.lit(True)), storage)
        return cls(view, None, keys, kept, beyond)

    def whole(
        self, names: tuple[str, ...], frame: DataFrame, environment: Environment, storage: Storage
    ) -> Taking:
        """All rows that share these columns with one that goes."""
        taken, _ = self.split(frame, environment)
        return self.by_keys(self.view, names, taken, storage, beyond=True)

    def split(self, frame: DataFrame, environment: Environment) -> tuple[DataFrame, DataFrame]:
        """The rows that go, and those that stay."""
        names = [column(name) for name in frame.columns]
        goes = self.view.visible if self.beyond else self.view.seen(environment)
        rows = frame if self.beyond else self.view.frame(frame, environment)
        if self.that is not None:
            goes = F.when(goes, ~environment.compiler.condition(self.that)).otherwise(F.lit(False))
        if self.found is not None:
            pairs = ((column(key), column(f"{_KEY}{i}")) for i, key in enumerate(self.keys))
            same = reduce(and_, (own.eqNullSafe(key) for own, key in pairs))
            rows = rows.join(self.found, same, "left")
            goes = goes & column(_FAULTY).isNotNull()
        return rows.filter(goes).select(*names), rows.filter(~goes).select(*names)


def quarantine_rows(
    taken: DataFrame, expectation: Expectation, step: OutputStep, compiler: Compiler
) -> DataFrame:
    """As the quarantine table has them. A row of another period is one of the run's here, so that
    the next run replaces it."""
    context, present = compiler.context, set(taken.columns)
    run_period = F.lit(context.period.identifier)
    has_id = expectation.point.kind != "dataset"
    period = column(PERIOD.name)
    told: dict[str, Column] = {
        "_expectation": F.lit(expectation.name),
        "_run_id": F.lit(context.run_id),
        "_dataset": F.lit(expectation.owner),
        ROW_ID: compiler.row_id() if has_id else F.lit(None),
        PERIOD.name: F.when(period.isin(list(context.periods)), period).otherwise(run_period)
        if PERIOD.name in present
        else run_period,
    }

    def value(name: str) -> Column:
        made = told.get(name, column(name) if name in present else F.lit(None))
        return made.cast(sql_type(step.columns.fields[name].type)).alias(name)

    return taken.select(*map(value, step.written))


def quarantine_table(
    spark: SparkSession, parts: Sequence[DataFrame], step: OutputStep
) -> DataFrame:
    if not parts:
        return frame_of(spark, [], [step.columns.fields[name] for name in step.written])
    return reduce(DataFrame.unionByName, parts)
