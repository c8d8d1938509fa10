"""Runs that leave a report, and reports of runs that were."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path

from rowbook.errors import RowbookError
from rowbook.reports.building import build_report
from rowbook.reports.model import RunReport
from rowbook.reports.report_page import report_html
from rowbook.reports.saving import check_place, save
from rowbook.runs.execute.execute_run import RunOptions, start_run
from rowbook.runs.execute.result import RunResult
from rowbook.runs.execute.run_figures import Figures, measures_of
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.run_snapshot import request_again, snapshot_of
from rowbook.runs.proof.largest_figures import largest_figures
from rowbook.store import PastExpectations, Run

_MOST_PERIODS = 6
"""Whose expectations are shown beside the run's."""


@dataclass(frozen=True, slots=True)
class ReportOrder:
    path: Path
    column: str | None = None

    @classmethod
    def checked(cls, path: Path, column: str | None = None) -> ReportOrder:
        """Refused (USAGE_001) where nothing can be written."""
        return cls(check_place(path, "report"), column)


def run_reported(
    workspace: OpenWorkspace, request: Request, options: RunOptions, order: ReportOrder | None
) -> RunResult:
    """As `start_run`; and however the run ends, its report is written. That it could not be is a
    warning: the run is what it is."""
    if order is None:
        return start_run(workspace, request, options)
    figures = Figures(measures_of(request.plan, order.column))
    try:
        result = start_run(workspace, request, replace(options, figures=figures))
    except BaseException:
        with contextlib.suppress(RowbookError):  # the run may never have begun
            _save(workspace, request, figures, order)
        raise
    try:
        _save(workspace, request, figures, order)
    except RowbookError as error:
        said = error.diagnostics[0].message
        return replace(result, warnings=(*result.warnings, said))
    return result


def report_of(workspace: OpenWorkspace, run_id: str) -> RunReport:
    """The report of a run that was, from what the store keeps: without the amounts and sample rows
    of operations, which it does not keep. RUN_005 where the run ended before it began."""
    record = workspace.store.runs.record(run_id)
    snapshot = snapshot_of(workspace.store, run_id, "has nothing to report")
    past, request = _past(workspace, record.run), request_again(workspace, snapshot, run_id)
    return _explained(workspace, build_report(record, request, snapshot, past=past))


def _save(workspace: OpenWorkspace, request: Request, figures: Figures, order: ReportOrder) -> None:
    run_id, runs = request.context.run_id, workspace.store.runs
    record, snapshot = runs.record(run_id), runs.snapshot(run_id)
    past = _past(workspace, record.run)
    report = _explained(workspace, build_report(record, request, snapshot, figures, past))
    save(report_html(report), order.path, "report")


def _explained(workspace: OpenWorkspace, report: RunReport) -> RunReport:
    """With what the figures that a run published are made of."""
    if report.status != "completed":
        return report
    followed = report.followed.column if report.followed else None
    return replace(report, largest=largest_figures(workspace, report.run_id, followed))


def _past(workspace: OpenWorkspace, run: Run) -> tuple[PastExpectations, ...]:
    runs = workspace.store.runs
    return runs.past_expectations(run.project_id, before=run.created_at, limit=_MOST_PERIODS)
