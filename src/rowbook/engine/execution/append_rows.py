"""Appends: rows of another dataset, added to the working dataset."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.counting.counters import TAKEN
from rowbook.engine.execution.environment import Environment, step_label
from rowbook.engine.execution.explain_failure import cannot_load
from rowbook.engine.execution.new_rows import add_rows, new_rows, with_new_ids
from rowbook.engine.execution.start_rows import identity
from rowbook.engine.execution.summary import Grouping, key_names, with_keys
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import Origin, defaults
from rowbook.errors import RowbookError
from rowbook.planning.columns import PERIOD, VALIDITY_PAIRS
from rowbook.planning.steps import AppendStep
from rowbook.spark.column_names import column

_TEMPORAL = (PERIOD.name, *(name for pair in VALIDITY_PAIRS for name in pair))


def append(working: Working, step: AppendStep, environment: Environment) -> Working:
    source = _load_source(step, environment)
    frame = environment.joined(source, step.joins, step_label(step), visible=F.lit(True))
    picked = frame.filter(environment.compiler.condition(step.selector))
    given = defaults(Origin(step.source, step.seq), environment.context)
    own = set(source.columns)
    if step.keys is None:
        rows = picked.withColumn(TAKEN, F.lit(1).cast("bigint"))
        given |= {r.column: environment.compiler.compile(r.expression) for r in step.results}
        told_by, unique = identity(source)
        rows = with_new_ids(working, rows, step, told_by, unique=unique)
    else:
        keyed = with_keys(picked, step, environment.compiler)
        grouping = Grouping(keyed, tuple(key_names(step).values()), F.count(F.lit(1)))
        rows, results = grouping.grouped(step, environment.compiler)
        own = set(step.keys)
        given |= results
        rows = with_new_ids(working, rows, step, grouping.keys, unique=True)
    given |= _temporal(step, own, environment)
    new = new_rows(working, rows, given, step, environment)
    return add_rows(working, new, step, environment)


def _load_source(step: AppendStep, environment: Environment) -> DataFrame:
    try:
        return environment.load(step.source)
    except RowbookError as error:
        raise cannot_load(step_label(step), error.diagnostics, error) from error


def _temporal(step: AppendStep, own: set[str], environment: Environment) -> dict[str, Column]:
    """`_period` and validity of appended rows: the source's, else the run's period or NULL."""
    wanted = step.columns.fields
    given = {n: column(n) for n in _TEMPORAL if n in wanted and n in own and n.startswith("_")}
    if PERIOD.name in wanted and PERIOD.name not in given:
        given[PERIOD.name] = F.lit(environment.context.period.identifier)
    return given
