"""The snapshot of a run: all that decided it, stored before anything executes.

With the snapshot and the data a run can be printed, resumed and repeated, whatever became of the
files it was made from.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from importlib import metadata
from typing import Any

from rowbook import __version__
from rowbook.definitions.recording import content_at, entry_of
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.engine.run_context import RunContext
from rowbook.errors import RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.planning.definitions.from_records import RecordedDefinition, recorded_definitions
from rowbook.planning.definitions.lookup import Missing, Version
from rowbook.planning.resolution.locate import ResolvedLocation
from rowbook.planning.resolution.resolvers import resolver_for
from rowbook.planning.steps import OutputStep
from rowbook.planning.used_datasets import used_datasets
from rowbook.runs.prepare.request import Request, planned
from rowbook.runs.prepare.resolve import located, source_places
from rowbook.runs.prepare.table_versions import tables_of
from rowbook.runs.prepare.targets import targets_of
from rowbook.runs.workspace_store import boundary_of
from rowbook.sources import registry
from rowbook.sources.delta.delta_table import DeltaTable


@dataclass(frozen=True, slots=True)
class Changed:
    """A place of which the content is not what it was."""

    dataset: str
    location: str
    what: str

    def __str__(self) -> str:
        return f"{self.location} of dataset '{self.dataset}': {self.what}"


def take_snapshot(request: Request) -> dict[str, Any]:
    """All that decides a run. Data that is not there is noted as such: loading it will say so."""
    context, known = request.context, request.known
    datasets = [_dataset(dataset, request) for dataset in used_datasets(request.plan)]
    default = known.default_resolver()
    return {
        "rowbook": __version__,
        "spark": metadata.version("pyspark"),
        "project": dict(request.project),
        "version": request.version,
        "period": context.period.identifier,
        "as_of": context.as_of.isoformat(),
        "now": context.now.isoformat(),
        "default_resolver": default.model.name if isinstance(default, Version) else None,
        "definitions": [
            {"kind": each.kind, "version": each.version, "content": each.content}
            for each in _used(request)
        ],
        "datasets": datasets,
        "writes": [
            {"seq": step.seq, "target": target.as_json()} for step, target in targets_of(request)
        ],
    }


def request_again(files: WorkspaceFiles, snapshot: Mapping[str, Any], run_id: str) -> Request:
    """The request that a snapshot was taken of, as run `run_id`."""
    recorded = [
        RecordedDefinition(each["kind"], each["version"], each["content"])
        for each in snapshot["definitions"]
    ]
    pins = {each["id"]: each["version"] for each in snapshot["datasets"]}
    known = recorded_definitions(
        recorded, boundary_of(files), default_resolver=snapshot["default_resolver"], pins=pins
    )
    project = snapshot["project"]
    entry = entry_of(project, f"project {project['project']['name']} of the snapshot")
    plan = planned(entry, known)
    context = RunContext(
        run_id,
        entry.model.identity,
        datetime.fromisoformat(snapshot["now"]),
        plan.calendar.parse(snapshot["period"]),
        plan.calendar,
        _day(snapshot["as_of"]),
    )
    settings = files.workspace.model if files.workspace else None
    version, tables = snapshot["version"], tables_of(snapshot)
    return Request(files.root, settings, known, project, plan, context, version, tables)


def input_bytes(snapshot: Mapping[str, Any]) -> int:
    """The size of all files that a run reads."""
    return sum(
        each["size"]
        for dataset in snapshot["datasets"]
        for place in dataset["locations"]
        for each in place["contents"]
    )


def definitions_text(snapshot: Mapping[str, Any]) -> str:
    """The project and all it used as documents of a definition file."""
    contents = [snapshot["project"], *(each["content"] for each in snapshot["definitions"])]
    return "---\n".join(f"{json.dumps(each, indent=2, ensure_ascii=False)}\n" for each in contents)


def changed_input(request: Request, snapshot: Mapping[str, Any]) -> tuple[Changed, ...]:
    """Which of the data that a run began with is not what it was."""
    before = {
        (each["name"], place["location"]): place
        for each in snapshot["datasets"]
        for place in each["locations"]
    }
    now = {
        (each["name"], place["location"]): place
        for each in (_dataset(dataset, request) for dataset in used_datasets(request.plan))
        for place in each["locations"]
    }
    return tuple(
        Changed(name, location, _difference(before.get((name, location)), place))
        for (name, location), place in now.items()
        if before.get((name, location)) != place
    )


def _difference(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> str:
    old = {each["name"]: each for each in before["contents"]} if before else {}
    new = {each["name"]: each for each in now["contents"]}
    gone = [name for name in old if name not in new]
    came = [name for name in new if name not in old]
    other = [name for name in new if name in old and new[name] != old[name]]
    said = [
        f"{_listed(names)} {what}"
        for names, what in ((other, "changed"), (gone, "gone"), (came, "new"))
        if names
    ]
    return "; ".join(said) or "it cannot be read any more"


def _listed(names: list[str]) -> str:
    label = ", ".join(names[:3])
    return label if len(names) <= 3 else f"{label} and {len(names) - 3} more"


def _dataset(dataset: Dataset, request: Request) -> dict[str, Any]:
    places = located(dataset, request)
    return {
        "id": dataset.id,
        "name": dataset.name,
        "version": dataset.version,
        "resolver": places[0].resolver if places else None,
        "rule": places[0].rule if places else None,
        "locations": [_location(each, dataset, request) for each in places],
    }


def _location(place: ResolvedLocation, dataset: Dataset, request: Request) -> dict[str, Any]:
    try:
        (found,) = source_places(dataset, request, (place,))
        contents = [each.as_json() for each in registry.contents(found)]
        versions = {"table_version": found.version} if isinstance(found, DeltaTable) else {}
    except (RowbookError, OSError) as error:
        missing = str(error)
        return {
            "location": place.location,
            "periods": list(place.periods),
            "contents": [],
            "missing": missing,
        }
    return {
        "location": place.location,
        "periods": list(place.periods),
        "contents": contents,
        **versions,
    }


def _used(request: Request) -> Iterator[RecordedDefinition]:
    """The definitions that a run needs, each once: datasets, their resolvers and data sources,
    those of outputs, and the calendar."""
    known, plan = request.known, request.plan
    found: dict[tuple[str, str, int], RecordedDefinition] = {}

    def add(version: Version[Any] | Missing | None) -> None:
        if isinstance(version, Version) and version.place is not None:
            kind = version.model.kind
            content = content_at(kind, version.place)
            recorded = RecordedDefinition(kind, version.version, content)
            found.setdefault((kind, version.model.identity, version.version), recorded)

    sources: list[str | None] = [
        step.destination.datasource_id for step in plan.steps if isinstance(step, OutputStep)
    ]
    for dataset in used_datasets(plan):
        add(known.dataset(dataset.name, dataset.version))
        for lookup in dataset.definition.lookups:
            add(known.dataset(lookup.dataset_id, lookup.dataset_version))
        add(resolver_for(dataset, plan.project.resolver_overrides, known))
        sources += [place.datasource for place in located(dataset, request)]
    for reference in plan.project.resolver_overrides.values():
        add(known.resolver(reference))
    add(known.default_resolver())
    for resolver in [each for each in found.values() if each.kind == "resolver"]:
        rules = resolver.content["resolver"].get("rules") or []
        sources += [rule["strategy"].get("datasource_id") for rule in rules]
    for source in dict.fromkeys(sources):
        add(known.datasource(source) if source else None)
    yield from found.values()
    calendar = plan.project.calendar_id
    place = known.calendar_place(calendar) if calendar else None
    if place is not None:
        yield RecordedDefinition("calendar", 1, content_at("calendar", place))


def _day(text: str) -> date | datetime:
    return (
        date.fromisoformat(text) if len(text) == len("2026-01-31") else datetime.fromisoformat(text)
    )
