"""A Spark session of the size of the work."""

from __future__ import annotations

from collections.abc import Collection

from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.engine.session.jars import Extra
from rowbook.engine.session.session import Engine, open_session
from rowbook.engine.session.settings import ProfileName
from rowbook.engine.session.sizing import SMALL, size_shuffles
from rowbook.runs.prepare.engine_settings import engine_settings


def open_sized_session(
    workspace: WorkspaceDefinition | None,
    override: str | None,
    *,
    size: int,
    extras: Collection[Extra],
    debug: bool,
) -> Engine:
    """A session for work on `size` bytes, as the workspace's `engine` says, or `override`."""
    profile: ProfileName = "small" if size <= SMALL else "bulk"
    settings = engine_settings(workspace, override, profile=profile, extras=frozenset(extras))
    engine = open_session(settings, debug=debug)
    size_shuffles(engine.spark, size, settings.cores, settings.conf)
    return engine
