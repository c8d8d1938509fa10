"""What a run is asked for: from names and texts to a plan, a period and a clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.project import ProjectDefinition
from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.definitions.recording import content_of, entry_of
from rowbook.definitions.workspace_files import read_workspace
from rowbook.engine.run_context import RunContext
from rowbook.errors import RowbookError, suggestion
from rowbook.periods import Calendar, Period
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.project import ProjectPlan
from rowbook.planning.used_datasets import plan_recorded
from rowbook.planning.workspace_check import CheckedWorkspace
from rowbook.runs.prepare.clock import read_as_of, read_now
from rowbook.runs.prepare.run_ids import new_run_id
from rowbook.runs.workspace_check_with_store import check_with_store

if TYPE_CHECKING:
    from rowbook.store import ProjectVersion, Store


@dataclass(frozen=True, slots=True)
class Request:
    """A run that may start: the project's plan is sound, and the period is one of its calendar.
    `version` is the project version that runs; None for a draft, which runs the file as it is."""

    root: Path
    settings: WorkspaceDefinition | None
    known: Definitions
    project: Mapping[str, Any]
    """The project as the store keeps definitions."""
    plan: ProjectPlan
    context: RunContext
    version: int | None = None
    tables: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """The versions to read of tables that count theirs, by dataset and location; the newest of the
    others."""

    @property
    def is_draft(self) -> bool:
        """Outputs go into the sandbox."""
        return self.version is None

    @property
    def sandbox(self) -> Path:
        """Where a draft's outputs go."""
        return self.root / ".rowbook" / "sandbox" / self.context.run_id

    @property
    def project_name(self) -> str:
        """The project's name."""
        return str(self.project["project"]["name"])

    def for_period(self, period: Period, as_of: str | None = None) -> Request:
        """The same for another period, as a run of its own."""
        context = replace(
            self.context,
            run_id=new_run_id(self.context.now),
            period=period,
            as_of=read_as_of(as_of, period),
        )
        return replace(self, context=context)


def request(
    root: Path, project: str, period: str, as_of: str | None = None, now: str | None = None
) -> Request:
    """A draft: check the workspace and the project (its errors are raised together), parse the
    period."""
    workspace = check_with_store(root)
    found = _find(workspace, project)
    planned = workspace.projects[found.model.name]
    if planned.plan is None:
        raise RowbookError(*workspace.errors)
    entry = workspace.files.workspace
    return Request(
        root,
        entry.model if entry else None,
        workspace.known,
        content_of(found),
        planned.plan,
        new_context(found.model.identity, planned.plan.calendar, period, as_of, now),
    )


def request_version(
    root: Path,
    store: Store,
    version: ProjectVersion,
    period: str,
    as_of: str | None = None,
    now: str | None = None,
) -> Request:
    """A run of a project version that was activated, with the dataset versions that it pins."""
    from rowbook.runs.workspace_store import stored_definitions

    files = read_workspace(root)
    known = stored_definitions(store, files, dict(version.pins))
    settings = files.workspace.model if files.workspace else None
    label = f"project {version.name} version {version.version}"
    plan = planned(entry_of(version.content, label), known)
    context = new_context(version.project_id, plan.calendar, period, as_of, now)
    return Request(root, settings, known, version.content, plan, context, version.version)


def planned(entry: Entry[ProjectDefinition], known: Definitions) -> ProjectPlan:
    """The plan of a project among definitions; its errors are raised together."""
    found = plan_recorded(entry, known)
    if found.plan is None:
        raise RowbookError(*(d for d in found.diagnostics if d.severity == "error"))
    return found.plan


def new_context(
    project_id: str, calendar: Calendar, period: str, as_of: str | None, now: str | None
) -> RunContext:
    """A run of its own, with its clock."""
    parsed = calendar.parse(period)
    clock = read_now(now)
    day: date | datetime = read_as_of(as_of, parsed)
    return RunContext(new_run_id(clock), project_id, clock, parsed, calendar, day)


def _find(workspace: CheckedWorkspace, project: str) -> Entry[ProjectDefinition]:
    projects = workspace.files.projects
    found = next((p for p in projects if project in (p.model.name, p.model.identity)), None)
    if found is not None:
        return found
    if workspace.errors and workspace.files.incomplete:
        # It may be in a file that could not be read.
        raise RowbookError(*workspace.errors)
    hint = suggestion(project, tuple(p.model.name for p in projects), "projects")
    raise RowbookError.of("PROJECT_008", f"project '{project}' is not defined", hint=hint)
