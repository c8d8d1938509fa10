"""Small projects run for real: a workspace from text, rows from lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.loading.value_checks import ReadInput
from rowbook.engine.strategy.options import Options
from rowbook.expressions.scope import Field
from rowbook.periods import GREGORIAN
from rowbook.planning.columns import ALWAYS
from rowbook.planning.datasets import Dataset
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import OutputStep
from rowbook.planning.workspace_check import check_workspace

NOW = datetime(2026, 2, 3, 4, 5, 6, 789000, tzinfo=UTC)
PERIOD = GREGORIAN.parse("2026-01")
CONTEXT = RunContext("run", "project", NOW, PERIOD, GREGORIAN, PERIOD.end)

Rows = list[dict[str, Any]]
DEFAULT = Options()

_SETTINGS = """
workspace: {name: test, default_resolver_id: files}
---
resolver:
  name: files
  rules: [{name: all, strategy: {type: path, path: "{{table_name}}.parquet"}}]
---
"""


def plan_of(folder: Path, text: str) -> ProjectPlan:
    """The plan of the project `p` among the documents of a text."""
    (folder / "rowbook.yaml").write_text(_SETTINGS + text, encoding="utf-8")
    checked = check_workspace(folder)
    plan = checked.projects["p"].plan
    assert plan is not None, "\n".join(map(str, checked.errors))
    return plan


def update(column: str, value: str, selector: str = "TRUE", joins: str = "") -> str:
    """An update of one column, for `numbered`."""
    return (
        f'type: update, selector: "{selector}", arguments: {{joins: [{joins}],'
        f' assignments: [{{column: {column}, expression: "{value}"}}]}}'
    )


def delete(selector: str) -> str:
    """A delete, for `numbered`."""
    return f'type: delete, selector: "{selector}"'


def total(keys: str, column: str, value: str = "COUNT(*)", selector: str = "") -> str:
    """An aggregate with one result, for `numbered`."""
    where = f'selector: "{selector}", ' if selector else ""
    return (
        f"type: aggregate, {where}arguments: {{group_by: [{keys}],"
        f' aggregations: [{{column: {column}, expression: "{value}"}}]}}'
    )


def numbered(*operations: str) -> str:
    """Operations in their order, below the key `operations`."""
    return "".join(
        f"    - {{seq: {seq}, name: op {seq}, {operation}}}\n"
        for seq, operation in enumerate(operations, start=1)
    )


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
        rows = self.tables[dataset.name]
        fields = list(dataset.readable.fields.values())
        fields += [f for f in ALWAYS if any(f.name in row for row in rows)]
        return self.reshape(frame_of(self.spark, rows, fields))

    @property
    def input(self) -> ReadInput:
        return ReadInput()


class ListWriter:
    """Outputs, kept; row ids left out."""

    def __init__(self) -> None:
        self.rows: dict[int, Rows] = {}

    def write(self, step: OutputStep, frame: DataFrame) -> None:
        fields = [step.columns.fields[n] for n in step.written if n != "_row_id"]
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
    return collect(working.rows(context), fields), pipeline
