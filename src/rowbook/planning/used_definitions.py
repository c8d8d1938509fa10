"""What a project uses: every definition that decides what its runs do, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rowbook.definitions.models.resolver import CatalogStrategy, ResolverDefinition
from rowbook.definitions.place import Place
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.definitions.lookup import Missing, Version
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.resolution.resolvers import resolver_for
from rowbook.planning.steps import OutputStep
from rowbook.planning.used_datasets import used_datasets


def used_definitions(plan: ProjectPlan, known: Definitions) -> tuple[Version[Any], ...]:
    """Each once: datasets with those of their lookups, resolvers, data sources. Not the calendar,
    which has no versions."""
    found: dict[tuple[str, str, int], Version[Any]] = {}

    def add(version: Version[Any] | Missing | None) -> None:
        if isinstance(version, Version):
            model = version.model
            found.setdefault((model.kind, model.identity, version.version), version)

    for dataset in used_datasets(plan):
        add(known.dataset(dataset.name, dataset.version))
        for lookup in dataset.definition.lookups:
            add(known.dataset(lookup.dataset_id, lookup.dataset_version))
        add(resolver_for(dataset, plan.project.resolver_overrides, known))
    for reference in plan.project.resolver_overrides.values():
        add(known.resolver(reference))
    add(known.default_resolver())
    resolvers = [each.model for each in found.values() if each.model.kind == "resolver"]
    for name in dict.fromkeys(_datasources(plan, resolvers)):
        add(known.datasource(name))
    return tuple(found.values())


def used_places(plan: ProjectPlan, known: Definitions) -> Iterator[Place]:
    """Where they stand, the calendar too, as far as that is in files."""
    places = [each.place for each in used_definitions(plan, known)]
    if plan.project.calendar_id:
        places.append(known.calendar_place(plan.project.calendar_id))
    return (place for place in places if place is not None)


def _datasources(plan: ProjectPlan, resolvers: list[ResolverDefinition]) -> Iterator[str]:
    for step in plan.steps:
        if isinstance(step, OutputStep) and step.destination.datasource_id:
            yield step.destination.datasource_id
    for resolver in resolvers:
        for rule in resolver.rules:
            strategy = rule.strategy
            if not isinstance(strategy, CatalogStrategy) and strategy.datasource_id:
                yield strategy.datasource_id
