"""Rows at a step of a project: as a frame, or computed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.errors import RowbookError
from rowbook.planning.columns import is_listed
from rowbook.runs.prepare.request import Request, request

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from rowbook.api.client import Client, OnStep
    from rowbook.api.results import Preview


def draft_request(
    root: Path, project: str, period: str, after: int | None, as_of: str | None, now: str | None
) -> Request:
    """What a preview shows: the files as they are, up to an operation that they have."""
    asked = request(root, project, period, as_of, now)
    seqs = [step.seq for step in asked.plan.steps]
    if after is not None and after not in seqs:
        hint = f"seqs: {', '.join(map(str, seqs))}"
        raise RowbookError.of("USAGE_001", f"there is no operation {after}", hint=hint)
    return asked


def preview_frame(client: Client, asked: Request, after: int | None, *, system: bool) -> DataFrame:
    """All rows, computed when they are used."""
    from rowbook.runs.execute import preview

    names, frame = preview.preview_frame(asked, client.session.engine(), after=after)
    return frame.select(*(name for name in names if system or is_listed(name)))


def preview_rows(
    client: Client, asked: Request, after: int | None, limit: int, on_step: OnStep
) -> Preview:
    """The first rows."""
    from rowbook.api.results import Preview
    from rowbook.runs.execute import preview

    columns, rows = preview.preview_rows(
        asked,
        client.engine,
        after=after,
        limit=limit,
        debug=client.debug,
        on_step=on_step,
        session=client.session.lend if client.keeps_session else None,
    )
    return Preview(tuple(columns), tuple(rows))
