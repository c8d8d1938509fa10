"""What a run is asked for: from names and texts to a plan, a period and a clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.project import ProjectDefinition
from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.definitions.recording import content_of, entry_of, recorded_name
from rowbook.definitions.workspace_root import WORKSPACE_FILE
from rowbook.errors import Diagnostic, RowbookError, suggestion
from rowbook.locations.removal import kept_input_folder, sandbox_folder
from rowbook.periods import Calendar, Period
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.project_plan import Planned, ProjectPlan, Surroundings, plan_project
from rowbook.planning.resolution.parameter_values import NOTHING_GIVEN, GivenParameters
from rowbook.planning.run_context import RunContext
from rowbook.planning.used_datasets import plan_recorded
from rowbook.planning.used_definitions import used_places
from rowbook.planning.workspace_check import CheckedWorkspace, registered_by
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.clock import new_run_id, read_as_of, read_now
from rowbook.runs.prepare.period_history import PeriodHistory, history_of

if TYPE_CHECKING:
    from rowbook.store import ProjectVersion


@dataclass(frozen=True, slots=True)
class Request:
    """A run that may start: the project's plan is sound, and the period is one of its calendar.
    `version` is the project version that runs; None for a draft, which runs the file as it is."""

    root: Path
    settings: WorkspaceDefinition | None
    definitions: Definitions
    project: Mapping[str, Any]
    """The project as the store keeps definitions."""
    plan: ProjectPlan
    context: RunContext
    version: int | None = None
    tables: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """The versions to read of tables that count theirs, by dataset and location; the newest of the
    others."""
    history: Callable[[], PeriodHistory] = PeriodHistory
    """What the store knows, when it is asked, of the periods that are read."""

    @property
    def is_draft(self) -> bool:
        return self.version is None

    @property
    def publishes_together(self) -> bool:
        """Not a draft, whose sandbox is there to be looked at, also when it fails."""
        project = self.plan.project
        together = isinstance(project, ProjectDefinition) and project.publish == "together"
        return together and not self.is_draft

    @property
    def is_approved_first(self) -> bool:
        """Whether somebody must approve what was computed before it is published."""
        project = self.plan.project
        return (
            self.publishes_together
            and isinstance(project, ProjectDefinition)
            and bool(project.approval)
        )

    @property
    def sandbox(self) -> Path:
        shared = self.settings.engine.sandbox if self.settings else None
        return sandbox_folder(self.root, self.context.run_id, shared)

    @property
    def kept_input(self) -> Path:
        return kept_input_folder(self.root, self.context.run_id)

    @property
    def project_name(self) -> str:
        return recorded_name(dict(self.project), "project")

    def for_period(self, period: Period, as_of: str | None = None) -> Request:
        context = replace(
            self.context,
            run_id=new_run_id(self.context.now),
            period=period,
            as_of=read_as_of(as_of, period),
        )
        return replace(self, context=context)


def request_draft(
    workspace: OpenWorkspace,
    project: str,
    period: str,
    as_of: str | None = None,
    now: str | None = None,
    given: GivenParameters | None = NOTHING_GIVEN,
    checked: CheckedWorkspace | None = None,
) -> Request:
    """Errors of the workspace and the project are raised together. A project that can be planned
    is refused too, for any error of its own or of what it uses; and where a parameter has no value,
    unless None is given: such a request says what it is of, and is not run. `checked` are the files
    among what drafts write, where there are such."""
    checked = checked or workspace.checked
    entry = find_project(checked, project)
    plan = checked.projects[entry.model.name].plan
    if plan is None:
        raise RowbookError(*checked.errors)
    if faults := _faults(checked, entry, plan):
        raise RowbookError(*faults)
    if given is not None and (entry.model.parameters or given.values):
        among = Surroundings(checked.known, registered_by=registered_by(checked.files), given=given)
        plan = _sound(plan_project(entry, among))
    context = new_context(entry.model.identity, plan.calendar, period, as_of, now)
    content = content_of(entry)
    history = partial(history_of, workspace, plan, checked.known)
    return Request(
        workspace.root,
        workspace.settings,
        checked.known,
        content,
        plan,
        context,
        history=history,
    )


def request_version(
    workspace: OpenWorkspace,
    version: ProjectVersion,
    period: str,
    as_of: str | None = None,
    now: str | None = None,
    given: GivenParameters = NOTHING_GIVEN,
) -> Request:
    applied = workspace.applied_definitions(version.pins)
    content = version.content
    plan = sound_plan(
        entry_of(content, f"project {version.name} version {version.version}"), applied, given
    )
    context = new_context(version.project_id, plan.calendar, period, as_of, now)
    return Request(
        workspace.root,
        workspace.settings,
        applied,
        content,
        plan,
        context,
        version.version,
        history=partial(history_of, workspace, plan, applied),
    )


def sound_plan(
    entry: Entry[ProjectDefinition], definitions: Definitions, given: GivenParameters
) -> ProjectPlan:
    """Errors are raised together."""
    return _sound(plan_recorded(entry, definitions, given=given))


def _sound(planned: Planned) -> ProjectPlan:
    if planned.plan is None:
        raise RowbookError(*(d for d in planned.diagnostics if d.severity == "error"))
    return planned.plan


def new_context(
    project_id: str, calendar: Calendar, period: str, as_of: str | None, now: str | None
) -> RunContext:
    parsed = calendar.parse(period)
    clock = read_now(now)
    day: date | datetime = read_as_of(as_of, parsed)
    return RunContext(new_run_id(clock), project_id, clock, parsed, calendar, day)


def _faults(
    checked: CheckedWorkspace, entry: Entry[ProjectDefinition], plan: ProjectPlan
) -> tuple[Diagnostic, ...]:
    """In the project, in what it uses, and in the settings, which may not have been read at all."""
    if not checked.errors:
        return ()
    places = [entry.place, *used_places(plan, checked.known)]
    return tuple(
        each
        for each in checked.errors
        if (at := each.position) is not None
        and (at.file == WORKSPACE_FILE or any(place.holds(at) for place in places))
    )


def find_project(workspace: CheckedWorkspace, project: str) -> Entry[ProjectDefinition]:
    """By name or id; PROJECT_008 where there is none."""
    projects = workspace.files.projects
    found = next((p for p in projects if project in (p.model.name, p.model.identity)), None)
    if found is not None:
        return found
    if workspace.errors and workspace.files.incomplete:
        # It may be in a file that could not be read.
        raise RowbookError(*workspace.errors)
    hint = suggestion(project, tuple(p.model.name for p in projects), "projects")
    raise RowbookError.of("PROJECT_008", f"project '{project}' is not defined", hint=hint)
