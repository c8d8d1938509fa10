"""Where a draft's outputs go: each into a folder of its own below the run's sandbox."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Sequence
from pathlib import Path

from rowbook.definitions.models.operations import DestinationDefinition
from rowbook.locations.file_options import one_file
from rowbook.planning.datasources import option_text
from rowbook.planning.definitions.lookup import Missing
from rowbook.private_files import STATE, make_private_folder, restrict
from rowbook.runs.prepare.request import Request
from rowbook.sources.addresses import outside_error
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.listing import KINDS


def make_sandbox(request: Request) -> None:
    """For its owner alone, as the store is; one that is shared is for whom its folder is for."""
    if request.settings is not None and request.settings.engine.sandbox is not None:
        request.sandbox.mkdir(parents=True, exist_ok=True)
    else:
        make_private_folder(request.sandbox)
        restrict(request.root / STATE)


def sandbox_target(
    destination: DestinationDefinition, among: Sequence[DestinationDefinition], request: Request
) -> FileTarget:
    """Its files have the destination's format; what is no file becomes parquet. DATASOURCE_004
    where a link leads out of the workspace. `among` are the destinations of all outputs."""
    kind, options = "parquet", {}
    if destination.location is not None:
        kind = destination.location.format
        options = {k: option_text(v) for k, v in destination.location.options.items()}
    else:
        found = request.definitions.datasource(destination.datasource_id or "")
        if not isinstance(found, Missing):
            kind = found.model.type
            given = {**found.model.options, **destination.options}
            options = {k: option_text(v) for k, v in given.items() if k != "root"}
    file_kind = next((each for each in KINDS if each == kind), None)
    below, name = _folder(destination, among), None
    if file_kind is not None:
        below, name = one_file(below, file_kind, options) or (below, None)
    folder = request.sandbox / below
    is_inside = folder.is_relative_to(request.root)
    label = (folder.relative_to(request.root) if is_inside else folder).as_posix()
    if not request.definitions.boundary.contains(str(folder)):
        raise outside_error(label)
    path = Path(os.path.realpath(folder))
    if file_kind is None:
        return FileTarget("parquet", path, {}, label)
    return FileTarget.at(file_kind, path, options, label, name)


def _folder(destination: DestinationDefinition, among: Sequence[DestinationDefinition]) -> str:
    """A destination's own name; where another one had it first, with that of its data source."""
    name = _inside(destination)
    first = next(other for other in among if _inside(other) == name)
    if _table(first) == _table(destination):
        return name
    return f"{name}.{destination.datasource_id or 'location'}"


def _table(destination: DestinationDefinition) -> tuple[str | None, ...]:
    """The same for files and sheets of one folder."""
    location = destination.location
    named = (location.path, location.format) if location is not None else ()
    return (destination.datasource_id, destination.table, *named)


def _inside(destination: DestinationDefinition) -> str:
    """A name that cannot lead out of the sandbox."""
    location = destination.location
    name = location.path if location is not None else destination.table or ""
    return posixpath.normpath("/" + name.replace("\\", "/").replace("://", "/")).lstrip("/")
