"""Which version of a project a run is of: the active one, or the file as it is."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.errors import RowbookError
from rowbook.periods import Calendar, Period
from rowbook.runs.prepare.request import Request, request, request_version

if TYPE_CHECKING:
    from rowbook.store import Project, Store


def chosen_request(
    root: Path,
    store: Store,
    project: str,
    period: str,
    as_of: str | None = None,
    now: str | None = None,
    *,
    draft: bool = False,
) -> Request:
    """The active version; the file as it is for a draft, and where the project was never
    activated. Refused where it is inactive (PROJECT_009) or in conflict (PROJECT_010)."""
    known = None if draft else store.projects.get(project)
    if known is None:
        return request(root, project, period, as_of, now)
    version = store.projects.active(known.id)
    if version is None:
        raise _refusal(known)
    return request_version(root, store, version, period, as_of, now)


def periods_between(calendar: Calendar, first: str, last: str) -> tuple[Period, ...]:
    """The periods of one level from the first to the last, in order."""
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
