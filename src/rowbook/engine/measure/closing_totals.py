"""The totals of columns once a plan is through, to see which of them say anything."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import functions as F

from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.execution.run_datasets import Reader
from rowbook.engine.execution.writers import NoWriter
from rowbook.engine.measure.figures import Number
from rowbook.engine.measure.measurer import sum_over, total_number
from rowbook.engine.strategy.stages import Executors
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.spark.column_names import column


def closing_totals(
    plan: ProjectPlan,
    context: RunContext,
    reader: Reader,
    names: Sequence[str],
    executors: Executors,
) -> dict[str, Number]:
    """Of the rows that are not deleted at the end, in one pass; nothing is written."""
    fields, rows = Pipeline(plan, context, reader, NoWriter(), executors=executors).preview(None)
    measures = [each for each in fields if each.name in names]
    sums = [sum_over(F.lit(True), column(each.name), each).alias(each.name) for each in measures]
    (found,) = rows.agg(*sums).collect()
    return {each.name: total_number(found[each.name], each) for each in measures}
