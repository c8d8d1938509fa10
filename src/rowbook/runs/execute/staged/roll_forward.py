"""Runs that died after they had decided to publish: what they staged is published by whoever comes
next, and a run that is published as a whole is completed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from rowbook.errors import RowbookError
from rowbook.runs.evidence.kept_input import keeps_evidence
from rowbook.runs.execute.publication import Publications
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.execute.run_ledger import recorded_ledger
from rowbook.runs.execute.staged.staged_outputs import NOT_OURS, StagedResult, recorded_outputs
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.resolve import resolved_outputs
from rowbook.runs.prepare.run_snapshot import request_again
from rowbook.sources import registry
from rowbook.sources.source import Publishing, StagedOutput
from rowbook.sources.source_errors import GoneError, NeedsSparkError, UnreachableError
from rowbook.store import Intent, Lease

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OpenSession: TypeAlias = "Callable[[], SparkSession]"


def roll_forward(
    workspace: OpenWorkspace, lease: Lease, waiting: bool, spark: OpenSession | None
) -> Iterator[str]:
    """Publishes what runs of a project and period decided and did not come to; gives what could not
    be: it is taken back, and resuming the run decides it again. Where a place cannot be reached and
    there is time, it is waited for."""
    intents: dict[str, list[Intent]] = {}
    for intent in workspace.store.journal.unsettled(lease):
        intents.setdefault(intent.run_id, []).append(intent)
    for run_id, announced in intents.items():
        decided = {each.seq: each for each in announced}
        try:
            record = workspace.store.runs.record(run_id)
            outputs = [e for e in recorded_outputs(workspace, record) if e.seq in decided]
        except RowbookError as refusal:
            if run_id == lease.run_id and not waiting:
                raise
            yield f"outputs of run {run_id}: {refusal.diagnostics[0].message}"
            continue
        by_seq = {each.seq: each for each in outputs}
        for step in registry.publication_steps([each.staged for each in outputs]):
            concerned = [(decided[each.seq], by_seq[each.seq]) for each in step]
            said = _publish(workspace, lease, step, concerned, waiting, spark)
            if said is not None:
                yield f"run {run_id} was decided, but {said}"


def _publish(
    workspace: OpenWorkspace,
    lease: Lease,
    step: Sequence[StagedOutput],
    concerned: Sequence[tuple[Intent, StagedResult]],
    waiting: bool,
    spark: OpenSession | None,
) -> str | None:
    """Other runs are kept out of the tables by the intents."""
    said, results = None, list[OutputResult]()
    try:
        keeps = keeps_evidence(workspace.settings)
        publishing = Publishing(has_turn=True, spark=spark, keeps_replaced=keeps)
        written = registry.publish(step, publishing)
        results = [each.published(w) for (_, each), w in zip(concerned, written, strict=True)]
    except UnreachableError as cause:
        if waiting or isinstance(cause, NeedsSparkError):
            return None
        if not isinstance(cause, GoneError):
            message = f"{step[0].target.label} cannot be reached: {cause}"
            raise RowbookError.of("OUTPUT_006", message) from cause
        said = str(cause)
    except RowbookError as refusal:
        said = refusal.diagnostics[0].message
    except NOT_OURS:
        said = f"the store does not say what was staged for {step[0].target.label}"
    with workspace.store.writing_as(lease, at=at_present()) as writes:
        for intent, _ in concerned:
            writes.settle(intent.id, "undone" if said else "done")
            if said is None and intent.run_id == lease.run_id:
                result = next(each for each in results if each.seq == intent.seq)
                writes.record_output(intent.seq, result.as_json())
    return said


def complete_published(workspace: OpenWorkspace, lease: Lease) -> None:
    """Registers the outputs of a run that was found to be published as a whole, and completes it:
    its ledger was recorded before it decided. One of which anything is missing stays failed."""
    store, run_id = workspace.store, lease.run_id
    record, snapshot = store.runs.record(run_id), store.runs.snapshot(run_id)
    if record.run.status != "failed" or snapshot is None or not record.staged:
        return
    try:
        request = request_again(workspace, snapshot, run_id)
        steps = request.plan.steps
        outputs = {each.seq for each in request.plan.outputs}
        published = {each.seq: each.output for each in record.outputs}
        if outputs - published.keys() or {e.seq for e in steps} - {e.seq for e in record.steps}:
            return
        publications = Publications(workspace, lease, request, [])
        registered = [
            publications.register(each, OutputResult.from_json(published[each.step.seq]))
            for each in resolved_outputs(request).outputs
        ]
    except (RowbookError, *NOT_OURS):
        return
    with store.writing_as(lease, at=at_present()) as writes:
        for entry in recorded_ledger(record.steps, registered):
            writes.record_step(entry.seq, entry.as_json())
        writes.complete(record.run.timings or {})
