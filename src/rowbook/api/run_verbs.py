"""Runs, one after the other, and what is compared of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rowbook.api.client import OnEnd, OnStart
from rowbook.api.results import RunStart
from rowbook.engine.compare.difference import Criteria
from rowbook.reports.running import ReportOrder, run_reported
from rowbook.runs.compare.compare_runs import CompareRequest
from rowbook.runs.execute.execute_run import RunOptions
from rowbook.runs.execute.result import RunResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request


@dataclass(frozen=True, slots=True)
class Watch:
    """Who hears of runs as they begin and end; and whether drafts were asked for."""

    draft: bool
    on_start: OnStart | None = None
    on_end: OnEnd = lambda _: None


def run_requests(
    workspace: OpenWorkspace,
    requests: Sequence[Request],
    options: RunOptions,
    watch: Watch,
    order: ReportOrder | None = None,
) -> tuple[RunResult, ...]:
    """Runs them; the one that does not complete is the last. Where nobody hears of its start, a
    draft that was not asked for is a warning."""
    results: list[RunResult] = []
    for request in requests:
        if watch.on_start is not None:
            watch.on_start(RunStart.of(request))
        result = run_reported(workspace, request, options, order)
        if request.is_draft and not watch.draft and watch.on_start is None:
            said = f"project '{request.project_name}' was never activated: it ran as a draft"
            result = replace(result, warnings=(*result.warnings, said))
        results.append(result)
        watch.on_end(result)
        if result.status != "completed":
            break
    return tuple(results)


def comparison(criteria: Criteria | None, output: str | None, recompute: bool) -> CompareRequest:
    return CompareRequest(criteria or Criteria(), output, recompute)
