"""One run at a time for a project and period: leases with heartbeat and fencing token.

A lease is got together with the run it is for (`begin`, `resume`, `recover`), and ends
with it. `sight` is what can be seen of other processes (`holders.from_this_machine`): one that is
seen is alive or gone, whatever any clock says. Of the others the store's own clock decides, which a
server has for all machines: `at` is asked only where there is none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import sqlalchemy as sa

from rowbook.errors import Diagnostic, RowbookError
from rowbook.store.database.connections import StoreDatabase
from rowbook.store.database.json_documents import JsonObject
from rowbook.store.database.tables import (
    UNFINISHED,
    UNSETTLED,
    publish_intent,
    run,
    run_resumption,
    run_step,
)
from rowbook.store.database.tables import lease as lease_row
from rowbook.store.period_states import check_writable
from rowbook.store.runs.holders import BLIND, Holder, Sight
from rowbook.store.runs.lease_rows import (
    check,
    held_error,
    is_live,
    key_of,
    lease_for,
    prolong,
    remove,
    take,
)
from rowbook.store.runs.run_records import Lease, NewRun, Run
from rowbook.store.runs.run_rows import (
    RUNS,
    add_run,
    check_waiting,
    get_run,
    interrupt,
    move_run,
    read_run,
    record_verdict,
    refused,
)
from rowbook.store.seals.canonical_records import run_subject
from rowbook.store.seals.seal import SealKind
from rowbook.store.seals.sealer import Sealer


@dataclass(frozen=True, slots=True)
class Beat:
    """What a heartbeat brings: the lease, prolonged, and whether the run shall end."""

    lease: Lease
    cancel_requested: bool


class Leases:
    def __init__(self, database: StoreDatabase, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer

    def begin(
        self,
        new: NewRun,
        holder: Holder,
        *,
        at: datetime,
        ttl: timedelta,
        reopened: str | None = None,
        sight: Sight = BLIND,
    ) -> Lease:
        """Records a run, queued, and takes its lease; when refused (LeaseHeldError, PERIOD_007,
        PERIOD_008) nothing is left. `RunWrites.start` sets it running."""
        with self._database.writing("a run and its lease") as connection:
            add_run(connection, new, at, reopened)
            now = get_run(connection, new.id)
            if _check_period(connection, now, reopened):
                self._seal(connection, "period reopened", new.id, holder, at)
            moment = self._database.clock(connection, at)
            return take(connection, self._sealer, now, holder, moment, ttl, sight)

    def refusals(
        self, new: NewRun, *, at: datetime, reopened: str | None = None, sight: Sight = BLIND
    ) -> tuple[Diagnostic, ...]:
        """All that `begin` would refuse a run for; nothing is recorded."""
        if new.draft:
            return ()
        found: list[Diagnostic] = []
        with self._database.reading() as connection:
            try:
                check_writable(connection, new.calendar_id, new.writes_into, reopened)
            except RowbookError as error:
                found += error.diagnostics
            held = lease_for(connection, new.project_id, new.period, "")
            moment = self._database.clock(connection, at)
            if held is not None and is_live(held, moment, sight):
                found += held_error(new.project_name, held, moment, sight).diagnostics
        return tuple(found)

    def resume(
        self,
        run_id: str,
        holder: Holder,
        *,
        at: datetime,
        ttl: timedelta,
        from_seq: int,
        accepted_input: JsonObject | None = None,
        reopened: str | None = None,
        sight: Sight = BLIND,
    ) -> Lease:
        """Sets a failed run running again after operation `from_seq` (0: from its beginning), with
        a new lease. Ledger entries after it are dropped, as those operations run again; why the run
        had failed is kept with the resumption. Refused (RUN_005) when it has not failed, or its
        staged data is gone."""
        with self._database.writing("a resumption") as connection:
            moment = self._database.clock(connection, at)
            now = get_run(connection, run_id)
            made = take(connection, self._sealer, now, holder, moment, ttl, sight)
            now = get_run(connection, run_id)
            if now.status != "failed":
                raise refused(now, "cannot be resumed")
            if now.staging != "kept":
                raise refused(now, "cannot be resumed, as its staged data was removed")
            reason = reopened or now.reopened
            _check_period(connection, now, reason)
            move_run(
                connection,
                now,
                "running",
                finished_at=None,
                failure=None,
                timings=None,
                reopened=reason,
                cancel_requested_at=None,
                cancel_requested_by=None,
            )
            later = (run_step.c.run_id == run_id) & (run_step.c.seq > from_seq)
            connection.execute(run_step.delete().where(later))
            r = run_resumption
            count = sa.select(sa.func.count()).where(r.c.run_id == run_id)
            connection.execute(
                r.insert().values(
                    run_id=run_id,
                    number=(connection.scalar(count) or 0) + 1,
                    resumed_at=at,
                    resumed_by=holder.user,
                    from_seq=from_seq,
                    accepted_input=accepted_input,
                    failure=now.failure,
                )
            )
            self._seal(connection, "run resumed", run_id, holder, at)
            return made

    def approve(
        self,
        run_id: str,
        holder: Holder,
        *,
        comment: str | None,
        at: datetime,
        ttl: timedelta,
        reopened: str | None = None,
        sight: Sight = BLIND,
    ) -> Lease:
        """Sets a run that waits for approval running again, to publish what it staged, with a new
        lease. Refused (APPROVAL_001) where it does not wait."""
        with self._database.writing("an approval") as connection:
            moment = self._database.clock(connection, at)
            now = get_run(connection, run_id)
            check_waiting(now)
            _check_period(connection, now, reopened or now.reopened)
            made = take(connection, self._sealer, now, holder, moment, ttl, sight)
            record_verdict(connection, run_id, "approved", by=holder.user, comment=comment, at=at)
            move_run(connection, now, "running", timings=None, reopened=reopened or now.reopened)
            self._seal(connection, "run approved", run_id, holder, at)
            return made

    def recover(
        self,
        run_id: str,
        holder: Holder,
        *,
        at: datetime,
        ttl: timedelta,
        sight: Sight = BLIND,
    ) -> Lease:
        """Takes the lease of a dead run, to settle what it left (`Journal.unsettled`); a run that
        had not ended is marked as failed. Give it back with `release`."""
        with self._database.writing("a recovery") as connection:
            moment = self._database.clock(connection, at)
            now = get_run(connection, run_id)
            made = take(connection, self._sealer, now, holder, moment, ttl, sight)
            now, why = get_run(connection, run_id), "the run was interrupted"
            interrupt(connection, self._sealer, now, at, why, by=holder.user)
            return made

    def heartbeat(self, held: Lease, *, at: datetime, ttl: timedelta, sight: Sight = BLIND) -> Beat:
        """Prolongs a lease, also one that expired and nobody took. One that was lost stays lost
        (LeaseLostError)."""
        with self._database.writing("a heartbeat") as connection:
            check(connection, held)
            moment = self._database.clock(connection, at)
            held = replace(held, heartbeat_at=moment, expires_at=moment + ttl, uptime=sight.uptime)
            prolong(connection, held)
            asked = get_run(connection, held.run_id).cancel_requested is not None
            return Beat(held, asked)

    def release(self, held: Lease, *, at: datetime) -> bool:
        """Gives a lease back; a run that has not ended is marked as failed. False, and nothing
        happens, if it was lost before: fit for `finally`."""
        with self._database.writing("a release") as connection:
            if not remove(connection, held):
                return False
            now = get_run(connection, held.run_id)
            why = f"the run was given up by {held.holder}"
            interrupt(connection, self._sealer, now, at, why, by=held.holder.user)
            return True

    def dead_runs(
        self, *, at: datetime, sight: Sight = BLIND, of: Holder | None = None
    ) -> tuple[Run, ...]:
        """Runs that need `recover`: not ended, or with publications that are not settled, or
        whose recovery was not ended, and nobody alive who holds their lease. What a live run of the
        same project and period finds, it settles itself. `of`: only those whose lease a process of
        the same user on the same machine held."""
        unsettled = sa.select(publish_intent.c.run_id).where(UNSETTLED)
        statement = sa.union(
            sa.select(run.c.id).where(UNFINISHED), unsettled, sa.select(lease_row.c.run_id)
        )
        with self._database.reading() as connection:
            ids = list(connection.scalars(statement))
            rows = connection.execute(RUNS.where(run.c.id.in_(ids)).order_by(run.c.id))
            runs = [read_run(row) for row in rows.mappings()]
            held = [(each, lease_for(connection, *key_of(each))) for each in runs]
            moment = self._database.clock(connection, at)
        if of is not None:
            held = [
                (each, lease)
                for each, lease in held
                if lease and lease.run_id == each.id and of.is_same_user(lease.holder)
            ]
        return tuple(r for r, lease in held if not (lease and is_live(lease, moment, sight)))

    def _seal(
        self, connection: sa.Connection, kind: SealKind, run_id: str, holder: Holder, at: datetime
    ) -> None:
        self._sealer.seal(connection, kind, run_subject(run_id), at=at, by=holder.user)


def _check_period(connection: sa.Connection, now: Run, reopened: str | None) -> bool:
    """Whether the run writes into a closed period, for the reason that it has."""
    if now.draft:
        return False
    return check_writable(connection, now.calendar_id, now.writes_into, reopened)
