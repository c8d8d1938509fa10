"""Where the files of an active project are not what runs: which operations and definitions, and
what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.entity import Model
from rowbook.definitions.models.project import ProjectDefinition
from rowbook.definitions.recording import content_of
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.used_datasets import plan_recorded, used_datasets
from rowbook.planning.used_definitions import used_sources, view_versions
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.value_class import dataclass

if TYPE_CHECKING:
    from rowbook.store.active_versions import ActiveVersion, ActiveVersions

_Plan: TypeAlias = Callable[[], ProjectPlan | None]
_LISTED = 12
"""So many operations are named: of a file that was written anew there are hundreds."""


@dataclass(frozen=True, slots=True)
class DefinitionDrift:
    """A definition whose file is not the `version` that runs (0: it was never applied). `applied`:
    it was recorded since, and is waited for by the project alone."""

    kind: str
    name: str
    version: int
    applied: bool

    def __str__(self) -> str:
        said = f"is not version {self.version}, which runs" if self.version else "was not applied"
        return f"{self.kind} '{self.name}' {said}"


@dataclass(frozen=True, slots=True)
class VersionDrift:
    """What the file of a project, and those of definitions that it uses, say otherwise than its
    active version. `operations` are changed, added and removed ones, by seq; `keys` other parts of
    the project."""

    project: str
    file: str
    version: int
    operations: Mapping[str, tuple[int, ...]]
    keys: tuple[str, ...]
    definitions: tuple[DefinitionDrift, ...]

    @property
    def message(self) -> str:
        parts = [
            f"operation{'s' * (len(seqs) > 1)} {_listing(seqs)} {how}"
            for how, seqs in self.operations.items()
        ]
        parts += [f"{key} changed" for key in self.keys]
        parts += [str(each) for each in self.definitions]
        what = self.file if self._is_edited else f"what project '{self.project}' uses"
        return f"{what} differs from the active version {self.version}: {'; '.join(parts)}"

    @property
    def hint(self) -> str:
        runs = f"`rowbook run {self.project}` runs version {self.version}"
        return f"{runs}; {self._remedy}; `--draft` runs the files"

    @property
    def _is_edited(self) -> bool:
        return bool(self.operations or self.keys)

    @property
    def _remedy(self) -> str:
        is_new = self._is_edited or any(each.kind == "dataset" for each in self.definitions)
        activate = f"`rowbook activate {self.project}` makes the files version {self.version + 1}"
        if all(each.applied for each in self.definitions):
            return activate
        apply = "`rowbook apply` records the definitions"
        return f"{apply}, then {activate}" if is_new else f"{apply}, and then they run"


def drift_of(workspace: OpenWorkspace, project_id: str) -> VersionDrift | None:
    """Of one project; None where its files say what runs, or there are none."""
    projects = (each for each in workspace.files.projects if each.model.identity == project_id)
    entry, active = next(projects, None), workspace.active_versions()
    if entry is None or active is None:
        return None
    known = workspace.definitions
    return _drift(entry, lambda: plan_recorded(entry, known).plan, known, workspace.files, active)


def drifts(workspace: OpenWorkspace) -> tuple[VersionDrift, ...]:
    """Of all active projects, in the order of their files."""
    checked = workspace.checked
    files, planned = checked.files, checked.projects
    active = workspace.active_versions() if files.projects else None
    if active is None or not active.projects:
        return ()
    found = (
        _drift(each, _planned(planned[each.model.name].plan), checked.known, files, active)
        for each in files.projects
    )
    return tuple(drift for drift in found if drift is not None)


def _planned(plan: ProjectPlan | None) -> _Plan:
    return lambda: plan


def _drift(
    entry: Entry[ProjectDefinition],
    plan: _Plan,
    known: Definitions,
    files: WorkspaceFiles,
    active: ActiveVersions,
) -> VersionDrift | None:
    version = active.projects.get(entry.model.identity)
    if version is None:
        return None
    now, was = content_of(entry)["project"], version.content["project"]
    definitions = tuple(_used(_differing(files, version, active), plan, known))
    drift = VersionDrift(
        entry.model.name,
        entry.place.position.file,
        version.version,
        _operations(_by_seq(was), _by_seq(now)),
        tuple(
            key
            for key in dict.fromkeys((*was, *now))
            if key != "operations" and was.get(key) != now.get(key)
        ),
        definitions,
    )
    return drift if drift.operations or drift.keys or definitions else None


def _operations(before: Mapping[int, Any], after: Mapping[int, Any]) -> dict[str, tuple[int, ...]]:
    found = {
        "changed": [seq for seq in after if seq in before and before[seq] != after[seq]],
        "added": [seq for seq in after if seq not in before],
        "removed": [seq for seq in before if seq not in after],
    }
    return {how: tuple(seqs) for how, seqs in found.items() if seqs}


def _by_seq(project: Mapping[str, Any]) -> dict[int, Any]:
    """The order in which a file has operations is no difference; what is no operation, an error."""
    listed = project.get("operations")
    found = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    return {each["seq"]: each for each in found if isinstance(each.get("seq"), int)}


def _differing(
    files: WorkspaceFiles, version: ActiveVersion, active: ActiveVersions
) -> Iterator[tuple[Model, DefinitionDrift]]:
    """The definitions in files that are not what the version runs with: datasets as it pins them,
    others as they were applied last."""
    from rowbook.store.database.json_documents import content_hash

    entries: Sequence[Entry[Any]]
    entries = (*files.datasets, *files.resolvers, *files.datasources, *files.calendars)
    for entry in entries:
        kind, identity = entry.model.kind, entry.model.identity
        if kind == "dataset" and identity not in version.pins:
            continue
        recorded = active.definitions.get((kind, identity), {})
        latest = max(recorded, default=0)
        runs = version.pins[identity] if kind == "dataset" else latest
        hashed = content_hash(content_of(entry))
        if hashed != recorded.get(runs):
            applied = hashed == recorded.get(latest)
            yield entry.model, DefinitionDrift(kind, entry.model.name, runs, applied)


def _used(
    differing: Iterator[tuple[Model, DefinitionDrift]], plan: _Plan, known: Definitions
) -> Iterator[DefinitionDrift]:
    """Those that the project's file would run with. A file with errors runs with none."""
    found = list(differing)
    planned = plan() if found else None
    if planned is None:
        return
    used: list[Model] = []
    for dataset in used_datasets(planned):
        if dataset.origin is None:
            used.append(dataset.definition)
        else:
            versions = view_versions(dataset.id, dataset.origin, dataset.version, known)
            used += [each.model for each in versions if not isinstance(each, Missing)]
    used += [each.model for each in used_sources(planned, known)]
    calendar = planned.calendar.name
    for model, drift in found:
        is_calendar = drift.kind == "calendar" and drift.name == calendar
        if is_calendar or any(model is each for each in used):
            yield drift


def _listing(seqs: Sequence[int]) -> str:
    more = len(seqs) - _LISTED
    listed = ", ".join(map(str, seqs[:_LISTED]))
    return f"{listed} and {more} more" if more > 0 else listed
