"""Outputs: the rows that are written."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from rowbook.engine.execution.environment import Environment, step_label
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import not_deleted
from rowbook.planning.columns import PERIOD
from rowbook.planning.steps import OutputStep
from rowbook.spark.column_names import column


def output(working: Working, step: OutputStep, environment: Environment) -> DataFrame:
    visible = F.lit(True) if step.include_deleted else not_deleted()
    frame = environment.joined(working.frame, step.joins, step_label(step), visible)
    picked = frame.filter(visible & environment.compiler.condition(step.selector))
    period = F.coalesce(column(PERIOD.name), F.lit(environment.context.period.identifier))
    read = working.select(step.written, environment.context)
    return picked.select(
        *(
            period.alias(name) if name == PERIOD.name else value
            for name, value in zip(step.written, read, strict=True)
        )
    )
