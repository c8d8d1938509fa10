"""From what a user typed to a run that may start."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.errors import RowbookError

if TYPE_CHECKING:
    from rowbook.runs.prepare.request import Request


def ask(
    root: Path, project: str, period: str, as_of: str | None, now: str | None
) -> Request | RowbookError:
    """The request; faults of the definitions come back to be shown as findings, wrong usage is
    raised."""
    from rowbook.runs.prepare.request import request

    try:
        return request(root, project, period, as_of, now)
    except RowbookError as error:
        if any(d.position is not None for d in error.diagnostics):
            return error
        raise
