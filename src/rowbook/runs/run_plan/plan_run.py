"""From what is asked for to what a run of it would do: no Spark, no rows, no trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowbook.engine.strategy.describe import describe
from rowbook.engine.strategy.stages import Situation
from rowbook.engine.strategy.strategy import decide
from rowbook.planning.resolution.parameter_values import NOTHING_GIVEN, GivenParameters
from rowbook.planning.steps import OutputStep
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.engine_settings import engine_settings, planned_executors
from rowbook.runs.prepare.project_version import choose_version
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import resolve_run
from rowbook.runs.prepare.run_checks import run_problems, run_warnings
from rowbook.runs.run_plan.plan_expectations import plan_expectation
from rowbook.runs.run_plan.plan_model import PlannedWrite, RunPlan
from rowbook.runs.run_plan.plan_reads import plan_read
from rowbook.runs.run_plan.plan_steps import plan_columns, plan_parameter, plan_steps, plan_write
from rowbook.runs.versions.version_drift import drift_of

if TYPE_CHECKING:
    from rowbook.errors import Diagnostic
    from rowbook.store import Store


def plan_run(
    workspace: OpenWorkspace,
    project: str,
    period: str,
    as_of: str | None = None,
    given: GivenParameters = NOTHING_GIVEN,
    *,
    draft: bool = False,
    connect: bool = False,
) -> RunPlan:
    """No store is made, and without `connect` no database is asked. RESOLVER_003 and DATASET_014
    are what the run would end with."""
    request = choose_version(workspace, project, period, as_of, None, given, draft=draft)
    store = workspace.find_store()
    resolved = resolve_run(request, store, connect=connect)
    plan, context = request.plan, request.context
    settings = engine_settings(request.settings, None, profile="bulk")
    situation = Situation(
        resolved.options(settings),
        rewrites=resolved.rewrites,
        executors=planned_executors(settings),
        passing=resolved.passing if settings.sees_this_disk else frozenset(),
        workers=settings.sees_this_disk and not resolved.volume.is_small,
    )

    def write(step: OutputStep) -> PlannedWrite:
        return plan_write(resolved.output(step), request, connect=connect)

    return RunPlan(
        request.project_name,
        request.version,
        plan.project.description,
        context.period.identifier,
        context.period.start,
        context.period.end,
        context.calendar.name,
        context.as_of,
        tuple(plan_read(each, request.definitions) for each in resolved.inputs),
        plan_columns(plan.columns.fields.values()),
        tuple(plan_steps(plan, write)),
        (*plan.warnings, *run_warnings(resolved)),
        (*_refusals(request, store), *run_problems(resolved, connect=connect)),
        describe(decide(plan, situation)),
        None if request.is_draft else drift_of(workspace, context.project_id),
        tuple(map(plan_parameter, plan.parameters)),
        tuple(map(plan_expectation, plan.expectations)),
        None if plan.quarantine is None else write(plan.quarantine),
    )


def _refusals(request: Request, store: Store | None) -> tuple[Diagnostic, ...]:
    if store is None:  # whose library is not waited for
        return ()
    from rowbook.runs.prepare.new_run import run_refusals

    return run_refusals(request, store)
