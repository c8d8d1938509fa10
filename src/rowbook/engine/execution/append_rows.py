"""Appends: rows of another dataset, or made from those there are, added to the working dataset."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.counting.counters import TAKEN
from rowbook.engine.execution.entries.entry_frames import EntryFrames
from rowbook.engine.execution.environment import Environment, step_label
from rowbook.engine.execution.failures.explain_failure import cannot_load
from rowbook.engine.execution.new_rows import add_rows, new_rows, with_new_ids
from rowbook.engine.execution.start_rows import identity
from rowbook.engine.execution.summary import Grouping, key_names, with_keys
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import Origin, defaults, not_deleted
from rowbook.errors import RowbookError
from rowbook.planning.columns import PERIOD, ROW_ID, SOURCE, VALIDITY_PAIRS
from rowbook.planning.steps import AppendStep
from rowbook.spark.column_names import column

_TEMPORAL = (PERIOD.name, *(name for pair in VALIDITY_PAIRS for name in pair))


def append(working: Working, step: AppendStep, environment: Environment) -> Working:
    entries = entry_frames(working, step, environment)
    source, picked = entries.source, entries.picked
    given = defaults(Origin(step.source or environment.input, step.seq), environment.context)
    if step.source is None or step.matches:
        return _with_entries(working, entries, given)
    own = set(source.columns)
    if step.keys is None:
        rows = picked.withColumn(TAKEN, F.lit(1).cast("bigint"))
        given |= {r.column: environment.compiler.compile(r.expression) for r in step.results}
        told_by, unique = identity(source)
        rows = with_new_ids(working, rows, step, told_by, unique=unique)
    else:
        rows, results = _grouped(working, picked, F.count(F.lit(1)), step, environment)
        own = set(step.keys)
        given |= results
    given |= _temporal(step, own, environment)
    new = new_rows(working, rows, given, step, environment)
    return add_rows(working, new, step, environment, single=step.keys is None)


def entry_frames(working: Working, step: AppendStep, environment: Environment) -> EntryFrames:
    """The rows that an append reads and picks."""
    source = _source(working, step, environment)
    frame = environment.joined(source, step.lookups, step_label(step), visible=F.lit(True))
    picked = frame.filter(environment.picking(step.selector, of_working=step.source is None))
    return EntryFrames(step, environment, ROW_ID not in working.dropped, source, picked)


def _source(working: Working, step: AppendStep, environment: Environment) -> DataFrame:
    if step.source is None:
        return working.frame.filter(not_deleted())
    try:
        return environment.load(step.source)
    except RowbookError as error:
        raise cannot_load(step_label(step), error.diagnostics, error) from error


def _with_entries(working: Working, entries: EntryFrames, given: dict[str, Column]) -> Working:
    """The same of rows that are made from rows. The ids of new rows are made beside their columns,
    which may read those of the origins."""
    step, environment, compiler = entries.step, entries.environment, entries.environment.compiler
    rows, own = entries.entries(), set(entries.source.columns)
    ids: tuple[Column, Column] | None = None
    if step.keys is None:
        given |= {r.column: compiler.compile(r.expression) for r in step.results}
        if step.source is None:
            given |= {name: column(name) for name in SOURCE if name not in working.dropped}
        ids = entries.ids() if entries.with_ids else None
    else:
        if ROW_ID in step.keys:
            rows = rows.withColumn(ROW_ID, compiler.row_id())
        rows, results = _grouped(working, rows, F.sum(column(TAKEN)), step, environment)
        own = set(step.keys)
        given |= results
    given |= _temporal(step, own, environment)
    new = new_rows(working, rows, given, step, environment, ids)
    taken = None if entries.tells_taken else entries.picked
    single = taken is None and step.keys is None and not any(each.many for each in step.matches)
    return add_rows(working, new, step, environment, taken=taken, single=single)


def _grouped(
    working: Working, rows: DataFrame, taken: Column, step: AppendStep, environment: Environment
) -> tuple[DataFrame, dict[str, Column]]:
    """A row for each group, with its id, and its results; `taken` counts the origins of a group."""
    compiler = environment.compiler
    keyed = with_keys(rows, step, compiler)
    grouping = Grouping(keyed, tuple(key_names(step).values()), taken)
    grouped, results = grouping.grouped(step, compiler)
    return with_new_ids(working, grouped, step, grouping.keys, unique=True), results


def _temporal(step: AppendStep, own: set[str], environment: Environment) -> dict[str, Column]:
    """`_period` and validity of appended rows where they are not assigned: the source's, else the
    run's period or NULL."""
    assigned = {result.column for result in step.results} if step.keys is None else set()
    wanted = step.columns.fields.keys() - assigned
    given = {n: column(n) for n in _TEMPORAL if n in wanted and n in own and n.startswith("_")}
    if PERIOD.name in wanted and PERIOD.name not in given:
        given[PERIOD.name] = F.lit(environment.context.period.identifier)
    return given
