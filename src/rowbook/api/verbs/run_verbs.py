"""Runs, one after the other, and what is compared of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rowbook.api.client import OnEnd, OnStart
from rowbook.api.results import RunStart
from rowbook.engine.compare.difference import Criteria
from rowbook.engine.session.shared_session import SharedSession
from rowbook.planning.resolution.parameter_values import NOTHING_GIVEN, GivenParameters
from rowbook.reports.running import ReportOrder as ReportOrder
from rowbook.reports.running import run_reported
from rowbook.runs.checking.waivers import WaiverRequest as WaiverRequest
from rowbook.runs.compare.compare_runs import CompareRequest
from rowbook.runs.compare.compare_runs import compare_draft as compare_draft
from rowbook.runs.compare.compare_runs import compare_runs as compare_runs
from rowbook.runs.compare.compare_runs import compare_with_last as compare_with_last
from rowbook.runs.compare.repetition import repeat_compared as repeat_compared
from rowbook.runs.execute.execute_run import RunOptions
from rowbook.runs.execute.execute_run import resume_run as resume_run
from rowbook.runs.execute.result import RunResult
from rowbook.runs.execute.staged.approval import approve_run as approve_run
from rowbook.runs.execute.staged.approval import reject_run as reject_run
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.project_version import choose_version as choose_version
from rowbook.runs.prepare.project_version import periods_between
from rowbook.runs.prepare.request import Request
from rowbook.runs.versions.version_drift import VersionDrift, drift_of


@dataclass(frozen=True, slots=True)
class Watch:
    """Who hears of runs as they begin and end; and whether drafts were asked for."""

    draft: bool
    on_start: OnStart | None = None
    on_end: OnEnd = lambda _: None


def request_periods(
    workspace: OpenWorkspace,
    project: str,
    first: str,
    last: str,
    now: str | None,
    given: GivenParameters,
    *,
    draft: bool,
) -> list[Request]:
    request = choose_version(workspace, project, first, None, now, given, draft=draft)
    later = periods_between(request.context.calendar, first, last)[1:]
    return [request, *(request.for_period(each) for each in later)]


def run_requests(
    workspace: OpenWorkspace,
    requests: Sequence[Request],
    options: RunOptions,
    watch: Watch,
    order: ReportOrder | None = None,
) -> tuple[RunResult, ...]:
    """Runs them, periods of one project; the one that does not complete is the last. Where nobody
    hears of its start, a draft that was not asked for is a warning, and so are files that are not
    what runs. All are in one session, as long as it serves them."""
    results: list[RunResult] = []
    with SharedSession(debug=options.debug) as shared:
        options = replace(options, session=options.session or shared.lend)
        first = requests[0]
        drift = None if first.is_draft else drift_of(workspace, first.context.project_id)
        for request in requests:
            result = run_heard(workspace, request, options, watch, drift, order)
            results.append(result)
            watch.on_end(result)
            if result.status != "completed":
                break
    return tuple(results)


def run_heard(
    workspace: OpenWorkspace,
    request: Request,
    options: RunOptions,
    watch: Watch,
    drift: VersionDrift | None,
    order: ReportOrder | None = None,
) -> RunResult:
    """One run, of whose start and drift its result tells where nobody hears of them."""
    if watch.on_start is not None:
        watch.on_start(RunStart.of(request, drift))
        return run_reported(workspace, request, options, order)
    result = run_reported(workspace, request, options, order)
    warnings = (*result.warnings, *_unheard(request, drift, draft=watch.draft))
    return replace(result, warnings=warnings)


def _unheard(request: Request, drift: VersionDrift | None, *, draft: bool) -> Iterator[str]:
    if request.is_draft and not draft:
        yield f"project '{request.project_name}' was never activated: it ran as a draft"
    if drift is not None:
        yield f"{drift.message}; {drift.hint}"


def comparison(
    criteria: Criteria | None,
    output: str | None,
    recompute: bool,
    given: GivenParameters = NOTHING_GIVEN,
) -> CompareRequest:
    return CompareRequest(criteria or Criteria(), output, recompute, given)
