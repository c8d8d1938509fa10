"""Small projects run on Spark, with rows from lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.loading.value_checks import ReadInput
from rowbook.engine.strategy.options import Options
from rowbook.expressions.scope import Field
from rowbook.planning.columns import ALWAYS
from rowbook.planning.datasets import Dataset
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import OutputStep
from rowbook.reference.loading.dataset_rows import LoadedRows
from tests.support.small_plans import CONTEXT

Rows = list[dict[str, Any]]
DEFAULT = Options()
COMPILED = {
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.codegen.wholeStage": "true",
    "spark.sql.codegen.factoryMode": "FALLBACK",
}
"""How Spark computes many rows: by code that it compiles for each plan."""


@contextmanager
def settings(spark: SparkSession, conf: Mapping[str, str]) -> Iterator[SparkSession]:
    """The session with other settings for a while."""
    before = {key: spark.conf.get(key, None) for key in conf}
    for key, value in conf.items():
        spark.conf.set(key, value)
    yield spark
    for key, old in before.items():
        if old is None:
            spark.conf.unset(key)
        else:
            spark.conf.set(key, old)


class TableReader:
    """Rows that are given, as frames; `reshape` may cut them up differently."""

    def __init__(
        self,
        spark: SparkSession,
        tables: dict[str, Rows],
        reshape: Callable[[DataFrame], DataFrame] = lambda frame: frame,
    ) -> None:
        self.spark = spark
        self.tables = tables
        self.reshape = reshape

    def read(self, dataset: Dataset, *, keep_deleted: bool, with_ids: bool) -> DataFrame:
        rows = self.tables[dataset.source_name]
        fields = list(dataset.readable.fields.values())
        fields += [f for f in ALWAYS if any(f.name in row for row in rows)]
        return self.reshape(frame_of(self.spark, rows, fields))

    def read_here(
        self, dataset: Dataset, *, keep_deleted: bool, most: int | None = None
    ) -> LoadedRows | None:
        return None

    @property
    def input(self) -> ReadInput:
        return ReadInput()


class ListWriter:
    """Outputs, kept."""

    def __init__(self) -> None:
        self.rows: dict[int, Rows] = {}

    def write(self, step: OutputStep, frame: DataFrame, *, local: bool) -> None:
        fields = [step.columns.fields[n] for n in step.written]
        self.rows[step.seq] = collect(frame, fields)


def run(
    plan: ProjectPlan,
    reader: TableReader,
    context: RunContext = CONTEXT,
    options: Options = DEFAULT,
    writer: ListWriter | None = None,
) -> tuple[Rows, Pipeline]:
    """The final working dataset, and the pipeline with its counts."""
    pipeline = Pipeline(plan, context, reader, writer or ListWriter(), options=options)
    working = pipeline.run(keep_all=True)
    fields: list[Field] = list(working.columns.fields.values())
    try:
        return collect(working.rows(context), fields), pipeline
    except Exception as error:
        raise pipeline.explained(error, "the last operations") from error
