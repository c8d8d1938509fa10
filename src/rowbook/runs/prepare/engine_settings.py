"""From a workspace's `engine` to the settings of a session, and what any of its runs may need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rowbook.definitions.models.operations import OutputOperation
from rowbook.definitions.models.resolver import PathStrategy
from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.definitions.yaml.nodes import Scalar
from rowbook.engine.session.settings import EngineSettings, ProfileName
from rowbook.engine.strategy.stages import Executors
from rowbook.locations.object_urls import scheme_of
from rowbook.planning.datasources import option_text, root_of, source_kind
from rowbook.sources.registry import extras_of_kind
from rowbook.sources.source import Extra
from rowbook.trust.harmless import is_harmless_conf

_HERE = "local[*]"


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
    master = definition.master if definition and definition.master else _HERE
    remote = definition.remote if definition else None
    if override is not None:
        is_remote = override.startswith("sc://")
        master, remote = (_HERE, override) if is_remote else (override, None)
    folder = definition.checkpoint_dir if definition else None
    return EngineSettings(master, remote, conf, profile, scratch, extras, folder)


def nearby_settings(settings: EngineSettings) -> EngineSettings:
    """For few rows: on this machine, also where the workspace names a cluster. Of what is set for
    that, nothing is taken but how much Spark takes of a machine."""
    if settings.sees_this_disk:
        return settings
    conf = {key: value for key, value in settings.conf.items() if is_harmless_conf(key, value)}
    return replace(settings, master=_HERE, remote=None, conf=conf)


def planned_executors(settings: EngineSettings) -> Executors:
    """Where executors will be, as far as that is known before Spark: a Connect server has its own,
    and says only to its clients whether they share a folder."""
    elsewhere = not settings.sees_this_disk
    return Executors(elsewhere, elsewhere and settings.checkpoint_dir is not None)


def workspace_extras(files: WorkspaceFiles) -> frozenset[Extra]:
    found = frozenset[Extra]().union(*map(extras_of_kind, _formats(files)))
    return found | {"s3"} if any(scheme_of(each) == "s3" for each in _places(files)) else found


def _places(files: WorkspaceFiles) -> Iterator[str]:
    for source in files.datasources:
        yield root_of(source.model)
        yield option_text(source.model.options.get("warehouse"))
    for resolver in files.resolvers:
        for rule in resolver.model.rules:
            if isinstance(rule.strategy, PathStrategy):
                yield rule.strategy.path


def _formats(files: WorkspaceFiles) -> Iterator[str | None]:
    for source in files.datasources:
        yield source_kind(source.model)
    for resolver in files.resolvers:
        for rule in resolver.model.rules:
            if isinstance(rule.strategy, PathStrategy):
                yield rule.strategy.format
    for project in files.projects:
        for operation in project.model.operations:
            if isinstance(operation, OutputOperation):
                location = operation.arguments.destination.location
                yield location.format if location else None
        quarantine = project.model.quarantine
        yield quarantine.location.format if quarantine and quarantine.location else None
