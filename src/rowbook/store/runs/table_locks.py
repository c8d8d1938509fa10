"""One writer of a table at a time, on whatever machines runs are at work.

A lock belongs to the lease of its run: the lease says who holds it, its heartbeat prolongs it, and
it ends with it at the latest. Nobody takes a lock from another: of a dead run first the lease is
taken and what it left is settled (`Leases.dead_runs`), so that it cannot publish any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rowbook.store.database.connections import StoreDatabase
from rowbook.store.database.tables import UNSETTLED, publish_intent, table_lock
from rowbook.store.runs.holders import BLIND, Sight
from rowbook.store.runs.lease_rows import check, is_live, key_of, lease_for
from rowbook.store.runs.run_records import Lease, Run
from rowbook.store.runs.run_rows import get_run


@dataclass(frozen=True, slots=True)
class TableWriter:
    """A run that writes to a table; `lease` is None where it is dead, and is to be settled."""

    run: Run
    lease: Lease | None

    def __str__(self) -> str:
        who = f"run {self.run.id} of project '{self.run.project_name}' for {self.run.period}"
        return f"{who} ({self.lease.holder})" if self.lease else who


class TableLocks:
    def __init__(self, database: StoreDatabase) -> None:
        self._database = database

    def take(
        self, held: Lease, key: str, *, at: datetime, sight: Sight = BLIND
    ) -> TableWriter | None:
        """Gives a run the lock of a table; else says who is in the way: a run that holds it, or one
        whose publication to the table is not settled."""
        with self._database.writing("a table's lock") as connection:
            check(connection, held)
            run_id = _writer(connection, held, key)
            if run_id is None:
                values = {"key": key, "run_id": held.run_id, "token": held.token, "taken_at": at}
                connection.execute(table_lock.insert().values(**values))
                return None
            run = get_run(connection, run_id)
            lease = lease_for(connection, *key_of(run))
            live = lease is not None and is_live(lease, self._database.clock(connection, at), sight)
            return TableWriter(run, lease if live else None)

    def release(self, held: Lease, key: str) -> None:
        t = table_lock.c
        with self._database.writing("a table's release") as connection:
            connection.execute(table_lock.delete().where(t.token == held.token, t.key == key))


def _writer(connection: Connection, held: Lease, key: str) -> str | None:
    holder: str | None = connection.scalar(
        sa.select(table_lock.c.run_id).where(table_lock.c.key == key)
    )
    if holder is not None:
        return holder
    i = publish_intent.c
    others = sa.select(i.run_id).where(UNSETTLED, i.staging == key, i.run_id != held.run_id)
    unsettled: str | None = connection.scalar(others.order_by(i.id).limit(1))
    return unsettled
