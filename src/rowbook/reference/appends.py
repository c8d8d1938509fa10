"""`append`: rows of another dataset, or made from those there are, as they are or summarised, added
to the working dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time

from rowbook.errors import Diagnostic, RowbookError
from rowbook.expressions.scope import Field
from rowbook.expressions.types import Kind, Type
from rowbook.expressions.values import Value
from rowbook.planning.columns import PERIOD, ROW_ID, SOURCE, VALIDITY_PAIRS, is_system
from rowbook.planning.steps import AppendStep, TotalLevel
from rowbook.reference.effect import Effect
from rowbook.reference.entries.entry_rows import EntryRow, entry_ids, entry_rows
from rowbook.reference.entries.spreads import spread_rows
from rowbook.reference.groups import summaries
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.picking import pick
from rowbook.reference.run_environment import RunEnvironment, step_label
from rowbook.reference.subset_rows import places_of
from rowbook.reference.working_rows import Cell, JoinedRow, Row, WorkingRows, seen
from rowbook.value_class import dataclass

_TEMPORAL = tuple(name for pair in VALIDITY_PAIRS for name in pair if is_system(name))


def append(working: WorkingRows, step: AppendStep, environment: RunEnvironment) -> Effect:
    found = append_entries(working, step, environment)
    source, picked, entries = found.source, found.picked, found.entries
    if step.keys is None:
        ids = entry_ids(entries, picked, source.loaded, step, environment)
        added = _copies(entries, list(ids), source, step, environment)
    else:
        rows = [each.row for each in entries]
        origin, level = step.source or environment.input, TotalLevel(None, step.keys)
        added = summaries(rows, level, source.fields, step, origin, environment)
    if PERIOD.name in step.columns.fields and PERIOD.name not in _own_columns(step, source):
        added = [{**row, PERIOD.name: environment.context.period.identifier} for row in added]
    after = WorkingRows(step.columns, [*working.with_columns(step.columns).rows, *added])
    return Effect(after, matched=len(picked), added=len(added))


@dataclass(frozen=True, slots=True)
class AppendSource:
    """The rows of a dataset, or the visible ones of the working dataset (`loaded` is None)."""

    fields: Mapping[str, Field]
    rows: Sequence[Row]
    loaded: LoadedRows | None = None


@dataclass(frozen=True, slots=True)
class AppendEntries:
    """What new rows are made from: of the rows of the source those that are picked, and of these,
    with what joins find for them, one entry for each new row, or for each that is grouped."""

    source: AppendSource
    picked: Sequence[tuple[int, JoinedRow]]
    entries: Sequence[EntryRow]


def append_entries(
    working: WorkingRows, step: AppendStep, environment: RunEnvironment
) -> AppendEntries:
    source = _source(working, step, environment)
    picked = pick(source.rows, step, environment)
    entries = spread_rows(entry_rows(picked, step, environment), step, environment)
    return AppendEntries(source, picked, entries)


def _source(working: WorkingRows, step: AppendStep, environment: RunEnvironment) -> AppendSource:
    """APPEND_008 where a dataset cannot be loaded."""
    if step.source is None:
        visible = [row for row in working.rows if not row["_deleted"]]
        return AppendSource(working.columns.fields, visible)
    try:
        loaded = environment.load(step.source)
    except RowbookError as error:
        causes = "; ".join(f"{cause.message} ({cause.code})" for cause in error.diagnostics)
        raise RowbookError(Diagnostic("APPEND_008", causes, operation=step_label(step))) from error
    only = environment.subset.appended.get(step.seq)
    if only is not None:
        loaded = loaded.only(places_of(loaded.rows, only, environment))
    return AppendSource(loaded.fields, loaded.rows, loaded)


def _own_columns(step: AppendStep, source: AppendSource) -> frozenset[str]:
    """The columns that the source itself gives the new rows, or the append assigns."""
    if step.keys is not None:
        return frozenset(step.keys)
    return frozenset((*source.fields, *(result.column for result in step.results)))


def _copies(
    entries: Sequence[EntryRow],
    ids: Sequence[str],
    source: AppendSource,
    step: AppendStep,
    environment: RunEnvironment,
) -> list[Row]:
    """New rows; one of the working dataset hands on where it came from itself."""
    system = environment.system_values(step.source or environment.input, step.seq)
    fields = step.columns.fields
    names = (PERIOD.name, *_TEMPORAL, *(SOURCE if source.loaded is None else ()))
    handed_on = [name for name in names if name in fields and name in source.fields]
    added: list[dict[str, Cell]] = []
    for each, row_id in zip(entries, ids, strict=True):
        origin = source.rows[each.origin]
        row: dict[str, Cell] = {**dict.fromkeys(fields), **system, ROW_ID: row_id}
        row |= {name: _in_time(seen(origin[name]), fields[name].type) for name in handed_on}
        added.append(row)
    for result in step.results:
        cell = environment.cell(step, result)
        for row, each in zip(added, entries, strict=True):
            row[result.column] = cell(each.row)
    return list(added)


def _in_time(value: Value, kind: Type) -> Value:
    """The source's validity in the working dataset's columns, which may be of the other type."""
    if kind.kind is Kind.DATE and isinstance(value, datetime):
        return value.date()
    if kind.kind is Kind.TIMESTAMP and isinstance(value, date) and not isinstance(value, datetime):
        return datetime.combine(value, time(), UTC)
    return value
