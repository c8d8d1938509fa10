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
"""

from rowbook.store.database.address import DEFAULT_URL as DEFAULT_URL
from rowbook.store.database.address import StoreAddress as StoreAddress
from rowbook.store.database.address import store_address as store_address
from rowbook.store.database.json_documents import JsonObject as JsonObject
from rowbook.store.database.json_documents import content_hash as content_hash
from rowbook.store.definition_versions import Definition as Definition
from rowbook.store.definition_versions import DefinitionVersion as DefinitionVersion
from rowbook.store.definition_versions import Kind as Kind
from rowbook.store.definition_versions import Production as Production
from rowbook.store.errors import LeaseHeldError as LeaseHeldError
from rowbook.store.errors import LeaseLostError as LeaseLostError
from rowbook.store.open_store import find_store as find_store
from rowbook.store.open_store import open_store as open_store
from rowbook.store.period_states import PeriodState as PeriodState
from rowbook.store.period_states import PeriodStatus as PeriodStatus
from rowbook.store.project_records import Activation as Activation
from rowbook.store.project_records import Conflict as Conflict
from rowbook.store.project_records import Project as Project
from rowbook.store.project_records import ProjectChange as ProjectChange
from rowbook.store.project_records import ProjectStatus as ProjectStatus
from rowbook.store.project_records import ProjectVersion as ProjectVersion
from rowbook.store.runs.holders import Holder as Holder
from rowbook.store.runs.holders import Sight as Sight
from rowbook.store.runs.holders import from_this_machine as from_this_machine
from rowbook.store.runs.holders import is_alive as is_alive
from rowbook.store.runs.holders import this_process as this_process
from rowbook.store.runs.run_records import CancelRequest as CancelRequest
from rowbook.store.runs.run_records import Intent as Intent
from rowbook.store.runs.run_records import Lease as Lease
from rowbook.store.runs.run_records import NewRun as NewRun
from rowbook.store.runs.run_records import Outcome as Outcome
from rowbook.store.runs.run_records import Resumption as Resumption
from rowbook.store.runs.run_records import Run as Run
from rowbook.store.runs.run_records import RunRecord as RunRecord
from rowbook.store.runs.run_records import RunStatus as RunStatus
from rowbook.store.runs.table_locks import TableWriter as TableWriter
from rowbook.store.store import Store as Store
