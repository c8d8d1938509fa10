"""What a project uses: every definition that decides what its runs do, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.definitions.models.resolver import CatalogStrategy, ResolverDefinition
from rowbook.definitions.place import Place
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.definitions.lookup import Missing, Version, ViewOrigin
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.resolution.resolvers import resolver_for
from rowbook.planning.used_datasets import used_datasets


def used_definitions(plan: ProjectPlan, known: Definitions) -> tuple[Version[Any], ...]:
    """Each once: datasets with those of their lookups, resolvers, data sources. Not the calendar,
    which has no versions."""
    found: list[Version[Any] | Missing] = []
    for dataset in used_datasets(plan):
        found += _declared(known.dataset(dataset.name, dataset.version), known)
        for each in dataset.definition.lookups:
            found += _declared(known.dataset(each.dataset_id, each.dataset_version), known)
    return _once((*found, *used_sources(plan, known)))


def view_versions(
    view: str, origin: ViewOrigin, version: int, known: Definitions
) -> tuple[Version[DatasetDefinition] | Missing, ...]:
    """The definitions of a view, by its id, and of the dataset that it reads at this version."""
    other = known.declared(origin.id, None)
    if isinstance(other, Missing) or other.version != version:
        other = known.declared(origin.id, version)
    return known.declared(view, None), other


def _declared(
    found: Version[DatasetDefinition] | Missing, known: Definitions
) -> tuple[Version[DatasetDefinition] | Missing, ...]:
    if isinstance(found, Missing) or found.origin is None:
        return (found,)
    return view_versions(found.model.identity, found.origin, found.version, known)


def used_sources(plan: ProjectPlan, known: Definitions) -> tuple[Version[Any], ...]:
    """The resolvers and data sources that lead to what it reads and writes."""
    overrides = plan.project.resolver_overrides
    resolvers = _once(
        (
            *(resolver_for(dataset, overrides, known) for dataset in used_datasets(plan)),
            *(known.resolver(reference) for reference in overrides.values()),
            known.default_resolver(),
        )
    )
    names = dict.fromkeys(_datasources(plan, [each.model for each in resolvers]))
    return _once((*resolvers, *(known.datasource(name) for name in names)))


def used_places(plan: ProjectPlan, known: Definitions) -> Iterator[Place]:
    """Where they stand, the calendar too, as far as that is in files."""
    places = [each.place for each in used_definitions(plan, known)]
    if plan.project.calendar_id:
        places.append(known.calendar_place(plan.project.calendar_id))
    return (place for place in places if place is not None)


def _once(versions: Iterable[Version[Any] | Missing | None]) -> tuple[Version[Any], ...]:
    found: dict[tuple[str, str, int], Version[Any]] = {}
    for each in versions:
        if isinstance(each, Version):
            found.setdefault((each.model.kind, each.model.identity, each.version), each)
    return tuple(found.values())


def _datasources(plan: ProjectPlan, resolvers: list[ResolverDefinition]) -> Iterator[str]:
    for step in plan.outputs:
        if step.destination.datasource_id:
            yield step.destination.datasource_id
    for resolver in resolvers:
        for rule in resolver.rules:
            strategy = rule.strategy
            if not isinstance(strategy, CatalogStrategy) and strategy.datasource_id:
                yield strategy.datasource_id
