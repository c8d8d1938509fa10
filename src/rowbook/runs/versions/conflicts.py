"""What a breaking change of a dataset does to the projects that pin it: they come into conflict,
with a report of what broke which operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.project import ProjectDefinition
from rowbook.definitions.recording import entry_of
from rowbook.errors import Diagnostic
from rowbook.planning.used_datasets import plan_recorded
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.versions.changes import Change
from rowbook.store import Conflict, JsonObject, Project, ProjectVersion


def conflicts_of(changes: Sequence[Change], workspace: OpenWorkspace) -> tuple[Conflict, ...]:
    """A project that is in conflict already stays so for the old reasons too."""
    store = workspace.store
    breaking = [each for each in changes if each.kind == "dataset" and each.breaking]
    pinning = {
        version.project_id: version
        for change in breaking
        for version in store.projects.pinning(change.id)
    }
    found: list[Conflict] = []
    for version in pinning.values():
        project = store.projects.get(version.project_id)
        if project is not None:
            broke = [_entry(each, version) for each in breaking if each.id in version.pins]
            entries = [*_carried(project, broke), *broke]
            report = {"changes": entries, "broken": _broken(version, entries, changes, workspace)}
            found.append(Conflict(project.id, reason_of(report), report))
    return tuple(found)


def reason_of(report: JsonObject) -> str:
    return "; ".join(
        f"dataset '{each['dataset']}' version {each['version']}: {', '.join(each['differences'])}"
        for each in report["changes"]
    )


def _entry(change: Change, version: ProjectVersion) -> JsonObject:
    return {
        "dataset_id": change.id,
        "dataset": change.name,
        "pinned": version.pins[change.id],
        "version": change.version,
        "differences": [each.text for each in change.breaking],
    }


def _carried(project: Project, broke: Sequence[JsonObject]) -> list[JsonObject]:
    """What an earlier report says of changes that the project has not adopted yet."""
    earlier = (project.report or {}).get("changes", []) if project.status == "conflict" else []
    versions = {(each["dataset_id"], each["version"]) for each in broke}
    return [each for each in earlier if (each["dataset_id"], each["version"]) not in versions]


def _broken(
    version: ProjectVersion,
    entries: Sequence[JsonObject],
    changes: Sequence[Change],
    workspace: OpenWorkspace,
) -> list[JsonObject]:
    pins = {**version.pins, **{each["dataset_id"]: each["version"] for each in entries}}
    applied = workspace.applied_definitions(pins, [each.recorded() for each in changes])
    entry = entry_of(version.content, f"project {version.name} version {version.version}")
    found = plan_recorded(entry, applied).diagnostics
    return [_finding(each, entry) for each in found if each.severity == "error"]


def _finding(diagnostic: Diagnostic, entry: Entry[ProjectDefinition]) -> JsonObject:
    """A finding with the operation it is about; none where it is about the project as a whole."""
    position = diagnostic.position
    operation: Any = next(
        (
            operation
            for i, operation in enumerate(entry.model.operations)
            if position is not None and entry.operation(i).holds(position)
        ),
        None,
    )
    return {
        "seq": operation and operation.seq,
        "operation": operation and operation.name,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
    }
