"""`apply`: what would change, then recording it, with the conflicts that breaking changes cause."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.errors import RowbookError, in_order
from rowbook.planning.findings import Findings
from rowbook.runs.versions.changes import Change, Comparison, compare
from rowbook.runs.versions.conflicts import conflicts_of
from rowbook.runs.workspace_check_with_store import check_with_store
from rowbook.runs.workspace_store import (
    applied_versions,
    find_workspace_store,
    open_workspace_store,
)
from rowbook.store import Conflict, Store


@dataclass(frozen=True, slots=True)
class ProjectConflict:
    """A project, by name, and the conflict that it comes into."""

    project: str
    conflict: Conflict


@dataclass(frozen=True, slots=True)
class ChangePlan:
    """What applying would do. `elsewhere` counts the errors of projects and scenarios, which are
    not applied: they are no reason not to apply what is sound."""

    files: WorkspaceFiles
    comparison: Comparison
    conflicts: tuple[ProjectConflict, ...]
    elsewhere: int

    @property
    def changes(self) -> tuple[Change, ...]:
        """The definitions that get a new version."""
        return self.comparison.changes


def plan_changes(root: Path) -> ChangePlan:
    """Compares a workspace's definitions with its store; nothing is recorded. Faults of datasets,
    data sources, resolvers, calendars and files are raised, all together."""
    checked = check_with_store(root)
    findings = Findings(diagnostics=list(checked.of_definitions))
    if findings.failed:
        raise RowbookError(*checked.of_definitions)
    store = find_workspace_store(checked.files)
    try:
        comparison = compare(checked.files, applied_versions(store), findings)
        if findings.failed:
            raise RowbookError(*in_order(findings.diagnostics))
        conflicts = _conflicts(comparison, store, checked.files) if store else ()
    finally:
        if store is not None:
            store.close()
    return ChangePlan(checked.files, comparison, conflicts, len(checked.errors))


def apply_changes(plan: ChangePlan, *, by: str, at: datetime) -> tuple[ProjectConflict, ...]:
    """Records a plan's changes, all or none; the projects that are in conflict now. STORE_005 where
    somebody else changed one of the definitions since the plan was made."""
    with open_workspace_store(plan.files) as store:
        conflicts = _conflicts(plan.comparison, store, plan.files)
        store.definitions.record(
            [change.definition() for change in plan.changes],
            by=by,
            at=at,
            conflicts=[each.conflict for each in conflicts],
        )
    return conflicts


def _conflicts(
    comparison: Comparison, store: Store, files: WorkspaceFiles
) -> tuple[ProjectConflict, ...]:
    found = conflicts_of(comparison.changes, store, files)
    names = {project.id: project.name for project in store.projects.all()}
    return tuple(ProjectConflict(names[each.project_id], each) for each in found)
