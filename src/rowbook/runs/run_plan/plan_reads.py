"""The datasets that a run would read: where they are, what is there, which columns it has."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from rowbook.errors import RowbookError
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.datasources import root_of
from rowbook.planning.declared_columns import declared_columns, stored_columns
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing
from rowbook.planning.resolution.locate import ResolvedLocation
from rowbook.runs.prepare.resolve import NotAskedError, ResolvedInput, ResolvedTable
from rowbook.runs.run_plan.plan_model import Found, PlannedLocation, PlannedRead
from rowbook.sources import registry
from rowbook.sources.source import Content, SourceTable


def plan_read(resolved: ResolvedInput, definitions: DefinitionLookup) -> PlannedRead:
    dataset, first = resolved.dataset, resolved.tables[0].location
    return PlannedRead(
        dataset.name,
        dataset.version,
        dataset.table_name,
        dataset.definition.main_table.temporal_mode or "snapshot",
        first.resolver,
        first.rule,
        first.datasource,
        tuple(_location(each, dataset, definitions) for each in resolved.tables),
    )


def found_at(table: SourceTable, contents: Sequence[Content]) -> Found:
    version = next((each.version for each in contents if each.version is not None), None)
    return Found(
        "there", registry.layout(table).files, sum(each.size for each in contents), version
    )


def not_found(failure: RowbookError | OSError) -> Found:
    if isinstance(failure, NotAskedError):
        return Found("unasked")
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
    found = found_at(table, resolved.contents)
    try:
        undeclared, lacking = _compare_columns(dataset, table)
    except (RowbookError, OSError) as error:
        unread = Found("unknown", found.files, found.bytes, found.version, str(error))
        return PlannedLocation(table.label, periods, unread)
    return PlannedLocation(table.label, periods, found, undeclared, lacking)


def _compare_columns(
    dataset: Dataset, table: SourceTable
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns that only the source has, and those that only the declaration has."""
    physical, layout = registry.columns(table), registry.layout(table)
    declared = declared_columns(
        dataset, by_position=layout.by_position, partitions=layout.partitions
    )
    wanted = [(f.name, source) for f, source in (*declared, *stored_columns(dataset, physical))]
    loaded = {source for _, source in wanted}
    lacking = tuple(
        source
        for name, source in wanted
        if source not in physical and not (name == PERIOD.name and table.period is not None)
    )
    return tuple(name for name in physical if name not in loaded), lacking


def _label(location: ResolvedLocation, definitions: DefinitionLookup) -> str:
    source = definitions.datasource(location.datasource) if location.datasource else None
    if source is None or isinstance(source, Missing):
        return location.location
    if source.model.type == "jdbc":
        return f"{source.model.name}:{location.location}"
    return posixpath.normpath(posixpath.join(root_of(source.model), location.location))
