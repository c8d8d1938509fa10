"""Rows at a step of a project: as a frame, or computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowbook.errors import RowbookError
from rowbook.planning.columns import is_listed
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request, request_draft

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from rowbook.api.client import Client, OnSession, OnStep
    from rowbook.api.results import Preview


def request_preview(
    workspace: OpenWorkspace,
    project: str,
    period: str,
    after: int | None,
    as_of: str | None,
    now: str | None,
) -> Request:
    """What a preview shows: the files as they are, up to an operation that they have."""
    request = request_draft(workspace, project, period, as_of, now)
    seqs = [step.seq for step in request.plan.steps]
    if after is not None and after not in seqs:
        hint = f"seqs: {', '.join(map(str, seqs))}"
        raise RowbookError.of("USAGE_001", f"there is no operation {after}", hint=hint)
    return request


def preview_frame(
    client: Client, request: Request, after: int | None, *, system: bool
) -> DataFrame:
    from rowbook.runs.execute import run_preview

    names, frame = run_preview.preview_frame(request, client.session.engine, after=after)
    return frame.select(*(name for name in names if system or is_listed(name)))


def preview_rows(
    client: Client,
    request: Request,
    after: int | None,
    limit: int,
    on_step: OnStep,
    on_session: OnSession,
) -> Preview:
    from rowbook.api.results import Preview
    from rowbook.runs.execute import run_preview

    columns, rows = run_preview.preview_rows(
        request,
        client.engine,
        after=after,
        limit=limit,
        debug=client.debug,
        on_step=on_step,
        on_session=on_session,
        session=client.session.lend if client.keeps_session else None,
    )
    return Preview(tuple(columns), tuple(rows))
