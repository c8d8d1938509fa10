"""From a workspace's `engine` to the settings of a session."""

from __future__ import annotations

from pathlib import Path

from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.definitions.yaml.nodes import Scalar
from rowbook.engine.session.jars import Extra
from rowbook.engine.session.settings import EngineSettings, ProfileName


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
