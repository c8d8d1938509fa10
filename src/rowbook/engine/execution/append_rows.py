"""Appends: rows of another dataset, or made from those there are, added to the working dataset."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.row_ids import FIRST, SECOND
from rowbook.engine.counting.counters import TAKEN, Added
from rowbook.engine.execution.entries.entry_frames import EntryFrames
from rowbook.engine.execution.environment import Environment, step_label
from rowbook.engine.execution.failures.explain_failure import cannot_load
from rowbook.engine.execution.new_rows import add_rows, new_rows, with_new_ids
from rowbook.engine.execution.start_rows import identity
from rowbook.engine.execution.summary import Grouping, key_names, with_keys
from rowbook.engine.execution.working import Working
from rowbook.engine.loading.system_columns import Origin, defaults, not_deleted, typed_by_name
from rowbook.errors import RowbookError
from rowbook.expressions import bound
from rowbook.planning.columns import PERIOD, ROW_ID, SOURCE, VALIDITY_PAIRS
from rowbook.planning.steps import AppendStep
from rowbook.spark.column_names import column, named

_COPY = "__copy"
_TEMPORAL = (PERIOD.name, *(name for pair in VALIDITY_PAIRS for name in pair))


def append(
    working: Working, step: AppendStep, environment: Environment, *, copies: bool = False
) -> Working:
    """With `copies`, rows that it picks come twice as they pass."""
    entries = entry_frames(working, step, environment)
    source, picked = entries.source, entries.picked
    given = defaults(Origin(step.source or environment.input, step.seq), environment.context)
    if copies:
        return _with_copies(working, entries, given)
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
        given |= _of_single(working, entries)
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


def _of_single(working: Working, entries: EntryFrames) -> dict[str, Column]:
    """What a row has that is made from one, by its expressions and from its origin."""
    step, compiler = entries.step, entries.environment.compiler
    made = {r.column: compiler.compile(r.expression) for r in step.results}
    if step.source is None:
        made |= {name: column(name) for name in SOURCE if name not in working.dropped}
    return made


def _with_copies(working: Working, entries: EntryFrames, given: dict[str, Column]) -> Working:
    """The same without joins. Marks stay on origins: they are about these alone."""
    step, environment = entries.step, entries.environment
    own = set(working.frame.columns)
    given |= _of_single(working, entries) | _temporal(step, own, environment)
    made = {name: each for name, each in given.items() if name not in working.dropped}
    values = typed_by_name(made, step.columns)
    if entries.with_ids:
        values |= dict(zip((FIRST, SECOND), entries.ids(), strict=True))
    if environment.ledger:
        values[TAKEN] = F.lit(1).cast("bigint")
    picked = not_deleted() & environment.picking(step.selector)
    times = F.when(picked, F.array(F.lit(False), F.lit(True))).otherwise(F.array(F.lit(False)))
    twice = working.frame.withColumn(_COPY, F.explode(times))
    alike = _alike(step)
    names = dict.fromkeys((*working.frame.columns, *values))
    either = {
        name: values[name] if name in alike & values.keys() else _of_either(name, own, values)
        for name in names
    }
    frame = twice.select(*named(either))
    after = replace(working, frame=frame, columns=step.columns)
    return after.counted(Added(step.seq, single=True)) if environment.ledger else after


def _alike(step: AppendStep) -> frozenset[str]:
    """The columns that a copy has from its origin."""
    taken = {
        each.column
        for each in step.results
        if isinstance(each.expression, bound.Column)
        and (each.expression.source, each.expression.name) == (None, each.column)
    }
    return frozenset({*taken, *SOURCE})


def _of_either(name: str, own: Collection[str], values: Mapping[str, Column]) -> Column:
    """A value of the row that was there, or of its copy; what either lacks is NULL."""
    if name not in own:
        return F.when(column(_COPY), values[name])
    if name not in values:
        return F.when(~column(_COPY), column(name))
    return F.when(column(_COPY), values[name]).otherwise(column(name))


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
