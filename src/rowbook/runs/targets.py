"""Where a run's outputs go: to their destinations, or, for a draft, into its sandbox."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from rowbook.planning.known import Missing
from rowbook.planning.steps import OutputStep
from rowbook.planning.uses import used_datasets
from rowbook.runs.places import located, source_places
from rowbook.runs.request import Request
from rowbook.sources.files import KINDS
from rowbook.sources.places import FileTarget, target_of


def targets_of(request: Request) -> Iterator[tuple[OutputStep, FileTarget]]:
    """Each output with its target, in order."""
    for step in request.plan.steps:
        if isinstance(step, OutputStep):
            yield step, target(step, request)


def target(step: OutputStep, request: Request) -> FileTarget:
    """Where an output goes."""
    return (
        _sandboxed(step, request)
        if request.is_draft
        else target_of(step.destination, request.known)
    )


def rewriting(request: Request) -> frozenset[int]:
    """The outputs that replace data which the run itself reads."""
    if request.is_draft:
        return frozenset()
    read = [
        place.path
        for dataset in used_datasets(request.plan)
        for place in source_places(dataset, request, located(dataset, request))
    ]
    return frozenset(
        step.seq
        for step, goes_to in targets_of(request)
        for path in read
        if path.is_relative_to(goes_to.path)
        or goes_to.path.is_relative_to(path)
        or path == goes_to.single_file
    )


def _sandboxed(step: OutputStep, request: Request) -> FileTarget:
    """Each destination has a folder of its own name below the sandbox: as csv where that is what
    the destination is, else as parquet."""
    destination = step.destination
    kind, options = "parquet", {}
    if destination.location is not None:
        kind, name = destination.location.format, destination.location.path
        options = {k: v.text for k, v in destination.location.options.items() if v is not None}
    else:
        name = destination.table or ""
        found = request.known.datasource(destination.datasource_id or "")
        if not isinstance(found, Missing):
            kind = found.model.type
            given = found.model.options.items()
            options = {k: v.text for k, v in given if v is not None and k != "root"}
    if kind not in KINDS:
        kind, options = "parquet", {}
    safe = posixpath.normpath("/" + name.replace("\\", "/")).lstrip("/")
    path = request.sandbox / safe
    shown = path.relative_to(request.root).as_posix()
    return FileTarget("csv" if kind == "csv" else "parquet", path, options, shown)
