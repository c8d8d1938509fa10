"""The snapshot of a run: all that decided it, stored before anything executes.

With the snapshot and the data a run can be printed, resumed and repeated, whatever became of the
files it was made from.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from importlib import metadata
from typing import Any

from rowbook import __version__
from rowbook.definitions.recording import content_at, entry_of, recorded_name
from rowbook.errors import RowbookError
from rowbook.planning.definitions.from_records import RecordedDefinition, recorded_definitions
from rowbook.planning.definitions.lookup import Version
from rowbook.planning.resolution.parameter_values import GivenParameters, ParameterValue
from rowbook.planning.run_context import RunContext
from rowbook.planning.used_datasets import pins_of
from rowbook.planning.used_definitions import used_definitions
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.clock import check_run_id
from rowbook.runs.prepare.period_history import history_of
from rowbook.runs.prepare.request import Request, sound_plan
from rowbook.runs.prepare.resolve import ResolvedInput, ResolvedRun, ResolvedTable
from rowbook.sources.contents import Content
from rowbook.store import JsonObject, Store


@dataclass(frozen=True, slots=True)
class InputChange:
    dataset: str
    location: str
    what: str

    def __str__(self) -> str:
        return f"{self.location} of dataset '{self.dataset}': {self.what}"


def take_snapshot(resolved: ResolvedRun) -> dict[str, Any]:
    """All that decides a run. Data that is not there is noted as such."""
    request = resolved.request
    context = request.context
    default = request.definitions.default_resolver()
    return {
        "rowbook": __version__,
        "spark": metadata.version("pyspark"),
        "project": dict(request.project),
        "version": request.version,
        "period": context.period.identifier,
        "as_of": context.as_of.isoformat(),
        "now": context.now.isoformat(),
        "parameters": [parameter_record(each) for each in request.plan.parameters],
        "default_resolver": default.model.name if isinstance(default, Version) else None,
        "definitions": [
            {"kind": each.kind, "version": each.version, "content": each.content}
            for each in _used_definitions(request)
        ],
        "pins": pins_of(request.plan, request.definitions),
        "datasets": input_records(resolved),
        "writes": [
            {"seq": each.step.seq, "target": each.target.as_json()} for each in resolved.outputs
        ],
    }


def snapshot_of(store: Store, run_id: str, otherwise: str) -> JsonObject:
    """That of a run that began; RUN_005, with what it has not `otherwise`."""
    snapshot = store.runs.snapshot(run_id)
    if snapshot is None:
        raise RowbookError.of("RUN_005", f"run {run_id} ended before it began, and {otherwise}")
    return snapshot


def request_again(workspace: OpenWorkspace, snapshot: Mapping[str, Any], run_id: str) -> Request:
    """What a run was asked for, by its snapshot. Everything that it names is looked for inside the
    boundary that the workspace has now; and only an id that Rowbook gives (else STORE_002) becomes
    part of a path."""
    check_run_id(run_id)
    recorded = [
        RecordedDefinition(each["kind"], each["version"], each["content"])
        for each in snapshot["definitions"]
    ]
    pins = snapshot.get("pins") or {each["id"]: each["version"] for each in snapshot["datasets"]}
    default = snapshot["default_resolver"]
    definitions = recorded_definitions(
        recorded, workspace.boundary, default_resolver=default, pins=pins
    )
    project = snapshot["project"]
    entry = entry_of(project, f"project {recorded_name(project, 'project')} of the snapshot")
    given = {each["name"]: each["value"] for each in snapshot.get("parameters", ())}
    plan = sound_plan(entry, definitions, GivenParameters(given))
    context = RunContext(
        run_id,
        entry.model.identity,
        datetime.fromisoformat(snapshot["now"]),
        plan.calendar.parse(snapshot["period"]),
        plan.calendar,
        _day(snapshot["as_of"]),
    )
    return Request(
        workspace.root,
        workspace.settings,
        definitions,
        project,
        plan,
        context,
        snapshot["version"],
        _table_versions(snapshot),
        partial(history_of, workspace, plan, definitions),
    )


def parameter_record(value: ParameterValue) -> JsonObject:
    parameter = value.parameter
    return {
        "name": parameter.name,
        "type": str(parameter.type),
        "value": value.text,
        "default": value.is_default,
    }


def input_bytes(snapshot: Mapping[str, Any]) -> int:
    return sum(
        each["size"]
        for dataset in snapshot["datasets"]
        for place in dataset["locations"]
        for each in place["contents"]
    )


def definitions_text(snapshot: Mapping[str, Any]) -> str:
    """As documents of a definition file."""
    contents = [snapshot["project"], *(each["content"] for each in snapshot["definitions"])]
    return "---\n".join(f"{json.dumps(each, indent=2, ensure_ascii=False)}\n" for each in contents)


def input_records(resolved: ResolvedRun) -> list[JsonObject]:
    """What a run reads, as its snapshot has it."""
    return [_dataset(each) for each in resolved.inputs]


def input_locations(datasets: Sequence[JsonObject]) -> tuple[tuple[str, str], ...]:
    """Each place that is read, once, with its dataset's name."""
    places = ((each["name"], place["location"]) for each in datasets for place in each["locations"])
    return tuple(dict.fromkeys(places))


def input_changes(
    before: Sequence[JsonObject], now: Sequence[JsonObject]
) -> tuple[InputChange, ...]:
    """What is read now and was not so before, of what two snapshots say; as far as both have them,
    files are compared by their digests."""
    old, new = (
        {(each["name"], place["location"]): place for each in found for place in each["locations"]}
        for found in (before, now)
    )
    return tuple(
        InputChange(name, location, said)
        for (name, location), place in new.items()
        if (said := _difference(old.get((name, location)), place))
    )


def _difference(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> str | None:
    old = _contents(before) if before else {}
    new = _contents(now)
    gone = [name for name in old if name not in new]
    came = [name for name in new if name not in old]
    other = [name for name in new if name in old and not new[name].is_same(old[name])]
    said = [
        f"{_listed(names)} {what}"
        for names, what in ((other, "changed"), (gone, "gone"), (came, "new"))
        if names
    ]
    if said or before is None or before.get("missing") == now.get("missing"):
        return "; ".join(said) or None
    return "it cannot be read any more" if "missing" in now else "it was not there before"


def _contents(place: Mapping[str, Any]) -> dict[str, Content]:
    return {each["name"]: Content.from_json(each) for each in place["contents"]}


def _listed(names: list[str]) -> str:
    label = ", ".join(names[:3])
    return label if len(names) <= 3 else f"{label} and {len(names) - 3} more"


def _table_versions(snapshot: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    return {
        (dataset["id"], place["location"]): place["table_version"]
        for dataset in snapshot["datasets"]
        for place in dataset["locations"]
        if "table_version" in place
    }


def _dataset(resolved: ResolvedInput) -> dict[str, Any]:
    dataset = resolved.dataset
    first = next((each.location for each in resolved.places), None)
    return {
        "id": dataset.id,
        "name": dataset.name,
        "version": dataset.version,
        "resolver": first.resolver if first else None,
        "rule": first.rule if first else None,
        **({"of": dataset.origin.name} if dataset.origin else {}),
        "locations": [_location(each) for each in resolved.places],
    }


def _location(resolved: ResolvedTable) -> dict[str, Any]:
    location = {
        "location": resolved.location.location,
        "periods": list(resolved.location.periods),
        "contents": [each.as_json() for each in resolved.contents],
    }
    version = resolved.table.version if resolved.table else None
    if resolved.failure is not None:
        return {**location, "missing": str(resolved.failure)}
    return location if version is None else {**location, "table_version": version}


def _used_definitions(request: Request) -> Iterator[RecordedDefinition]:
    definitions, plan = request.definitions, request.plan
    for each in used_definitions(plan, definitions):
        if each.place is not None:
            kind = each.model.kind
            yield RecordedDefinition(kind, each.version, content_at(kind, each.place))
    calendar = plan.project.calendar_id
    place = definitions.calendar_place(calendar) if calendar else None
    if place is not None:
        yield RecordedDefinition("calendar", 1, content_at("calendar", place))


def _day(text: str) -> date | datetime:
    return (
        date.fromisoformat(text) if len(text) == len("2026-01-31") else datetime.fromisoformat(text)
    )
