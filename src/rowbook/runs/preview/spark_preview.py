"""Previews on Spark."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from typing import TYPE_CHECKING

from rowbook.engine.compile.collect import collect
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.execution.writers import NoWriter, Writer
from rowbook.engine.session.executors import executors_awaited
from rowbook.engine.session.session import Engine
from rowbook.engine.session.settings import ProfileName
from rowbook.engine.session.shared_session import SharedSession
from rowbook.engine.session.sizing import run_conf
from rowbook.expectations.observation import Observation
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.runs.execute.run_reader import RunReader
from rowbook.runs.prepare.engine_settings import engine_settings, nearby_settings
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import ResolvedRun, asks_spark, resolve_run
from rowbook.runs.prepare.run_checks import check_run
from rowbook.runs.preview.preview_rows import OnStep, Rows, SparkUse
from rowbook.sources.contents import Keeping
from rowbook.sources.source import Extra

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def collect_preview(
    resolved: ResolvedRun, use: SparkUse, resources: ExitStack, *, after: int | None, limit: int
) -> Rows:
    """Without deleted rows."""
    pipeline = opened_pipeline(resolved, use, resources)
    fields, frame = pipeline.preview(after)
    try:
        rows = collect(frame, fields, limit)
    except Exception as error:
        raise pipeline.explained(error, "the preview") from error
    return Rows(tuple(f.name for f in fields), tuple(rows))


def observe_on_spark(
    resolved: ResolvedRun, use: SparkUse, resources: ExitStack
) -> tuple[tuple[Expectation, Observation], ...]:
    """What is seen of the expectations of the run's plan; nothing is written."""
    pipeline = opened_pipeline(resolved, use, resources)
    pipeline.check()
    return pipeline.observations


def preview_frame(
    request: Request, start: Callable[[], Engine], *, after: int | None
) -> tuple[list[str], DataFrame]:
    """Spark is started only where there is data. The frame may have further columns."""
    resolved = resolve_run(request)
    check_run(resolved)
    session = start()
    if asks_spark(request):
        keeping = Keeping(session.endings, session=lambda: nullcontext(session.spark))
        resolved = resolve_run(request, keeping=keeping)
        check_run(resolved)
    pipeline = _pipeline(resolved, session, lambda _: None, session.endings)
    fields, frame = pipeline.preview(after)
    return [f.name for f in fields], frame


def opened_pipeline(
    resolved: ResolvedRun,
    use: SparkUse,
    resources: ExitStack,
    writer: Writer | None = None,
    more: frozenset[Extra] = frozenset(),
) -> Pipeline:
    """In a session that has `more` beside what the run itself needs."""
    profile: ProfileName = "small" if writer is None else resolved.volume.profile
    engine = opened_session(resolved, use, resources, profile, more)
    return _pipeline(resolved, engine, use.on_step, resources, writer)


def opened_session(
    resolved: ResolvedRun,
    use: SparkUse,
    resources: ExitStack,
    profile: ProfileName = "small",
    more: frozenset[Extra] = frozenset(),
) -> Engine:
    """As large as the data needs."""
    extras, workspace = resolved.extras | more, resolved.request.settings
    settings = engine_settings(workspace, use.engine, profile=profile, extras=extras)
    if use.engine is None and resolved.is_small:
        settings = nearby_settings(settings)
    own = resources.enter_context(SharedSession(debug=use.debug))
    lent = resources.enter_context((use.session or own.lend)(settings, use.on_session))
    used = lent.set_up(run_conf(resolved.volume, settings))
    resources.enter_context(executors_awaited(used.spark, use.on_wait))
    return used


def _pipeline(
    resolved: ResolvedRun,
    session: Engine,
    on_step: OnStep,
    resources: ExitStack,
    writer: Writer | None = None,
) -> Pipeline:
    request, reader = resolved.request, RunReader(lambda: session.spark, resolved, resources)
    return Pipeline(
        request.plan,
        request.context,
        reader,
        writer or NoWriter(),
        on_step,
        executors=session.executors,
    )
