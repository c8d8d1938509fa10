"""Approving what a run computed: exactly these rows are published, if all is as it was when they
were computed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

from rowbook.errors import RowbookError
from rowbook.runs.execute.dead_runs import recover_dead_runs, remove_discarded
from rowbook.runs.execute.execute_run import RunOptions, publish_approved
from rowbook.runs.execute.result import RunResult
from rowbook.runs.execute.run_execution import keeping_for, options_for
from rowbook.runs.execute.staged.staged_outputs import (
    StagedResult,
    damages,
    destination_contents,
    recorded_outputs,
)
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present, lease_time
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import asks_spark, resolve_run, resolved_outputs
from rowbook.runs.prepare.run_snapshot import (
    input_changes,
    input_records,
    request_again,
    snapshot_of,
)
from rowbook.sources.contents import Content, changed_names
from rowbook.store import Approval, JsonObject, Run, from_this_machine, this_process


def approve_run(
    workspace: OpenWorkspace, run_id: str, options: RunOptions, comment: str | None = None
) -> RunResult:
    """Publishes what a run staged that waits for approval. Refused where it does not wait
    (APPROVAL_001), for who started it (APPROVAL_002), and where what it read, what it staged or
    where it goes has changed (APPROVAL_003): it goes on waiting then."""
    recover_dead_runs(workspace)
    store, settings = workspace.store, workspace.settings
    record = store.runs.record(run_id)
    if record.run.status != "waiting" or record.approval is None:
        message = f"run {run_id} is {record.run.status} and waits for no approval"
        raise RowbookError.of("APPROVAL_001", message)
    may_approve_own = settings is not None and settings.self_approval
    user = this_process().user
    if user == record.run.requested_by and not may_approve_own:
        raise RowbookError.of("APPROVAL_002", f"{user} started run {run_id}")
    snapshot = snapshot_of(store, run_id, "has nothing to approve")
    request = request_again(workspace, snapshot, run_id)
    staged = recorded_outputs(workspace, record)
    if changes := list(_changes(request, options, snapshot, record.approval, staged)):
        raise RowbookError.of("APPROVAL_003", f"run {run_id}: {'; '.join(changes)}")
    lease = store.leases.approve(
        run_id,
        this_process(),
        comment=comment,
        at=at_present(),
        ttl=lease_time(),
        reopened=options.reopened,
        sight=from_this_machine(),
    )
    return publish_approved(workspace, request, staged, lease, options)


def reject_run(workspace: OpenWorkspace, run_id: str, comment: str | None = None) -> Run:
    """Ends a run that waits for approval; what it staged is removed."""
    recover_dead_runs(workspace)
    user = this_process().user
    rejected = workspace.store.runs.reject(run_id, by=user, comment=comment, at=at_present())
    remove_discarded(workspace)
    return rejected


def _changes(
    request: Request,
    options: RunOptions,
    snapshot: JsonObject,
    approval: Approval,
    staged: tuple[StagedResult, ...],
) -> Iterator[str]:
    yield from map(str, input_changes(snapshot["datasets"], _input_now(request, options)))
    there = destination_contents(resolved_outputs(request).outputs)
    for label, before in approval.destinations.items():
        old, new = (map(Content.from_json, each) for each in (before, there.get(label, [])))
        if changed := changed_names(old, new):
            yield f"{label}, where it goes, was changed: {', '.join(changed[:3])}"
    yield from damages(staged).values()


def _input_now(request: Request, options: RunOptions) -> list[JsonObject]:
    with ExitStack() as resources:
        keeping = None
        if asks_spark(request):
            options = options_for(request, options, resources)
            settings = options.settings(request.settings)
            keeping = keeping_for(request, settings, options, resources)
        return input_records(resolve_run(request, keeping=keeping).with_fingerprints())
