"""A session that is asked what tables are, and then computes their rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import asks_spark, extras_of
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.sources.contents import Keeping

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.engine.session.shared_session import Lend


def keeping_of(request: Request, use: SparkUse, resources: ExitStack) -> tuple[Keeping, SparkUse]:
    """How the input is kept as it is until `resources` end, and how Spark is used from then on."""
    if not asks_spark(request):
        return Keeping(resources), use
    lend = use.session
    if lend is None:
        from rowbook.engine.session.shared_session import SharedSession

        lend = resources.enter_context(SharedSession(debug=use.debug)).lend
    use = replace(use, session=lend)
    return Keeping(resources, session=lambda: _session(request, use, lend)), use


@contextmanager
def _session(request: Request, use: SparkUse, lend: Lend) -> Iterator[SparkSession]:
    from rowbook.engine.session.executors import executors_awaited
    from rowbook.engine.session.sizing import Volume, run_conf
    from rowbook.runs.prepare.engine_settings import engine_settings

    extras = extras_of(request)
    settings = engine_settings(request.settings, use.engine, profile="small", extras=extras)
    with lend(settings, use.on_session) as engine:
        asked = engine.set_up(run_conf(Volume(0, is_known=False), settings)).spark
        with executors_awaited(asked, use.on_wait):
            yield asked
