"""The metadata store: versions of definitions, projects, periods, runs and leases.

`open_store` gives a `Store`. Its parts take and return frozen values, each of their methods is one
transaction, and every time is handed in. The life of a run, as the store sees it:

    lease = store.leases.begin(new_run, this_process(), at=now(), ttl=ttl, is_gone=is_gone)
    for intent in store.journal.unsettled(lease): ...        # finish or undo, then settle
    with store.writing_as(lease, at=now()) as writes:
        writes.start(snapshot)
    store.leases.heartbeat(lease, at=now(), ttl=ttl)         # from a thread, until the end
    with store.writing_as(lease, at=now()) as writes:
        intent = writes.intend(seq, destination, staging, details)
    ...                                                      # the files are exchanged
    with store.writing_as(lease, at=now()) as writes:
        writes.settle(intent, "done")
        writes.record_output(seq, output)
    with store.writing_as(lease, at=now()) as writes:
        writes.complete(timings)                             # the lease ends with it
    for run_id in store.leftovers.discards(): ...            # remove, then `discarded`

Opening a workspace does the same for dead runs: `leases.dead_runs`, `leases.recover`, settle,
`leases.release`, and removes what `leftovers.discards` lists.
"""

from rowbook.store.database.address import DEFAULT_URL, StoreAddress, store_address
from rowbook.store.database.json_documents import JsonObject, content_hash
from rowbook.store.definition_versions import (
    Definition,
    DefinitionVersion,
    Kind,
    Production,
    Recorded,
)
from rowbook.store.errors import LeaseHeldError, LeaseLostError
from rowbook.store.open_store import find_store, open_store
from rowbook.store.period_states import PeriodState, PeriodStatus
from rowbook.store.project_records import (
    Activated,
    Activation,
    Conflict,
    Project,
    ProjectChange,
    ProjectStatus,
    ProjectVersion,
)
from rowbook.store.runs.holders import Holder, is_gone, this_process
from rowbook.store.runs.leases import Beat
from rowbook.store.runs.run_records import (
    CancelRequest,
    FinalStatus,
    Intent,
    Lease,
    NewRun,
    Outcome,
    OutputRecord,
    Resumption,
    Run,
    RunRecord,
    RunStatus,
    StepRecord,
    WarningRecord,
)
from rowbook.store.runs.run_writes import RunWrites
from rowbook.store.store import Store

__all__ = [
    "DEFAULT_URL",
    "Activated",
    "Activation",
    "Beat",
    "CancelRequest",
    "Conflict",
    "Definition",
    "DefinitionVersion",
    "FinalStatus",
    "Holder",
    "Intent",
    "JsonObject",
    "Kind",
    "Lease",
    "LeaseHeldError",
    "LeaseLostError",
    "NewRun",
    "Outcome",
    "OutputRecord",
    "PeriodState",
    "PeriodStatus",
    "Production",
    "Project",
    "ProjectChange",
    "ProjectStatus",
    "ProjectVersion",
    "Recorded",
    "Resumption",
    "Run",
    "RunRecord",
    "RunStatus",
    "RunWrites",
    "StepRecord",
    "Store",
    "StoreAddress",
    "WarningRecord",
    "content_hash",
    "find_store",
    "is_gone",
    "open_store",
    "store_address",
    "this_process",
]
