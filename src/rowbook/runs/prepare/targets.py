"""Where a run's outputs go: to their destinations, or, for a draft, into its sandbox."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from rowbook.definitions.models.operations import DestinationDefinition
from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.steps import OutputStep
from rowbook.planning.used_datasets import used_datasets
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import located, source_places
from rowbook.sources import registry
from rowbook.sources.files.file_table import FileTable, FileTarget
from rowbook.sources.files.listing import KINDS
from rowbook.sources.source import Target


def targets_of(request: Request) -> Iterator[tuple[OutputStep, Target]]:
    """Each output with its target, in order."""
    for step in request.plan.steps:
        if isinstance(step, OutputStep):
            yield step, target(step, request)


def target(step: OutputStep, request: Request) -> Target:
    """Where an output goes."""
    return (
        _sandboxed(step, request)
        if request.is_draft
        else registry.target_at(step.destination, request.known)
    )


def rewriting(request: Request) -> frozenset[int]:
    """The outputs that replace files which the run itself reads. Other kinds of tables keep what
    they were for whoever began to read."""
    if request.is_draft:
        return frozenset()
    read = [
        place.path
        for dataset in used_datasets(request.plan)
        for place in source_places(dataset, request, located(dataset, request))
        if isinstance(place, FileTable)
    ]
    return frozenset(
        step.seq
        for step, goes_to in targets_of(request)
        if isinstance(goes_to, FileTarget)
        for path in read
        if path.is_relative_to(goes_to.path)
        or goes_to.path.is_relative_to(path)
        or path == goes_to.single_file
    )


def _sandboxed(step: OutputStep, request: Request) -> FileTarget:
    """Each destination has a folder of its own name below the sandbox, in the destination's file
    format; what is no file becomes parquet."""
    destination = step.destination
    kind, options = "parquet", {}
    if destination.location is not None:
        kind = destination.location.format
        options = {k: v.text for k, v in destination.location.options.items() if v is not None}
    else:
        found = request.known.datasource(destination.datasource_id or "")
        if not isinstance(found, Missing):
            kind = found.model.type
            given = found.model.options.items()
            options = {k: v.text for k, v in given if v is not None and k != "root"}
    of_files = next((each for each in KINDS if each == kind), None)
    path = request.sandbox / _sandbox_name(step, request)
    label = path.relative_to(request.root).as_posix()
    if of_files is None:
        return FileTarget("parquet", path, {}, label)
    return FileTarget(of_files, path, options, label)


def _sandbox_name(step: OutputStep, request: Request) -> str:
    """A destination's own name; where another one had it first, with that of its data source."""
    name = _inside(step.destination)
    named = (s for s in request.plan.steps if isinstance(s, OutputStep))
    first = next(s for s in named if _inside(s.destination) == name)
    if first.destination == step.destination:
        return name
    return f"{name}.{step.destination.datasource_id or 'location'}"


def _inside(destination: DestinationDefinition) -> str:
    """A name that cannot lead out of the sandbox."""
    location = destination.location
    name = location.path if location is not None else destination.table or ""
    return posixpath.normpath("/" + name.replace("\\", "/")).lstrip("/")
