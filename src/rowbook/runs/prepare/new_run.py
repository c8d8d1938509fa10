"""The run that is asked for, as the store records it; and why the store would not take it."""

from __future__ import annotations

from rowbook.errors import Diagnostic
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.request import Request
from rowbook.runs.versions.period_status import calendar_identity
from rowbook.store import NewRun, Store, from_this_machine, this_process


def new_run(request: Request, engine: str = "", trigger: str = "") -> NewRun:
    context = request.context
    return NewRun(
        context.run_id,
        context.project_id,
        request.project_name,
        request.version,
        request.is_draft,
        calendar_identity(context.calendar.name, request.definitions),
        context.period.identifier,
        context.as_of.isoformat(),
        context.now,
        trigger,
        engine,
        this_process().user,
        _writes_into(request),
    )


def run_refusals(
    request: Request, store: Store, reopened: str | None = None
) -> tuple[Diagnostic, ...]:
    """Why a run would be refused as things stand: its period is closed or locked, another run of
    the project and period is at work. Nothing is recorded."""
    return store.leases.refusals(
        new_run(request), at=at_present(), reopened=reopened, sight=from_this_machine()
    )


def _writes_into(request: Request) -> tuple[str, ...]:
    context = request.context
    above = []
    parent = context.calendar.parent(context.period)
    while parent is not None:
        above.append(parent.identifier)
        parent = context.calendar.parent(parent)
    return (*context.periods, *above)
