"""From what a user typed to a run that may start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowbook.errors import RowbookError

if TYPE_CHECKING:
    from rowbook.runs.open_workspace import OpenWorkspace
    from rowbook.runs.prepare.request import Request


def ask(
    workspace: OpenWorkspace, project: str, period: str, as_of: str | None, now: str | None
) -> Request | RowbookError:
    """The request; faults of the definitions come back to be shown as findings, wrong usage is
    raised."""
    from rowbook.runs.prepare.request import request_draft

    try:
        return request_draft(workspace, project, period, as_of, now)
    except RowbookError as error:
        if any(d.position is not None for d in error.diagnostics):
            return error
        raise
