"""The metadata store: versions of definitions, projects, periods, runs and leases.

`open_store` gives a `Store`. Its parts take and return frozen values, each of their methods is one
transaction, and every time is handed in. The life of a run, as the store sees it:

    lease = store.leases.begin(new_run, this_process(), at=now(), ttl=ttl, sight=sight)
    for intent in store.journal.unsettled(lease): ...        # finish or undo, then settle
    with store.writing_as(lease, at=now()) as writes:
        writes.start(snapshot)
    store.leases.heartbeat(lease, at=now(), ttl=ttl, sight=sight)  # from a thread, until the end
    writer = store.table_locks.take(lease, staging, at=now())  # who is in the way; None: nobody
    with store.writing_as(lease, at=now()) as writes:
        intent = writes.intend(seq, destination, staging, details)
    ...                                                      # the files are exchanged
    store.table_locks.release(lease, staging)
    with store.writing_as(lease, at=now()) as writes:
        writes.settle(intent, "done")
        writes.record_output(seq, output)
    with store.writing_as(lease, at=now()) as writes:
        writes.complete(timings)                             # the lease ends with it
    for run_id in store.leftovers.discards(): ...            # remove, then `discarded`

Opening a workspace does the same for dead runs: `leases.dead_runs`, `leases.recover`, settle,
`leases.release`, and removes what `leftovers.discards` lists.

Names are imported when they are asked for; `active_versions` does without the library. No name is
that of a module here, which would hide it.
"""

TYPE_CHECKING = False  # as type checkers take it for true

if TYPE_CHECKING:
    from rowbook.store.exports import *  # noqa: F403
else:

    def __getattr__(name):
        if name.startswith("_"):
            raise AttributeError(f"module 'rowbook.store' has no attribute '{name}'")
        from importlib import import_module

        return getattr(import_module("rowbook.store.exports"), name)
