"""Runs begin, go on and are repeated. What goes wrong is in the result and the store."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace

from rowbook.errors import RowbookError
from rowbook.runs.checking.expectation_check import ExpectationCheck, new_waivers
from rowbook.runs.checking.run_verdicts import NEVER_JUDGED, EarlierJudgement
from rowbook.runs.execute.dead_runs import recover_dead_runs
from rowbook.runs.execute.result import RunResult
from rowbook.runs.execute.run_execution import Execution, keeping_for, options_for
from rowbook.runs.execute.run_options import RunOptions as RunOptions
from rowbook.runs.execute.staged.staged_outputs import (
    StagedResult,
    damages,
    recorded_outputs,
)
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.clock import new_run_id
from rowbook.runs.prepare.lease_clock import at_present, lease_time
from rowbook.runs.prepare.new_run import new_run, run_refusals
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import (
    resolve_run,
    resolved_outputs,
)
from rowbook.runs.prepare.run_checks import request_problems
from rowbook.runs.prepare.run_snapshot import (
    input_changes,
    input_records,
    request_again,
    snapshot_of,
)
from rowbook.store import (
    Lease,
    RunRecord,
    from_this_machine,
    this_process,
)


def start_run(
    workspace: OpenWorkspace,
    request: Request,
    options: RunOptions,
    earlier: EarlierJudgement = NEVER_JUDGED,
) -> RunResult:
    """Runs. Refused, with nothing left behind, where another run of the project and period is
    alive (LeaseHeldError), or the period is closed or locked; and with all else that it would fail
    of. `earlier` is how the run was judged that this one repeats."""
    given = new_waivers(request, options.waive)
    workspace.store.seals.check_key()
    recover_dead_runs(workspace)
    settings, store = options.settings(request.settings), workspace.store
    try:
        lease = store.leases.begin(
            new_run(request, settings.remote or settings.master, options.trigger),
            this_process(),
            at=at_present(),
            ttl=lease_time(),
            reopened=options.reopened,
            sight=from_this_machine(),
        )
    except RowbookError:
        found = run_refusals(request, store, options.reopened)
        found += request_problems(request, store) if found else ()
        if len(found) < 2:
            raise
        raise RowbookError(*found) from None
    given = (*earlier.waivers, *given)
    check = ExpectationCheck(workspace, request, lease, given, earlier.past)
    with ExitStack() as resources:
        return Execution(workspace, request, options, settings, lease, resources, check).run()


def resume_run(
    workspace: OpenWorkspace, run_id: str, options: RunOptions, *, accept_changed_input: bool
) -> RunResult:
    """Goes on with a failed run: same snapshot, same clock, same row ids; outputs that it finished
    are not written again, and those that are staged whole are not computed again. Where nothing is
    left to compute, what is staged is published, whatever became of the input. Else refused
    (RUN_008) where its input is not what it was: it is kept as it is and digested before the run is
    taken, and then read."""
    store = workspace.store
    store.seals.check_key()
    recover_dead_runs(workspace)
    record = store.runs.record(run_id)
    snapshot = snapshot_of(store, run_id, "has nothing to resume")
    request = request_again(workspace, snapshot, run_id)
    given = new_waivers(request, options.waive)
    settings = options.settings(request.settings)
    staged, lost = _whole_and_lost(workspace, record)
    is_computed = bool(staged) and _is_computed(request, record, staged)
    with ExitStack() as resources:
        options = options_for(request, options, resources)
        resolved, inputs = None, []
        if is_computed:
            resolved = resolved_outputs(request)
        elif record.run.status == "failed":
            keeping = keeping_for(request, settings, options, resources)
            resolved = resolve_run(request, None, keeping).with_fingerprints()
            inputs = input_records(resolved)
        changed = input_changes(snapshot["datasets"], inputs)
        if changed and not accept_changed_input:
            raise RowbookError.of("RUN_008", "; ".join(map(str, changed)))
        accepted = {"changed": [str(each) for each in changed], "datasets": inputs}
        lease = store.leases.resume(
            run_id,
            this_process(),
            at=at_present(),
            ttl=lease_time(),
            from_seq=_resumed_after(request, record, staged, is_computed=is_computed),
            accepted_input=accepted if changed else None,
            reopened=options.reopened,
            sight=from_this_machine(),
        )
        known, approval = None if changed else snapshot, record.approval
        earlier = EarlierJudgement.of(record)
        check = ExpectationCheck(workspace, request, lease, given, earlier.past, earlier.waivers)
        return Execution(
            workspace,
            request,
            options,
            settings,
            lease,
            resources,
            check,
            resolved,
            known,
            staged=() if changed else staged,
            lost=lost,
            is_computed=is_computed,
            is_approved=approval is not None and approval.verdict == "approved",
        ).run()


def publish_approved(
    workspace: OpenWorkspace,
    request: Request,
    staged: Sequence[StagedResult],
    lease: Lease,
    options: RunOptions,
) -> RunResult:
    """Goes on with a run that waited for approval, and got it: exactly these rows are published."""
    settings = options.settings(request.settings)
    earlier = EarlierJudgement.of(workspace.store.runs.record(request.context.run_id))
    check = ExpectationCheck(workspace, request, lease, (), earlier.past, earlier.waivers)
    with ExitStack() as resources:
        return Execution(
            workspace,
            request,
            options,
            settings,
            lease,
            resources,
            check,
            resolved_outputs(request),
            staged=staged,
            is_computed=True,
            is_approved=True,
        ).run()


def _whole_and_lost(
    workspace: OpenWorkspace, record: RunRecord
) -> tuple[tuple[StagedResult, ...], tuple[StagedResult, ...]]:
    """What a failed run staged: what can be published as it is, and what cannot any more."""
    if record.run.status != "failed":
        return (), ()
    outputs = recorded_outputs(workspace, record)
    damaged = damages(outputs)
    whole = tuple(each for each in outputs if each.seq not in damaged)
    return whole, tuple(each for each in outputs if each.seq in damaged)


def _is_computed(request: Request, record: RunRecord, staged: Sequence[StagedResult]) -> bool:
    """Whether all outputs are staged or published, and what each operation did and what became of
    expectations is recorded."""
    if request.plan.expectations and not record.expectations:
        return False
    steps = request.plan.steps
    outputs = {each.seq for each in request.plan.outputs}
    there = {*(each.seq for each in staged), *(each.seq for each in record.outputs)}
    return outputs <= there and {e.seq for e in steps} <= {e.seq for e in record.steps}


def _resumed_after(
    request: Request, record: RunRecord, staged: Sequence[StagedResult], *, is_computed: bool
) -> int:
    """The last operation that is not done again."""
    if is_computed:
        return max(each.seq for each in request.plan.steps)
    there = (*(each.seq for each in record.outputs), *(each.seq for each in staged))
    return max(there, default=0)


def repeat_run(workspace: OpenWorkspace, run_id: str, options: RunOptions) -> RunResult:
    recover_dead_runs(workspace)
    store = workspace.store
    record = store.runs.record(run_id)
    snapshot = snapshot_of(store, run_id, "has nothing to repeat")
    before = request_again(workspace, {**snapshot, "version": None}, run_id)
    context = replace(before.context, run_id=new_run_id(at_present()))
    earlier = EarlierJudgement.of(record)
    return start_run(workspace, replace(before, context=context), options, earlier)
