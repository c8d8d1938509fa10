"""The datasets that a run would read: where they are, what is there, which columns it has."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence

from rowbook.engine.loading.declared_columns import declared_columns, stored_columns
from rowbook.errors import RowbookError
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.datasources import root_of
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing
from rowbook.planning.resolution.locate import ResolvedLocation
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import located, source_place
from rowbook.runs.run_plan.plan_model import Found, PlannedLocation, PlannedRead
from rowbook.sources import registry
from rowbook.sources.files.csv.dialect import dialect_of
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.source import SourceTable


def planned_read(dataset: Dataset, request: Request) -> PlannedRead:
    """A dataset that is read; RESOLVER_003 where no rule leads to it."""
    places = located(dataset, request)
    first = places[0]
    return PlannedRead(
        dataset.name,
        dataset.version,
        dataset.table_name,
        dataset.definition.main_table.temporal_mode or "snapshot",
        first.resolver,
        first.rule,
        first.datasource,
        tuple(_location(each, places, dataset, request) for each in places),
    )


def found_at(look: Callable[[], SourceTable]) -> tuple[Found, SourceTable | None]:
    """What is at a place, and the place where it is one; that there is nothing, or that it cannot
    be asked, is an answer too."""
    try:
        place = look()
        contents = registry.contents(place)
    except RowbookError as error:
        absent = error.diagnostics[0].code == "DATASOURCE_006"
        said = error.diagnostics[0].message
        return Found("missing" if absent else "unknown", reason=said), None
    except OSError as error:
        return Found("unknown", reason=str(error)), None
    files = len(contents) if isinstance(place, FileTable) else None
    version = next((each.version for each in contents if each.version is not None), None)
    return Found("there", files, sum(each.size for each in contents), version), place


def _location(
    where: ResolvedLocation, places: Sequence[ResolvedLocation], dataset: Dataset, request: Request
) -> PlannedLocation:
    found, place = found_at(lambda: source_place(where, places, dataset, request))
    if place is None:
        return PlannedLocation(_shown(where, request.known), where.periods, found)
    try:
        undeclared, lacking = _compared(dataset, place)
    except (RowbookError, OSError) as error:
        unread = Found("unknown", found.files, found.bytes, found.version, str(error))
        return PlannedLocation(place.label, where.periods, unread)
    return PlannedLocation(place.label, where.periods, found, undeclared, lacking)


def _compared(dataset: Dataset, place: SourceTable) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns that only the source has, and those that only the declaration has."""
    physical = registry.columns(place)
    declared = declared_columns(
        dataset, by_position=_is_by_position(place), partitions=_partitions(place)
    )
    wanted = [(f.name, source) for f, source in (*declared, *stored_columns(dataset, physical))]
    loaded = {source for _, source in wanted}
    lacking = tuple(
        source
        for name, source in wanted
        if source not in physical and not (name == PERIOD.name and place.period is not None)
    )
    return tuple(name for name in physical if name not in loaded), lacking


def _is_by_position(place: SourceTable) -> bool:
    if not isinstance(place, FileTable) or place.kind != "csv":
        return False
    return not dialect_of(place.options, place.label).header


def _partitions(place: SourceTable) -> frozenset[str]:
    if not isinstance(place, FileTable):
        return frozenset()
    wanted, others = place.files()
    return frozenset(column for file in wanted or others for column in file.partitions)


def _shown(where: ResolvedLocation, known: DefinitionLookup) -> str:
    """Where nothing was found, as definitions have it."""
    source = known.datasource(where.datasource) if where.datasource else None
    if source is None or isinstance(source, Missing):
        return where.location
    if source.model.type == "jdbc":
        return f"{source.model.name}:{where.location}"
    return posixpath.normpath(posixpath.join(root_of(source.model), where.location))
