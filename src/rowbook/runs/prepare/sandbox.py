"""Where a draft's outputs go: each into a folder of its own below the run's sandbox."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Sequence
from pathlib import Path

from rowbook.definitions.models.operations import DestinationDefinition
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
        options = {k: v.text for k, v in destination.location.options.items() if v is not None}
    else:
        found = request.definitions.datasource(destination.datasource_id or "")
        if not isinstance(found, Missing):
            kind = found.model.type
            given = found.model.options.items()
            options = {k: v.text for k, v in given if v is not None and k != "root"}
    file_kind = next((each for each in KINDS if each == kind), None)
    folder = request.sandbox / _folder(destination, among)
    is_inside = folder.is_relative_to(request.root)
    label = (folder.relative_to(request.root) if is_inside else folder).as_posix()
    if not request.definitions.boundary.contains(str(folder)):
        raise outside_error(label)
    path = Path(os.path.realpath(folder))
    if file_kind is None:
        return FileTarget("parquet", path, {}, label)
    return FileTarget(file_kind, path, options, label)


def _folder(destination: DestinationDefinition, among: Sequence[DestinationDefinition]) -> str:
    """A destination's own name; where another one had it first, with that of its data source."""
    name = _inside(destination)
    first = next(other for other in among if _inside(other) == name)
    if first == destination:
        return name
    return f"{name}.{destination.datasource_id or 'location'}"


def _inside(destination: DestinationDefinition) -> str:
    """A name that cannot lead out of the sandbox."""
    location = destination.location
    name = location.path if location is not None else destination.table or ""
    return posixpath.normpath("/" + name.replace("\\", "/")).lstrip("/")
