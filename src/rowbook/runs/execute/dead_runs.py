"""What dead runs left: publications settled, staged data removed, leases given back.

Every command that opens the store to work with runs begins with this, so that what it then says is
true.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict

from rowbook.errors import RowbookError
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present, lease_time
from rowbook.sources import registry
from rowbook.sources.registry import settle
from rowbook.sources.source import GoneError, Settlement, UnreachableError
from rowbook.store import Lease, LeaseHeldError, LeaseLostError, is_gone, this_process


def recover_dead_runs(workspace: OpenWorkspace) -> tuple[str, ...]:
    """Gives their ids."""
    store = workspace.store
    recovered = []
    for dead in store.leases.dead_runs(at=at_present(), is_gone=is_gone):
        try:
            lease = store.leases.recover(
                dead.id, this_process(), at=at_present(), ttl=lease_time(), is_gone=is_gone
            )
        except LeaseHeldError:
            continue  # somebody else is at it
        try:
            settle_publications(workspace, lease, waiting=True)
            remove_staged(workspace, dead.id)
            recovered.append(dead.id)
        except (LeaseLostError, OSError):
            continue  # what is not settled now, the next command tries again
        finally:
            store.leases.release(lease, at=at_present())
    remove_discarded(workspace)
    return tuple(recovered)


def settle_publications(workspace: OpenWorkspace, lease: Lease, *, waiting: bool = False) -> None:
    """Finishes or undoes what was announced for a project and period and not settled. A finished
    output of the lease's own run is recorded as such: it is not written again. A database that
    cannot be reached is an error (OUTPUT_006), a folder that is gone holds no output; but where
    there is time, both are waited for."""
    store = workspace.store
    for intent in store.journal.unsettled(lease):
        recorded = intent.details["target"]
        try:
            target = registry.target_from_json(recorded, workspace.boundary)
            found = settle(target, intent.run_id, intent.seq)
        except UnreachableError as cause:
            if waiting:
                continue
            if not isinstance(cause, GoneError):
                what = f"{recorded['shown']}, which an earlier run wrote to"
                message = f"{what}, cannot be reached: {cause}"
                raise RowbookError.of("OUTPUT_006", message) from cause
            found = Settlement(False)
        output = intent.details["output"]
        if found.written is not None:
            output = {**output, **asdict(found.written)}
        with store.writing_as(lease, at=at_present()) as writes:
            writes.settle(intent.id, "done" if found.published else "undone")
            if found.published and intent.run_id == lease.run_id:
                writes.record_output(intent.seq, output)


def remove_staged(workspace: OpenWorkspace, run_id: str) -> None:
    """Removes what a run that has ended left beside its destinations: what it had begun to stage,
    and what tasks of Spark wrote before they noticed its end."""
    snapshot = workspace.store.runs.snapshot(run_id)
    for write in snapshot["writes"] if snapshot else ():
        with suppress(UnreachableError):
            target = registry.target_from_json(write["target"], workspace.boundary)
            settle(target, run_id, write["seq"])


def remove_discarded(workspace: OpenWorkspace) -> None:
    leftovers = workspace.store.leftovers
    for run_id in leftovers.discards():
        remove_staged(workspace, run_id)
        leftovers.discarded(run_id)
