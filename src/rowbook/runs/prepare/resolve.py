"""Where a run's datasets are: from a dataset through its resolver to places."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.engine.loading.declared_columns import (
    accepted_periods,
    declared_columns,
    wanted_folders,
)
from rowbook.errors import RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.resolution.locate import ResolvedLocation, resolve
from rowbook.planning.resolution.resolvers import resolver_for
from rowbook.runs.prepare.request import Request
from rowbook.sources import registry
from rowbook.sources.source import SourceTable


def located(dataset: Dataset, request: Request) -> tuple[ResolvedLocation, ...]:
    """The places that the dataset's resolver names for the run's period."""
    known, context = request.known, request.context
    found = resolver_for(dataset, request.plan.project.resolver_overrides, known)
    if found is None or isinstance(found, Missing):
        raise RowbookError.of("RESOLVER_005", f"no resolver for dataset '{dataset.name}'")
    return resolve(dataset, context.period, context.calendar, found.model, known)


def source_places(
    dataset: Dataset, request: Request, places: Sequence[ResolvedLocation]
) -> list[SourceTable]:
    """The same as places of sources, with the periods that are wanted, and the table version that
    the run reads."""
    return [source_place(each, places, dataset, request) for each in places]


def source_place(
    where: ResolvedLocation, among: Sequence[ResolvedLocation], dataset: Dataset, request: Request
) -> SourceTable:
    """One of them: which periods are wanted depends on the others."""
    folders = wanted_folders(dataset, accepted_periods(request.context, among))
    version = request.tables.get((dataset.id, where.location))
    declared = declared_columns(dataset, by_position=False, partitions=())
    names = tuple(source for _, source in declared)
    return registry.table_at(where, request.known, folders, version, names)
