"""Draft runs and previews: the files as they are, outputs into the sandbox."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rowbook.engine.collect import collect
from rowbook.engine.pipeline import Pipeline
from rowbook.engine.session import EngineSettings, open_session
from rowbook.engine.settings import ProfileName
from rowbook.errors import Diagnostic, RowbookError
from rowbook.planning.steps import AnyStep, OutputStep
from rowbook.runs.engines import engine_settings
from rowbook.runs.ledger import ledger
from rowbook.runs.reading import WorkspaceReader
from rowbook.runs.request import Request
from rowbook.runs.result import RunResult
from rowbook.runs.writing import SandboxWriter

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OnStep = Callable[[AnyStep], None]


def run_draft(request: Request, engine: str | None, *, debug: bool, on_step: OnStep) -> RunResult:
    """Run a project; what goes wrong is in the result, with what was written before."""
    writer = SandboxWriter(request)
    pipeline: Pipeline | None = None
    error: RowbookError | None = None
    try:
        with open_session(_settings(request, engine, "bulk"), debug=debug) as opened:
            reader = WorkspaceReader(opened.spark, request)
            pipeline = Pipeline(request.plan, request.context, reader, writer, on_step)
            pipeline.run()
    except RowbookError as failure:
        error = failure
        if debug and failure.__cause__ is not None:
            raise
    finally:
        _remove_if_empty(request)
    entries = ledger(pipeline.done, pipeline.counts, writer.results) if pipeline else ()
    return RunResult(
        request.context.run_id,
        "failed" if error else "completed",
        entries,
        tuple(writer.results),
        _as_one(error),
    )


def preview_rows(
    request: Request,
    engine: str | None,
    *,
    after: int | None,
    limit: int,
    debug: bool,
    on_step: OnStep,
) -> tuple[list[str], list[dict[str, Any]]]:
    """The columns and the first rows of the working dataset after an operation, deleted ones left
    out; nothing is written."""
    with open_session(_settings(request, engine, "small"), debug=debug) as opened:
        reader = WorkspaceReader(opened.spark, request)
        pipeline = Pipeline(request.plan, request.context, reader, _NoWriter(), on_step)
        fields, frame = pipeline.preview(after)
        try:
            rows = collect(frame, fields, limit)
        except Exception as error:
            raise pipeline.explained(error, "the preview") from error
    return [f.name for f in fields], rows


class _NoWriter:
    """A preview writes nothing."""

    def write(self, step: OutputStep, frame: DataFrame) -> None:
        raise AssertionError("a preview does not write")


def _settings(request: Request, engine: str | None, profile: ProfileName) -> EngineSettings:
    entry = request.workspace.files.workspace
    return engine_settings(entry.model if entry else None, engine, profile=profile)


def _as_one(error: RowbookError | None) -> Diagnostic | None:
    """The first finding; further ones are in its message."""
    if error is None:
        return None
    first, *rest = error.diagnostics
    if not rest:
        return first
    more = "; ".join(d.message for d in rest)
    return Diagnostic(first.code, f"{first.message}; {more}", first.position, first.hint)


def _remove_if_empty(request: Request) -> None:
    folder = request.sandbox
    if folder.is_dir() and not any(folder.iterdir()):
        shutil.rmtree(folder)
