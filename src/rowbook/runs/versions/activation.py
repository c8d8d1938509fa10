"""`activate` and `deactivate`: a project's file becomes an immutable version with its pins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.definitions.models.entity import Entity, canonical_id
from rowbook.definitions.models.project import ProjectDefinition
from rowbook.definitions.models.resolver import ResolverDefinition
from rowbook.definitions.recording import content_of
from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.errors import Diagnostic, RowbookError, suggestion
from rowbook.locations.boundary import Boundary
from rowbook.periods import Calendar
from rowbook.planning.datasets import Dataset
from rowbook.planning.definitions.from_files import Definitions, file_definitions
from rowbook.planning.definitions.lookup import Missing, Version
from rowbook.planning.findings import Findings
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.resolution.resolvers import resolver_for
from rowbook.planning.used_datasets import pins_of, plan_recorded, used_datasets
from rowbook.planning.workspace_check import registered_by
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.versions.changes import compare
from rowbook.store import Activation, Project, ProjectChange, ProjectStatus, ProjectVersion, Store

E = TypeVar("E", bound=Entity)
_APPLY_FIRST = "it is in a file, but was not applied: run `rowbook apply` first"


@dataclass(frozen=True, slots=True)
class ActivationResult:
    """What came of an activation. `before` is the status until now (None: it was never active);
    `datasets` are the names and versions that were pinned."""

    version: ProjectVersion
    is_new: bool
    before: ProjectStatus | None
    datasets: Mapping[str, int]
    warnings: tuple[Diagnostic, ...]


def activate(
    workspace: OpenWorkspace, project: str, *, keep_pin: bool, by: str, at: datetime
) -> ActivationResult:
    """All errors are raised together. `keep_pin`: at the versions that the latest version pins."""
    files = workspace.files
    entry = _project_in(files, project)
    store = workspace.find_store()
    seen = _latest_versions(store)
    stored = workspace.applied_definitions(_kept(store, entry) if keep_pin else {})
    applied = _Applied(stored, file_definitions(files, Findings(), stored=lambda: stored))
    planned = plan_recorded(entry, applied, registered_by(files))
    warnings = _unapplied(entry, applied, workspace)
    if planned.plan is None or store is None:
        raise RowbookError(*planned.diagnostics, *warnings)
    pins = pins_of(planned.plan, applied)
    given = Activation(
        entry.model.identity,
        entry.model.name,
        content_of(entry),
        pins,
        seen={dataset: seen[dataset] for dataset in pins},
    )
    before = store.projects.get(given.project_id)
    activated = store.projects.activate(given, by=by, at=at)
    names = _names(used_datasets(planned.plan))
    return ActivationResult(
        activated.version,
        activated.is_new,
        before.status if before else None,
        {names[dataset]: version for dataset, version in pins.items()},
        (*planned.diagnostics, *warnings),
    )


def deactivate(
    workspace: OpenWorkspace, project: str, *, by: str, at: datetime, reason: str | None = None
) -> tuple[Project, bool]:
    """The project, and whether it ran until now."""
    store = workspace.find_store()
    if store is None:
        raise RowbookError.of("PROJECT_008", f"project '{project}' was never activated")
    before = store.projects.get(project)
    after = store.projects.deactivate(project, by=by, at=at, reason=reason)
    return after, before is not None and before.status != "inactive"


def project_history(workspace: OpenWorkspace, project: str) -> tuple[ProjectChange, ...]:
    store = workspace.find_store()
    changes = store.projects.history(project) if store is not None else ()
    if not changes:
        raise RowbookError.of("PROJECT_008", f"project '{project}' was never activated")
    return changes


@dataclass(frozen=True, slots=True)
class _Applied:
    """What was applied; a hint tells what only the files have."""

    stored: Definitions
    files: Definitions

    @property
    def boundary(self) -> Boundary:
        return self.stored.boundary

    def dataset(self, reference: str, version: int | None) -> Version[DatasetDefinition] | Missing:
        return _hinted(
            self.stored.dataset(reference, version), self.files.dataset(reference, version)
        )

    def datasource(self, reference: str) -> Version[DatasourceDefinition] | Missing:
        return _hinted(self.stored.datasource(reference), self.files.datasource(reference))

    def resolver(self, reference: str) -> Version[ResolverDefinition] | Missing:
        return _hinted(self.stored.resolver(reference), self.files.resolver(reference))

    def default_resolver(self) -> Version[ResolverDefinition] | Missing | None:
        found, draft = self.stored.default_resolver(), self.files.default_resolver()
        if found is None and isinstance(draft, Version):
            found = Missing("unknown", f"resolver '{draft.model.name}' is not defined")
        return found if found is None or draft is None else _hinted(found, draft)

    def calendar(self, reference: str) -> Calendar | Missing:
        found = self.stored.calendar(reference)
        drafted = not isinstance(self.files.calendar(reference), Missing)
        return (
            replace(found, hint=_APPLY_FIRST) if isinstance(found, Missing) and drafted else found
        )


def _latest_versions(store: Store | None) -> dict[str, int]:
    """Read before the check: what is recorded while it lasts makes it void."""
    return {d.id: d.version for d in store.definitions.latest("dataset")} if store else {}


def _kept(store: Store | None, entry: Entry[ProjectDefinition]) -> Mapping[str, int]:
    latest = store.projects.version(entry.model.identity) if store else None
    return latest.pins if latest else {}


def _hinted(found: Version[E] | Missing, draft: Version[E] | Missing) -> Version[E] | Missing:
    if isinstance(found, Missing) and found.reason != "disabled" and isinstance(draft, Version):
        return replace(found, hint=_APPLY_FIRST)
    return found


def _project_in(files: WorkspaceFiles, project: str) -> Entry[ProjectDefinition]:
    keys = {project, canonical_id(project)}
    found = next((p for p in files.projects if keys & {p.model.name, p.model.identity}), None)
    faults = [d for d in files.diagnostics if d.severity == "error"]
    if found is None:
        if faults and files.incomplete & {"project", "*"}:
            raise RowbookError(*faults)
        hint = suggestion(project, tuple(p.model.name for p in files.projects), "projects")
        raise RowbookError.of("PROJECT_008", f"project '{project}' is not defined", hint=hint)
    own = [d for d in faults if d.position is not None and found.place.holds(d.position)]
    if own or found.broken_seqs:
        raise RowbookError(*(own or faults))
    return found


def _unapplied(
    entry: Entry[ProjectDefinition], applied: _Applied, workspace: OpenWorkspace
) -> tuple[Diagnostic, ...]:
    """Definitions that the project's file would use if it ran as a draft, and that the store has
    otherwise: what is activated is not what the files say."""
    draft = plan_recorded(entry, applied.files).plan
    if draft is None or workspace.find_store() is None:
        return ()
    used = _used_names(draft, applied.files)
    changed = [
        f"{change.kind} '{change.name}'"
        for change in compare(workspace.files, workspace.applied_versions(), Findings()).changes
        if change.before and (change.kind, change.name) in used
    ]
    if not changed:
        return ()
    verb = "was" if len(changed) == 1 else "were"
    message = f"{', '.join(changed)} {verb} changed, and not applied: the applied version counts"
    place = entry.place.at("name")
    return (place.diagnostic("PROJECT_011", message, severity="warning"),)


def _names(datasets: Sequence[Dataset]) -> dict[str, str]:
    """By id; of views also of what they read."""
    origins = {each.origin.id: each.origin.name for each in datasets if each.origin}
    return {**origins, **{each.id: each.name for each in datasets}}


def _used_names(plan: ProjectPlan, definitions: Definitions) -> set[tuple[str, str]]:
    datasets = used_datasets(plan)
    resolvers = (resolver_for(d, plan.project.resolver_overrides, definitions) for d in datasets)
    return {
        *(("dataset", name) for name in _names(datasets).values()),
        *(("resolver", r.model.name) for r in resolvers if isinstance(r, Version)),
        ("calendar", plan.calendar.name),
    }
