"""Previews: the rows of a draft at a step, nothing written."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from rowbook.engine.compile.collect import collect
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.session.executors import executors_awaited
from rowbook.engine.session.session import Engine
from rowbook.engine.session.shared_session import Lend, SharedSession
from rowbook.engine.session.sizing import run_conf
from rowbook.planning.steps import AnyStep, OutputStep
from rowbook.runs.execute.run_reader import RunReader
from rowbook.runs.prepare.engine_settings import engine_settings, nearby_settings
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import ResolvedRun, resolve_run
from rowbook.runs.prepare.run_checks import check_run
from rowbook.sources.source import Keeping

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

OnStep = Callable[[AnyStep], None]


def preview_rows(
    request: Request,
    engine: str | None,
    *,
    after: int | None,
    limit: int,
    debug: bool,
    on_step: OnStep,
    on_session: Callable[[], None],
    on_wait: Callable[[str], None] = lambda _: None,
    session: Lend | None = None,
) -> tuple[list[str], list[dict[str, Any]]]:
    """Without deleted rows. `session` lends one that is kept; None: one is opened and closed."""
    with ExitStack() as resources:
        resolved = resolve_run(request, keeping=Keeping(resources))
        check_run(resolved)
        extras = resolved.extras
        settings = engine_settings(request.settings, engine, profile="small", extras=extras)
        if engine is None and resolved.is_small:
            settings = nearby_settings(settings)
        own = resources.enter_context(SharedSession(debug=debug))
        lent = resources.enter_context((session or own.lend)(settings, on_session))
        used = lent.set_up(run_conf(resolved.volume, settings))
        resources.enter_context(executors_awaited(used.spark, on_wait))
        pipeline = _pipeline(resolved, used, on_step, resources)
        fields, frame = pipeline.preview(after)
        try:
            rows = collect(frame, fields, limit)
        except Exception as error:
            raise pipeline.explained(error, "the preview") from error
    return [f.name for f in fields], rows


def preview_frame(
    request: Request, start: Callable[[], Engine], *, after: int | None
) -> tuple[list[str], DataFrame]:
    """Spark is started only where there is data. The frame may have further columns."""
    resolved = resolve_run(request)
    check_run(resolved)
    session = start()
    pipeline = _pipeline(resolved, session, lambda _: None, session.endings)
    fields, frame = pipeline.preview(after)
    return [f.name for f in fields], frame


def _pipeline(
    resolved: ResolvedRun, session: Engine, on_step: OnStep, resources: ExitStack
) -> Pipeline:
    request, reader = resolved.request, RunReader(session.spark, resolved, resources)
    return Pipeline(
        request.plan,
        request.context,
        reader,
        _NoWriter(),
        on_step,
        executors=session.executors,
    )


class _NoWriter:
    def write(self, step: OutputStep, frame: DataFrame) -> None:
        raise AssertionError("a preview does not write")
