"""REQUIRE on Spark: rows that lack a value fail the job, and are counted and shown afterwards."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.execution.environment import Environment
from rowbook.engine.execution.failures.retry_parts import one_by_one
from rowbook.engine.execution.row_wise import seen_rows
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import not_deleted
from rowbook.engine.strategy.layers import single_layer
from rowbook.errors import Diagnostic
from rowbook.planning.operations.required_values import (
    SAMPLES,
    Requirement,
    requirements_of,
    unmet_requirement,
)
from rowbook.planning.steps import AnyStep, UpdateStep


def first_unmet(
    steps: Sequence[AnyStep], start: Working, environment: Environment
) -> Diagnostic | None:
    """Of the first operation, and of its first column, that lacks a value: the operations once
    more, one by one, from where the plan was last computed."""
    if not any(isinstance(step, UpdateStep) and any(requirements_of(step)) for step in steps):
        return None
    before = start
    for step in steps:
        if isinstance(step, UpdateStep):
            for requirement in requirements_of(step):
                if found := _unmet(step, requirement, before, environment):
                    return found
        before = one_by_one(step, before, environment)
    return None


def _unmet(
    step: UpdateStep, requirement: Requirement, before: Working, environment: Environment
) -> Diagnostic | None:
    compiler = environment.compiler
    rows = seen_rows(before, single_layer(step), environment)
    picked = not_deleted() & compiler.condition(step.selector)
    texts = _texts(requirement, compiler)
    lacking = _lacking(rows, picked & compiler.condition(requirement.unmet), texts)
    count = lacking.count()
    if not count:
        return None
    first = lacking.orderBy(*lacking.columns).limit(SAMPLES).collect() if texts else ()
    return unmet_requirement(step, requirement, count, [tuple(row) for row in first])


def _texts(requirement: Requirement, compiler: Compiler) -> dict[str, Column]:
    return {
        f"c{i}": compiler.compile(each).cast("string") for i, each in enumerate(requirement.shown)
    }


def _lacking(rows: DataFrame, condition: Column, texts: dict[str, Column]) -> DataFrame:
    shown = [text.alias(name) for name, text in texts.items()]
    return rows.filter(condition).select(*shown or [F.lit(1).alias("c")])
