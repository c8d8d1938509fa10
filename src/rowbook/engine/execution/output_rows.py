"""Outputs: the rows that are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.counting.counters import added_since
from rowbook.engine.counting.observed import Observed
from rowbook.engine.execution.environment import Environment, step_label
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import not_deleted
from rowbook.engine.strategy.stages import OutputStage
from rowbook.planning.columns import PERIOD
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import OutputStep
from rowbook.spark.column_names import column
from rowbook.spark.observed_metrics import is_exact


def output(working: Working, step: OutputStep, environment: Environment) -> DataFrame:
    frame = environment.joined(working.frame, step.joins, step_label(step), _visible(step))
    picked = frame.filter(_visible(step) & environment.picking(step.selector))
    names = tuple(dict.fromkeys((*step.written, *(key.column for key in step.order_by))))
    rows = picked.select(*_written_values(working, names, environment.context))
    if not step.order_by:
        return rows
    return rows.orderBy(*_order(step)).select(*map(column, step.written))


def _written_values(working: Working, names: Sequence[str], context: RunContext) -> list[Column]:
    period = written_period(context)
    values = zip(names, working.select(names, context), strict=True)
    return [period.alias(name) if name == PERIOD.name else value for name, value in values]


def written_period(context: RunContext) -> Column:
    return F.coalesce(column(PERIOD.name), F.lit(context.period.identifier))


def added_rows(working: Working, since: int) -> Working:
    return replace(working, frame=working.frame.filter(added_since(since)))


def _visible(step: OutputStep) -> Column:
    return F.lit(True) if step.include_deleted else not_deleted()


def counted_output(
    working: Working, stage: OutputStage, environment: Environment
) -> tuple[DataFrame, list[Observed]]:
    """The same, counted while it is computed; nothing is, where that would not be exact. Where rows
    have come to others and all are written, each piece is counted as it is written: then no row is
    copied to be counted."""
    step, all_written = stage.step, writes_all(stage)
    if not is_exact(working.frame):
        return output(working, step, environment), []
    frames, observed = [], []
    for rows in working.counted_rows(apart=stage.by_pieces):
        piece, counters = replace(working, frame=rows.frame), rows.counters
        if not counters:
            frames.append(output(piece, step, environment))
        elif all_written and rows.each_row:
            written = output(piece, step, environment)
            observed.append(Observed(written, counters, each_row=True))
            frames.append(observed[-1].frame)
        else:
            observed.append(Observed(rows.frame, counters))
            frames.append(output(replace(piece, frame=observed[-1].frame), step, environment))
    return reduce(DataFrame.union, frames), observed


def writes_all(stage: OutputStage) -> bool:
    """Whether pieces are written as they are, with all their visible rows."""
    step = stage.step
    return stage.by_pieces and step.selector is None and not step.include_deleted


def _order(step: OutputStep) -> Iterator[Column]:
    for key in step.order_by:
        value = column(key.column)
        yield value.desc_nulls_last() if key.descending else value.asc_nulls_last()
    for name in step.written:
        yield column(name).asc_nulls_last()
