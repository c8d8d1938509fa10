"""Outputs: the rows that are written."""

from __future__ import annotations

from collections.abc import Iterator

from pyspark.sql import Column, DataFrame
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
    names = tuple(dict.fromkeys((*step.written, *(key.column for key in step.order_by))))
    read = working.select(names, environment.context)
    rows = picked.select(
        *(
            period.alias(name) if name == PERIOD.name else value
            for name, value in zip(names, read, strict=True)
        )
    )
    if not step.order_by:
        return rows
    return rows.orderBy(*_order(step)).select(*map(column, step.written))


def _order(step: OutputStep) -> Iterator[Column]:
    for key in step.order_by:
        value = column(key.column)
        yield value.desc_nulls_last() if key.descending else value.asc_nulls_last()
    for name in step.written:
        yield column(name).asc_nulls_last()
