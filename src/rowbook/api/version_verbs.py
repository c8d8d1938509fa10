"""What is recorded in the store, with who did it and when: definitions, projects, periods."""

from __future__ import annotations

from rowbook.api.results import Applied, Deactivation
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.versions.activation import ActivationResult, activate, deactivate
from rowbook.runs.versions.application import ChangePlan, apply_changes, plan_changes
from rowbook.runs.versions.period_status import PeriodLine, move_period
from rowbook.store import PeriodStatus, this_process


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


def move(
    workspace: OpenWorkspace,
    period: str,
    calendar: str,
    status: PeriodStatus,
    reason: str | None,
) -> PeriodLine:
    by, at = this_process().user, at_present()
    return move_period(workspace, calendar, period, status, by=by, at=at, reason=reason)
