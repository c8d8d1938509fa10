"""The datasets that a run would read: where they are, what is there, which columns it has."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import replace

from rowbook.errors import RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.planning.datasources import BY_NAME, root_of
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing
from rowbook.planning.resolution.locate import ResolvedLocation
from rowbook.runs.prepare.resolve import ResolvedInput, ResolvedTable
from rowbook.runs.prepare.run_checks import compare_columns
from rowbook.runs.run_plan.plan_model import (
    Found,
    PlannedLocation,
    PlannedRead,
    PlannedUnpivot,
    PlannedView,
)
from rowbook.sources import registry
from rowbook.sources.contents import Content
from rowbook.sources.source import SourceTable
from rowbook.sources.source_errors import NotAskedError


def plan_read(resolved: ResolvedInput, definitions: DefinitionLookup) -> PlannedRead:
    dataset = resolved.dataset
    first = resolved.places[0].location if resolved.places else None
    return PlannedRead(
        dataset.name,
        dataset.version,
        dataset.table_name,
        dataset.definition.main_table.temporal_mode or "snapshot",
        first.resolver if first else None,
        first.rule if first else None,
        first.datasource if first else None,
        (
            *(_location(each, dataset, definitions) for each in resolved.tables),
            *(_absent(each, dataset, definitions) for each in resolved.empty),
        ),
        _unpivot(dataset),
        _view(resolved),
    )


def _view(resolved: ResolvedInput) -> PlannedView | None:
    dataset, definition = resolved.dataset, resolved.dataset.definition
    if dataset.origin is None:
        return None
    return PlannedView(
        dataset.origin.name,
        str(definition.periods),
        () if dataset.reads_all else resolved.periods,
        definition.missing,
        definition.require,
    )


def _unpivot(dataset: Dataset) -> PlannedUnpivot | None:
    given = dataset.definition.main_table.unpivot
    if given is None:
        return None
    return PlannedUnpivot(given.columns, given.name, given.value, given.nulls)


def found_at(table: SourceTable, contents: Sequence[Content]) -> Found:
    version = next((each.version for each in contents if each.version is not None), None)
    size, layout = sum(each.size for each in contents), registry.layout(table)
    return Found("there", layout.files, size, version, note=layout.note)


def not_found(failure: RowbookError | OSError) -> Found:
    if isinstance(failure, NotAskedError):
        return Found("unasked", reason=str(failure) or None)
    if isinstance(failure, OSError):
        return Found("unknown", reason=str(failure))
    first = failure.diagnostics[0]
    return Found("missing" if first.code == "DATASOURCE_006" else "unknown", reason=first.message)


def _location(
    resolved: ResolvedTable, dataset: Dataset, definitions: DefinitionLookup
) -> PlannedLocation:
    table, periods = resolved.table, resolved.location.periods
    if table is None or resolved.failure is not None:
        assert resolved.failure is not None
        label = _label(resolved.location, definitions)
        return PlannedLocation(label, periods, not_found(resolved.failure))
    try:
        found = found_at(table, resolved.contents)
        columns = compare_columns(dataset, table)
    except (RowbookError, OSError) as error:
        size = sum(each.size for each in resolved.contents)
        unread = Found("unknown", len(resolved.contents), size, reason=str(error))
        return PlannedLocation(table.label, periods, unread)
    return PlannedLocation(table.label, periods, found, columns.undeclared, columns.lacking)


def _absent(
    resolved: ResolvedTable, dataset: Dataset, definitions: DefinitionLookup
) -> PlannedLocation:
    found = _location(resolved, dataset, definitions)
    is_error = dataset.definition.missing == "error"
    return found if is_error else replace(found, found=replace(found.found, presence="absent"))


def _label(location: ResolvedLocation, definitions: DefinitionLookup) -> str:
    source = definitions.datasource(location.datasource) if location.datasource else None
    if source is None or isinstance(source, Missing):
        return location.location
    if source.model.type in BY_NAME:
        return f"{source.model.name}:{location.location}"
    return posixpath.normpath(posixpath.join(root_of(source.model), location.location))
