"""From a workspace's `engine` to the settings of a session, and what any of its runs may need."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rowbook.definitions.models.operations import OutputOperation
from rowbook.definitions.models.resolver import PathStrategy
from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.definitions.yaml.nodes import Scalar
from rowbook.engine.session.settings import EngineSettings, ProfileName
from rowbook.sources.registry import extras_of_kind
from rowbook.sources.source import Extra


def engine_settings(
    workspace: WorkspaceDefinition | None,
    override: str | None,
    *,
    profile: ProfileName,
    scratch: Path | None = None,
    extras: frozenset[Extra] = frozenset(),
) -> EngineSettings:
    """`override` is a master or a `sc://` endpoint from the command line, and wins."""
    definition = workspace.engine if workspace else None
    conf = {
        name: value.text if isinstance(value, Scalar) else str(value)
        for name, value in (definition.conf if definition else {}).items()
    }
    master = definition.master if definition and definition.master else "local[*]"
    remote = definition.remote if definition else None
    if override is not None:
        is_remote = override.startswith("sc://")
        master, remote = ("local[*]", override) if is_remote else (override, None)
    return EngineSettings(master, remote, conf, profile, scratch, extras)


def workspace_extras(files: WorkspaceFiles) -> frozenset[Extra]:
    return frozenset[Extra]().union(*map(extras_of_kind, _formats(files)))


def _formats(files: WorkspaceFiles) -> Iterator[str | None]:
    for source in files.datasources:
        yield source.model.type
    for resolver in files.resolvers:
        for rule in resolver.model.rules:
            if isinstance(rule.strategy, PathStrategy):
                yield rule.strategy.format
    for project in files.projects:
        for operation in project.model.operations:
            if isinstance(operation, OutputOperation):
                location = operation.arguments.destination.location
                yield location.format if location else None
