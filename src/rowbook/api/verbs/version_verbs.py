"""What is recorded in the store, with who did it and when: definitions, projects, periods, runs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from rowbook.api.results import Applied, Deactivation
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.versions.activation import ActivationResult, activate, deactivate
from rowbook.runs.versions.activation import project_history as project_history
from rowbook.runs.versions.application import ChangePlan, apply_changes
from rowbook.runs.versions.application import plan_changes as plan_changes
from rowbook.runs.versions.dataset_registry import dataset_details as dataset_details
from rowbook.runs.versions.dataset_registry import list_datasets as list_datasets
from rowbook.runs.versions.period_status import PeriodLine, list_periods, move_period
from rowbook.runs.versions.period_status import find_period as find_period
from rowbook.runs.versions.period_status import period_history as period_history
from rowbook.store import PeriodStatus, Run, this_process

if TYPE_CHECKING:
    from rowbook.runs.execute.cleanup import Removal


def apply(workspace: OpenWorkspace, plan: ChangePlan | None) -> Applied:
    found = plan or plan_changes(workspace)
    if not found.changes:
        return Applied((), ())
    conflicts = apply_changes(workspace, found, by=this_process().user, at=at_present())
    return Applied(found.changes, conflicts)


def activate_project(workspace: OpenWorkspace, project: str, *, keep_pin: bool) -> ActivationResult:
    by, at = this_process().user, at_present()
    return activate(workspace, project, keep_pin=keep_pin, by=by, at=at)


def deactivate_project(workspace: OpenWorkspace, project: str, reason: str | None) -> Deactivation:
    by, at = this_process().user, at_present()
    return Deactivation(*deactivate(workspace, project, by=by, at=at, reason=reason))


def list_year(workspace: OpenWorkspace, calendar: str, year: int | None) -> tuple[PeriodLine, ...]:
    return list_periods(workspace, calendar, year, at_present().date())


def move(
    workspace: OpenWorkspace, period: str, calendar: str, status: PeriodStatus, reason: str | None
) -> PeriodLine:
    by, at = this_process().user, at_present()
    return move_period(workspace, calendar, period, status, by=by, at=at, reason=reason)


def cancel_run(workspace: OpenWorkspace, run_id: str) -> Run:
    by, at = this_process().user, at_present()
    return workspace.store.runs.request_cancel(run_id, by=by, at=at)


def clean_up(workspace: OpenWorkspace, days: int) -> tuple[Removal, ...]:
    from rowbook.runs.execute.cleanup import clean

    now = at_present()
    return clean(workspace, before=now - timedelta(days=days), at=now)
