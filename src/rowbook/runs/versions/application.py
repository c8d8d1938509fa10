"""`apply`: what would change, then recording it, with the conflicts that breaking changes cause."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from rowbook.definitions.workspace_files import WorkspaceFiles
from rowbook.errors import RowbookError, in_order
from rowbook.planning.findings import Findings
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.versions.changes import Change, Comparison, compare
from rowbook.runs.versions.conflicts import conflicts_of
from rowbook.store import Conflict


@dataclass(frozen=True, slots=True)
class ProjectConflict:
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
        return self.comparison.changes


def plan_changes(workspace: OpenWorkspace) -> ChangePlan:
    """Compares a workspace's definitions with its store; nothing is recorded. Faults of datasets,
    data sources, resolvers, calendars and files are raised, all together."""
    checked = workspace.checked
    findings = Findings(diagnostics=list(checked.of_definitions))
    if findings.failed:
        raise RowbookError(*checked.of_definitions)
    comparison = compare(checked.files, workspace.applied_versions(), findings)
    if findings.failed:
        raise RowbookError(*in_order(findings.diagnostics))
    conflicts = _conflicts(comparison, workspace) if workspace.find_store() else ()
    return ChangePlan(checked.files, comparison, conflicts, len(checked.errors))


def apply_changes(
    workspace: OpenWorkspace, plan: ChangePlan, *, by: str, at: datetime
) -> tuple[ProjectConflict, ...]:
    """Records a plan's changes, all or none; the projects that are in conflict now. STORE_005 where
    somebody else changed one of the definitions since the plan was made."""
    store = workspace.store
    conflicts = _conflicts(plan.comparison, workspace)
    store.definitions.record(
        [change.definition() for change in plan.changes],
        by=by,
        at=at,
        conflicts=[each.conflict for each in conflicts],
    )
    return conflicts


def _conflicts(comparison: Comparison, workspace: OpenWorkspace) -> tuple[ProjectConflict, ...]:
    names = {project.id: project.name for project in workspace.store.projects.all()}
    found = conflicts_of(comparison.changes, workspace)
    return tuple(ProjectConflict(names[each.project_id], each) for each in found)
