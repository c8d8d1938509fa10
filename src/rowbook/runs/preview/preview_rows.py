"""Previews: the rows of a draft at a step, by the engine that suits them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rowbook.planning.steps import AnyStep
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import ResolvedRun, resolve_run
from rowbook.runs.prepare.run_checks import check_run
from rowbook.runs.preview.engine_choice import EngineName, OnEngine, choose_engine, compute_by
from rowbook.value_class import dataclass

if TYPE_CHECKING:
    from rowbook.engine.session.shared_session import Lend

OnStep: TypeAlias = Callable[[AnyStep], None]


class Rows(NamedTuple):
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """The first rows after an operation, with all columns; which engine computed them, and why
    that."""

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    engine: EngineName = "spark"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SparkUse:
    """How Spark is used where it is: `engine` is a master or an endpoint instead of the
    workspace's. `session` lends one that is kept; None: one is opened and closed."""

    engine: str | None
    debug: bool
    on_step: OnStep
    on_session: Callable[[], None]
    on_wait: Callable[[str], None] = lambda _: None
    session: Lend | None = None


def preview_rows(
    request: Request,
    named: EngineName | None,
    use: SparkUse,
    on_engine: OnEngine,
    *,
    after: int | None,
    limit: int,
) -> Preview:
    """Without deleted rows. `named` is the engine to use, None: as the input suggests."""
    from rowbook.runs.preview.asking_session import keeping_of
    from rowbook.runs.preview.plain_preview import compute, plan_until

    with ExitStack() as resources:
        keeping, use = keeping_of(request, use, resources)
        resolved = resolve_run(request, keeping=keeping)
        check_run(resolved)
        plan = plan_until(request.plan, after)
        found, choice = compute_by(
            choose_engine(resolved, plan, named),
            named,
            on_engine,
            lambda: compute(resolved, plan, limit),
            lambda: _by_spark(resolved, use, resources, after, limit),
        )
        return Preview(*found, choice.engine, choice.reason)


def _by_spark(
    resolved: ResolvedRun, use: SparkUse, resources: ExitStack, after: int | None, limit: int
) -> Rows:
    from rowbook.runs.preview.spark_preview import collect_preview

    return collect_preview(resolved, use, resources, after=after, limit=limit)
