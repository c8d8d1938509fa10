"""What drafts of a chain register, for the drafts after them: datasets in the sandbox."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rowbook.planning.datasources import option_text
from rowbook.planning.definitions.from_records import RecordedDefinition
from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.steps import OutputStep
from rowbook.runs.execute.registration import registration
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import resolve_targets
from rowbook.sources.source import Target
from rowbook.store import Definition, Store, content_hash


def draft_outputs(request: Request, store: Store | None) -> Iterator[RecordedDefinition]:
    """Of a draft that is about to run: of each output that would be registered, the dataset as it
    would be, and the resolver and the data source by which another draft finds it. Other periods
    are where they are published."""
    identifier = request.context.period.identifier.replace("'", "''")
    for step, target in resolve_targets(request):
        if step.register_as is None:
            continue
        dataset, resolver = registration(step, request.definitions)
        yield _next_version(dataset, store)
        source = _datasource(step, resolver.name, target, request)
        strategy = {"type": "path", "path": _path(target, request), "format": target.kind}
        if source is not None:
            yield source
            strategy["datasource_id"] = resolver.name
        when = f"period.identifier = '{identifier}'"
        rule = {"name": "where the draft wrote it", "when": when, "strategy": strategy}
        rules = [rule, *resolver.content["resolver"]["rules"]]
        content = {"resolver": {"name": resolver.name, "rules": rules}}
        yield _next_version(replace(resolver, content=content), store)


def _next_version(given: Definition, store: Store | None) -> RecordedDefinition:
    """The version that it would become."""
    latest = store.definitions.get(given.kind, given.id) if store else None
    is_same = latest is not None and latest.content_hash == content_hash(given.content)
    version = (latest.version if latest else 0) + (not is_same)
    return RecordedDefinition(given.kind, version, given.content)


def _datasource(
    step: OutputStep, name: str, target: Target, request: Request
) -> RecordedDefinition | None:
    """With the options that the output's data source gives to files; None where it gives none."""
    found = request.definitions.datasource(step.destination.datasource_id or "")
    if isinstance(found, Missing) or found.model.type != target.kind:
        return None
    options = {k: option_text(v) for k, v in found.model.options.items() if k != "root"}
    source = {"name": name, "type": target.kind, "options": options}
    return RecordedDefinition("datasource", 1, {"datasource": source})


def _path(target: Target, request: Request) -> str:
    """From the workspace, where it is inside."""
    written = target.as_json()
    path = Path(written["path"], written["file_name"] or "")
    root = os.path.realpath(request.root)
    return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()
