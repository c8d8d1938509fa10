"""From what is asked for to what a run of it would do: no Spark, no rows, no trace."""

from __future__ import annotations

from rowbook.engine.strategy.describe import describe
from rowbook.engine.strategy.stages import Situation
from rowbook.engine.strategy.strategy import decide
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.engine_settings import engine_settings, planned_executors
from rowbook.runs.prepare.project_version import choose_version
from rowbook.runs.prepare.resolve import resolve_run
from rowbook.runs.prepare.run_checks import run_problems
from rowbook.runs.run_plan.plan_model import RunPlan
from rowbook.runs.run_plan.plan_reads import plan_read
from rowbook.runs.run_plan.plan_steps import plan_columns, plan_steps, plan_write
from rowbook.runs.versions.version_drift import drift_of


def plan_run(
    workspace: OpenWorkspace,
    project: str,
    period: str,
    as_of: str | None = None,
    *,
    draft: bool = False,
    connect: bool = False,
) -> RunPlan:
    """No store is made, and without `connect` no database is asked. RESOLVER_003 and DATASET_014
    are what the run would end with."""
    request = choose_version(workspace, project, period, as_of, draft=draft)
    resolved = resolve_run(request, workspace.find_store(), connect=connect)
    plan, context = request.plan, request.context
    executors = planned_executors(engine_settings(request.settings, None, profile="bulk"))
    situation = Situation(resolved.options, rewrites=resolved.rewrites, executors=executors)
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
        tuple(
            plan_steps(
                plan, lambda step: plan_write(resolved.output(step), request, connect=connect)
            )
        ),
        plan.warnings,
        run_problems(resolved, connect=connect),
        describe(decide(plan, situation)),
        None if request.is_draft else drift_of(workspace, context.project_id),
    )
