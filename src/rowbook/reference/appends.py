"""`append`: rows of another dataset, as they are or summarised, added to the working dataset."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

from rowbook.errors import Diagnostic, RowbookError
from rowbook.expressions.types import Kind, Type
from rowbook.expressions.values import Value
from rowbook.planning.columns import PERIOD, ROW_ID, VALIDITY_PAIRS, is_system
from rowbook.planning.steps import AppendStep, TotalLevel
from rowbook.reference.effect import Effect
from rowbook.reference.groups import summaries
from rowbook.reference.id_hashes import new_row_ids
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.picking import pick
from rowbook.reference.run_environment import RunEnvironment, step_label
from rowbook.reference.working_rows import Cell, JoinedRow, Row, WorkingRows

_TEMPORAL = tuple(name for pair in VALIDITY_PAIRS for name in pair if is_system(name))


def append(working: WorkingRows, step: AppendStep, environment: RunEnvironment) -> Effect:
    loaded = _load_source(step, environment)
    picked = pick(loaded.rows, step, environment)
    if step.keys is None:
        added = _copies(picked, loaded, step, environment)
    else:
        rows = [row for _, row in picked]
        level = TotalLevel(None, step.keys)
        added = summaries(rows, level, loaded.fields, step, step.source, environment)
    if PERIOD.name in step.columns.fields and PERIOD.name not in _own_columns(step, loaded):
        added = [{**row, PERIOD.name: environment.context.period.identifier} for row in added]
    after = WorkingRows(step.columns, [*working.with_columns(step.columns).rows, *added])
    return Effect(after, matched=len(picked), added=len(added))


def _load_source(step: AppendStep, environment: RunEnvironment) -> LoadedRows:
    """APPEND_008 where its data cannot be loaded."""
    try:
        return environment.load(step.source)
    except RowbookError as error:
        causes = "; ".join(f"{cause.message} ({cause.code})" for cause in error.diagnostics)
        raise RowbookError(Diagnostic("APPEND_008", causes, operation=step_label(step))) from error


def _own_columns(step: AppendStep, loaded: LoadedRows) -> frozenset[str]:
    """The columns that the source itself gives the new rows."""
    return frozenset(loaded.fields if step.keys is None else step.keys)


def _copies(
    picked: list[tuple[int, JoinedRow]],
    loaded: LoadedRows,
    step: AppendStep,
    environment: RunEnvironment,
) -> list[Row]:
    types = [each.type for each in loaded.identity]
    salt, now = f"operation {step.seq}", environment.context.now
    told_by = [loaded.identities[i] for i, _ in picked]
    ids = new_row_ids(told_by, types, salt, now, unique=loaded.unique)
    system = environment.system_values(step.source, step.seq)
    fields = step.columns.fields
    temporal = [n for n in (PERIOD.name, *_TEMPORAL) if n in fields and n in loaded.fields]
    added: list[dict[str, Cell]] = []
    for (i, _), row_id in zip(picked, ids, strict=True):
        row: dict[str, Cell] = {**dict.fromkeys(fields), **system, ROW_ID: row_id}
        row |= {name: _in_time(loaded.rows[i][name], fields[name].type) for name in temporal}
        added.append(row)
    for result in step.results:
        cell = environment.cell(step, result)
        for row, (_, source) in zip(added, picked, strict=True):
            row[result.column] = cell(source)
    return list(added)


def _in_time(value: Value, kind: Type) -> Value:
    """The source's validity in the working dataset's columns, which may be of the other type."""
    if kind.kind is Kind.DATE and isinstance(value, datetime):
        return value.date()
    if kind.kind is Kind.TIMESTAMP and isinstance(value, date) and not isinstance(value, datetime):
        return datetime.combine(value, time(), UTC)
    return value
