"""What dead runs left: publications settled, staged data removed, leases given back.

Every command that opens the store to work with runs begins with this, so that what it then says is
true.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from rowbook.catalog import (
    Lease,
    LeaseHeldError,
    LeaseLostError,
    Store,
    is_gone,
    this_process,
)
from rowbook.runs.times import at_present, lease_time
from rowbook.sources.publish import settle_publication


def recover_dead_runs(store: Store, root: Path) -> tuple[str, ...]:
    """Settles what dead runs left; gives their ids."""
    recovered = []
    for dead in store.leases.dead_runs(at=at_present(), is_gone=is_gone):
        try:
            lease = store.leases.recover(
                dead.id, this_process(), at=at_present(), ttl=lease_time(), is_gone=is_gone
            )
        except LeaseHeldError:
            continue  # somebody else is at it
        try:
            settle_publications(store, lease, reachable=True)
            remove_staged(store, dead.id)
            recovered.append(dead.id)
        except (LeaseLostError, OSError):
            continue  # what is not settled now, the next command tries again
        finally:
            store.leases.release(lease, at=at_present())
    remove_discarded(store, root)
    return tuple(recovered)


def settle_publications(store: Store, lease: Lease, *, reachable: bool = False) -> None:
    """Finishes or undoes what was announced for a project and period and not settled. A finished
    output of the lease's own run is recorded as such: it is not written again. With `reachable`,
    tables whose folder is not there wait: it may be a disk that will be back."""
    for intent in store.journal.unsettled(lease):
        table, single_file = Path(intent.details["path"]), intent.details.get("single_file")
        if reachable and not table.parent.is_dir():
            continue
        published = settle_publication(table, intent.run_id, intent.seq)
        if published and single_file is not None:
            Path(single_file).unlink(missing_ok=True)
        with store.writing_as(lease, at=at_present()) as writes:
            writes.settle(intent.id, "done" if published else "undone")
            if published and intent.run_id == lease.run_id:
                writes.record_output(intent.seq, intent.details["output"])


def remove_staged(store: Store, run_id: str) -> None:
    """Removes what a run that has ended left beside its destinations: what it had begun to stage,
    and what tasks of Spark wrote before they noticed its end."""
    snapshot = store.runs.snapshot(run_id)
    for write in snapshot["writes"] if snapshot else ():
        table = Path(write["path"])
        if table.parent.is_dir():
            settle_publication(table, run_id, write["seq"])


def remove_discarded(store: Store, root: Path) -> None:
    """Removes staged data that nobody will use again."""
    for discard in store.leftovers.discards():
        for place in discard.places:
            shutil.rmtree(root / place, ignore_errors=True)
        remove_staged(store, discard.run_id)
        store.leftovers.discarded(discard.run_id)
