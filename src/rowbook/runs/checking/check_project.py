"""Expectations alone, by the engine that suits the input; nothing is written."""

from __future__ import annotations

from contextlib import ExitStack

from rowbook.expectations.observation import Observation
from rowbook.expectations.verdict import Verdict
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.runs.checking.past_measures import past_measures
from rowbook.runs.checking.run_verdicts import all_seen, judge_run
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import ResolvedRun, resolve_run
from rowbook.runs.prepare.run_checks import check_run
from rowbook.runs.preview.asking_session import keeping_of
from rowbook.runs.preview.engine_choice import EngineName, OnEngine, choose_engine, compute_by
from rowbook.runs.preview.preview_rows import SparkUse
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What would become of the expectations of a run; which engine computed it, and why that.
    `version` is None for the files as they are."""

    project: str
    version: int | None
    period: str
    expectations: tuple[Verdict, ...]
    engine: EngineName
    reason: str

    @property
    def ok(self) -> bool:
        """Whether nothing would stop the run."""
        return not any(each.stops for each in self.expectations)


def check_project(
    workspace: OpenWorkspace,
    request: Request,
    named: EngineName | None,
    use: SparkUse,
    on_engine: OnEngine,
) -> CheckResult:
    """`named` is the engine to use, None: as the input suggests."""
    past = past_measures(request.plan, request.context, workspace.find_store)
    with ExitStack() as resources:
        keeping, use = keeping_of(request, use, resources)
        resolved = resolve_run(request, keeping=keeping)
        check_run(resolved)
        seen, choice = compute_by(
            choose_engine(resolved, request.plan, named),
            named,
            on_engine,
            lambda: _by_reference(resolved),
            lambda: _by_spark(resolved, use, resources),
        )
    return CheckResult(
        request.project_name,
        request.version,
        request.context.period.identifier,
        judge_run(all_seen(request.plan, seen), request.context, past),
        choice.engine,
        choice.reason,
    )


def _by_reference(resolved: ResolvedRun) -> tuple[tuple[Expectation, Observation], ...]:
    from rowbook.runs.preview.plain_preview import PlainInput, observe

    return observe(resolved, resolved.request.plan, PlainInput(resolved))


def _by_spark(
    resolved: ResolvedRun, use: SparkUse, resources: ExitStack
) -> tuple[tuple[Expectation, Observation], ...]:
    from rowbook.runs.preview.spark_preview import observe_on_spark

    return observe_on_spark(resolved, use, resources)
