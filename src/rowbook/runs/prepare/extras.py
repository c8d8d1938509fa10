"""What a session needs beside Spark's own data sources, so that it gets that and no more."""

from __future__ import annotations

from collections.abc import Iterator

from rowbook.definitions.models.operations import OutputOperation
from rowbook.definitions.models.resolver import PathStrategy
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.engine.session.jars import Extra
from rowbook.planning.used_datasets import used_datasets
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import located
from rowbook.runs.prepare.targets import targets_of
from rowbook.sources.delta.delta_table import DeltaTarget
from rowbook.sources.postgres.database import PostgresTarget

_NEEDS: dict[str, Extra] = {"delta": "delta", "jdbc": "postgresql"}


def extras_of(request: Request) -> frozenset[Extra]:
    """What a run needs."""
    found: set[Extra] = set()
    for dataset in used_datasets(request.plan):
        formats = (place.format for place in located(dataset, request))
        found.update(_NEEDS[each] for each in formats if each in _NEEDS)
    for _, target in targets_of(request):
        found |= {"delta"} if isinstance(target, DeltaTarget) else set()
        found |= {"postgresql"} if isinstance(target, PostgresTarget) else set()
    return frozenset(found)


def extras_in(files: WorkspaceFiles) -> frozenset[Extra]:
    """What any run of a workspace may need."""
    return frozenset(_NEEDS[each] for each in _formats(files) if each in _NEEDS)


def _formats(files: WorkspaceFiles) -> Iterator[str | None]:
    for source in files.datasources:
        yield source.model.type
    for resolver in files.resolvers:
        for rule in resolver.model.rules:
            if isinstance(rule.strategy, PathStrategy):
                yield rule.strategy.format
    for project in files.projects:
        for operation in project.model.operations:
            location = (
                operation.arguments.destination.location
                if isinstance(operation, OutputOperation)
                else None
            )
            yield location.format if location else None
