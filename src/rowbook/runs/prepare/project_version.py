"""Which version of a project a run is of: the active one, or the file as it is."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from rowbook.errors import RowbookError
from rowbook.periods import Calendar, Period
from rowbook.planning.resolution.parameter_values import NOTHING_GIVEN, GivenParameters
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request, request_draft, request_version

if TYPE_CHECKING:
    from rowbook.store import Project


def choose_version(
    workspace: OpenWorkspace,
    project: str,
    period: str,
    as_of: str | None = None,
    now: str | None = None,
    given: GivenParameters = NOTHING_GIVEN,
    *,
    draft: bool = False,
) -> Request:
    """The active version; the file as it is for a draft, and where the project was never
    activated. Refused where it is inactive (PROJECT_009) or in conflict (PROJECT_010)."""
    store = None if draft else workspace.find_store()
    recorded = store.projects.get(project) if store is not None else None
    if store is None or recorded is None:
        return request_draft(workspace, project, period, as_of, now, given)
    version = store.projects.active(recorded.id)
    if version is None:
        raise _refusal(recorded)
    return request_version(workspace, version, period, as_of, now, given)


def periods_between(calendar: Calendar, first: str, last: str) -> tuple[Period, ...]:
    start, end = calendar.parse(first), calendar.parse(last)
    if start.level != end.level:
        message = f"{first} is a {start.level}, but {last} is a {end.level}"
        raise RowbookError.of("USAGE_001", message, hint="name two periods of one level")
    if end.start < start.start:
        raise RowbookError.of("USAGE_001", f"{last} is before {first}")
    found = [start]
    while found[-1].end < end.start:
        found.append(calendar.covers(start.level, found[-1].end + timedelta(days=1)))
    return (*found[:-1], end) if len(found) > 1 else (start,)


def _refusal(project: Project) -> RowbookError:
    when = project.changed_at.strftime("%Y-%m-%d %H:%M UTC")
    reason = f": {project.reason}" if project.reason else ""
    if project.status == "inactive":
        message = f"project '{project.name}' was deactivated by {project.changed_by}, {when}"
        return RowbookError.of("PROJECT_009", f"{message}{reason}")
    message = f"project '{project.name}' is in conflict since {when}"
    return RowbookError.of("PROJECT_010", f"{message}{reason}")
