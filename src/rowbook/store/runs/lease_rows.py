"""Rows of leases, inside a transaction: taking, checking, removing.

There is one writer at a time, so that what is read here holds until the transaction ends.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from rowbook.store.database.tables import fence, lease, table_lock
from rowbook.store.errors import LeaseHeldError, LeaseLostError
from rowbook.store.runs.holders import Holder, Sight
from rowbook.store.runs.run_records import Lease, Run
from rowbook.store.runs.run_rows import get_run, interrupt
from rowbook.store.seals.sealer import Sealer


def lease_for(connection: Connection, project_id: str, period: str, draft: str) -> Lease | None:
    """The lease for a project and period, expired or not."""
    c = lease.c
    key = (c.project_id == project_id) & (c.period == period) & (c.draft == draft)
    row = connection.execute(sa.select(lease).where(key)).mappings().first()
    return read_lease(row) if row else None


def key_of(now: Run) -> tuple[str, str, str]:
    """What a run must hold: a draft is in nobody's way, and has a lease of its own."""
    return now.project_id, now.period, now.id if now.draft else ""


def is_live(held: Lease, at: datetime, sight: Sight) -> bool:
    """Whether a lease still counts. Where its process can be seen, that decides, whatever clocks
    say; else its last heartbeat, which is neither too old nor too far in the future: a clock that
    was set back must not keep a dead run alive."""
    alive = sight.is_alive(held.holder)
    return abs(silence(held, at, sight)) < held.ttl if alive is None else alive


def silence(held: Lease, at: datetime, sight: Sight) -> timedelta:
    """The time since the last heartbeat: by the clock since boot, if both are of one boot."""
    if held.uptime is not None and sight.uptime is not None and held.holder.boot == sight.boot:
        return timedelta(seconds=sight.uptime - held.uptime)
    return at - held.heartbeat_at


def take(
    connection: Connection,
    sealer: Sealer,
    now: Run,
    holder: Holder,
    at: datetime,
    ttl: timedelta,
    sight: Sight,
) -> Lease:
    """Gives a run its lease. From a dead run it is taken over, and that run is marked as failed."""
    before = lease_for(connection, *key_of(now))
    if before is not None:
        if is_live(before, at, sight):
            raise held_error(now.project_name, before, at, sight)
        why = f"the run was interrupted: {before.holder} ended or fell silent"
        dead = get_run(connection, before.run_id)
        interrupt(connection, sealer, dead, at, why, by=holder.user)
        remove(connection, before)
    connection.execute(fence.update().values(token=fence.c.token + 1))
    token = connection.scalar(sa.select(fence.c.token))
    made = Lease(*key_of(now), now.id, token or 0, holder, at, at, at + ttl, sight.uptime)
    connection.execute(lease.insert().values(**_values(made)))
    return made


def held_error(project: str, held: Lease, at: datetime, sight: Sight) -> LeaseHeldError:
    return LeaseHeldError(project, held, silent=silence(held, at, sight) >= held.ttl)


def check(connection: Connection, held: Lease) -> None:
    """Refuses a lease that was taken over or removed. Time does not matter to its holder: whoever
    concludes that a run is dead takes its lease before anything else."""
    now = lease_for(connection, held.project_id, held.period, held.draft)
    if now is None:
        raise LeaseLostError(held, "it was released")
    if now.token != held.token:
        raise LeaseLostError(held, f"run {now.run_id} has taken over ({now.holder})")


def prolong(connection: Connection, held: Lease) -> None:
    """Writes the times of a lease that has them by now."""
    times = {name: getattr(held, name) for name in ("heartbeat_at", "expires_at", "uptime")}
    connection.execute(lease.update().where(lease.c.token == held.token).values(**times))


def remove(connection: Connection, held: Lease) -> bool:
    """Gives a lease up, with the tables that it holds; False if it is no longer this one."""
    connection.execute(table_lock.delete().where(table_lock.c.token == held.token))
    done = connection.execute(lease.delete().where(lease.c.token == held.token))
    return done.rowcount == 1


_HOLDER = {
    "host": "host",
    "machine": "machine",
    "pid": "pid",
    "process_started": "started",
    "user_name": "user",
}
"""Columns of the holder, and what they are called there."""


def read_lease(row: RowMapping) -> Lease:
    values = dict(row)
    holder = Holder(**{name: values.pop(column) for column, name in _HOLDER.items()})
    return Lease(**values, holder=holder)


def _values(made: Lease) -> dict[str, Any]:
    values = {name: getattr(made, name) for name in Lease.__slots__ if name != "holder"}
    return values | {column: getattr(made.holder, name) for column, name in _HOLDER.items()}
