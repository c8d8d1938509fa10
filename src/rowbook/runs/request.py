"""What a run is asked for: from names and texts to a plan, a period and a clock."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rowbook.engine.context import RunContext
from rowbook.errors import RowbookError, suggestion
from rowbook.planning.project import ProjectPlan
from rowbook.planning.workspace import CheckedWorkspace, check_workspace
from rowbook.runs.clock import read_as_of, read_now
from rowbook.runs.ids import new_run_id


@dataclass(frozen=True, slots=True)
class Request:
    """A run that may start: the project's plan is sound, and the period is one of its calendar."""

    workspace: CheckedWorkspace
    plan: ProjectPlan
    context: RunContext

    @property
    def sandbox(self) -> Path:
        """Where a draft's outputs go."""
        return self.workspace.files.root / ".rowbook" / "sandbox" / self.context.run_id


def request(
    root: Path, project: str, period: str, as_of: str | None = None, now: str | None = None
) -> Request:
    """Check the workspace and the project (its errors are raised together), parse the period."""
    workspace = check_workspace(root)
    found = next(
        (p for p in workspace.files.projects if project in (p.model.name, p.model.identity)), None
    )
    if found is None:
        _refuse_unread(workspace)
        names = tuple(p.model.name for p in workspace.files.projects)
        hint = suggestion(project, names, "projects")
        raise RowbookError.of("PROJECT_008", f"project '{project}' is not defined", hint=hint)
    planned = workspace.projects[found.model.name]
    if planned.plan is None:
        raise RowbookError(*workspace.errors)
    calendar = planned.plan.calendar
    parsed = calendar.parse(period)
    clock = read_now(now)
    context = RunContext(
        new_run_id(clock),
        found.model.identity,
        clock,
        parsed,
        calendar,
        read_as_of(as_of, parsed),
    )
    return Request(workspace, planned.plan, context)


def _refuse_unread(workspace: CheckedWorkspace) -> None:
    """A project that is not found may be in a file that could not be read."""
    if workspace.errors and workspace.files.incomplete:
        raise RowbookError(*workspace.errors)
