"""What dead runs left: publications settled, staged data removed, leases given back.

Every command that opens the store to work with runs begins with this, so that what it then says is
true. What the store names is looked at inside the workspace's boundary alone: a store may have been
made anywhere and by anybody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from rowbook.errors import RowbookError
from rowbook.locations.removal import kept_input_folder, remove_inside
from rowbook.private_files import STATE
from rowbook.runs.execute.staged.roll_forward import OpenSession, complete_published, roll_forward
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.clock import check_run_id
from rowbook.runs.prepare.lease_clock import at_present, lease_time
from rowbook.sources import registry
from rowbook.sources.registry import settle
from rowbook.sources.source import Settlement, Target
from rowbook.sources.source_errors import GoneError, UnreachableError
from rowbook.store import (
    Lease,
    LeaseHeldError,
    LeaseLostError,
    Run,
    Sight,
    Store,
    from_this_machine,
    this_process,
)


def recover_dead_runs(
    workspace: OpenWorkspace, *, reading: bool = False, spark: OpenSession | None = None
) -> tuple[str, ...]:
    """Gives their ids. A command that is only `reading` does it for its own user: in a store that
    is theirs, and on a server, where nobody can see that, for runs of theirs on this machine. What
    was decided and can only be published by Spark waits for who has it; and so does all where seals
    are signed, and whoever reads has no key."""
    store = workspace.store
    if reading and not _can_seal(store):
        return ()
    recovered = []
    sight = from_this_machine()
    for dead in _dead_runs(workspace, sight, reading=reading):
        try:
            lease = store.leases.recover(
                dead.id, this_process(), at=at_present(), ttl=lease_time(), sight=sight
            )
        except LeaseHeldError:
            continue  # somebody else is at it
        try:
            left = settle_publications(workspace, lease, waiting=True, spark=spark)
            left += remove_unrecorded(workspace, dead.id)
            _warn(workspace, lease, left)
            complete_published(workspace, lease)
            recovered.append(dead.id)
        except (LeaseLostError, OSError):
            continue  # what is not settled now, the next command tries again
        finally:
            store.leases.release(lease, at=at_present())
    if not reading or store.owner == "user":
        remove_discarded(workspace)
    return tuple(recovered)


def _can_seal(store: Store) -> bool:
    try:
        store.seals.check_key()
    except RowbookError:
        return False
    return True


def settle_publications(
    workspace: OpenWorkspace,
    lease: Lease,
    *,
    waiting: bool = False,
    spark: OpenSession | None = None,
) -> tuple[str, ...]:
    """Goes on with what was decided for a project and period: outputs that are staged are published
    now. What was announced as it was written is finished or undone. A finished
    output of the lease's own run is recorded as such: it is not written again. A database that
    cannot be reached is an error (OUTPUT_006), a folder that is gone holds no output; but where
    there is time, both are waited for.

    An output outside the boundary is an error (DATASOURCE_004) where the lease's own run is to go
    on. That of another run, or one that can wait, is left as it is: this gives what was left."""
    store, left = workspace.store, list(roll_forward(workspace, lease, waiting, spark))
    for intent in store.journal.unsettled(lease):
        if intent.seq in _staged_seqs(workspace, intent.run_id):
            continue  # it waits for its place to be reached
        try:
            target = _target(workspace, intent.details, intent.run_id)
        except RowbookError as refusal:
            if intent.run_id == lease.run_id and not waiting:
                raise
            left.append(_left(intent.run_id, intent.seq, refusal))
            continue
        try:
            found = settle(target, intent.run_id, intent.seq)
        except UnreachableError as cause:
            if waiting:
                continue
            if not isinstance(cause, GoneError):
                what = f"{target.label}, which an earlier run wrote to"
                message = f"{what}, cannot be reached: {cause}"
                raise RowbookError.of("OUTPUT_006", message) from cause
            found = Settlement(False)
        output = intent.details["output"]
        if found.written is not None:
            output = {**output, **found.written.counts}
        with store.writing_as(lease, at=at_present()) as writes:
            writes.settle(intent.id, "done" if found.published else "undone")
            if found.published and intent.run_id == lease.run_id:
                writes.record_output(intent.seq, output)
    return tuple(left)


def remove_unrecorded(workspace: OpenWorkspace, run_id: str) -> tuple[str, ...]:
    """As `remove_staged`, of a run that can be resumed: what is recorded as staged stays."""
    return remove_staged(workspace, run_id, keep=_staged_seqs(workspace, run_id))


def _staged_seqs(workspace: OpenWorkspace, run_id: str) -> frozenset[int]:
    record = workspace.store.runs.record(run_id)
    return frozenset(each.seq for each in record.unpublished)


def remove_staged(
    workspace: OpenWorkspace, run_id: str, keep: Collection[int] = ()
) -> tuple[str, ...]:
    """Removes what a run that has ended left beside its destinations: what it had begun to stage,
    and what tasks of Spark wrote before they noticed its end. Gives what is left because it is
    outside the boundary."""
    remove_kept_input(workspace, run_id)
    snapshot, left = workspace.store.runs.snapshot(run_id), []
    for write in snapshot["writes"] if snapshot else ():
        if write["seq"] in keep:
            continue
        try:
            target = _target(workspace, write, run_id)
        except RowbookError as refusal:
            left.append(_left(run_id, write["seq"], refusal))
            continue
        with suppress(UnreachableError):
            settle(target, run_id, write["seq"])
    return tuple(left)


def remove_kept_input(workspace: OpenWorkspace, run_id: str) -> None:
    with suppress(OSError):
        remove_inside(kept_input_folder(workspace.root, run_id), workspace.root / STATE)


def remove_discarded(workspace: OpenWorkspace) -> None:
    leftovers = workspace.store.leftovers
    for run_id in leftovers.discards():
        remove_staged(workspace, run_id)
        leftovers.discarded(run_id)


def _dead_runs(workspace: OpenWorkspace, sight: Sight, *, reading: bool) -> Iterator[Run]:
    store = workspace.store
    if not reading or store.owner == "user":
        return iter(store.leases.dead_runs(at=at_present(), sight=sight))
    if store.owner == "another":
        return iter(())
    return iter(store.leases.dead_runs(at=at_present(), sight=sight, of=this_process()))


def _target(workspace: OpenWorkspace, recorded: Mapping[str, Any], run_id: str) -> Target:
    """DATASOURCE_004 where it is outside the boundary, STORE_002 where it is none of Rowbook's."""
    check_run_id(run_id)
    try:
        return registry.target_from_json(recorded["target"], workspace.boundary)
    except (LookupError, TypeError, ValueError, AttributeError) as cause:
        message = f"the store does not say where run {run_id} wrote to"
        raise RowbookError.of("STORE_002", message) from cause


def _left(run_id: str, seq: int, refusal: RowbookError) -> str:
    why = refusal.diagnostics[0].message
    return f"output {seq} of run {run_id}: {why}; nothing was removed there"


def _warn(workspace: OpenWorkspace, lease: Lease, left: Iterable[str]) -> None:
    """Each once, however often the run is looked at."""
    store = workspace.store
    before = [each.warning["message"] for each in store.runs.record(lease.run_id).warnings]
    for message in dict.fromkeys(left):
        if message not in before:
            with store.writing_as(lease, at=at_present()) as writes:
                writes.warn({"message": message})
