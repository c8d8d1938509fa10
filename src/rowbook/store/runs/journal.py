"""The publishing journal: what was announced, and what became of it."""

from __future__ import annotations

import sqlalchemy as sa

from rowbook.store.database.connections import StoreDatabase
from rowbook.store.database.tables import UNSETTLED, publish_intent, run
from rowbook.store.runs.run_records import Intent, Lease


class Journal:
    """The journal in a store. Entries are made and settled through `RunWrites`."""

    def __init__(self, database: StoreDatabase) -> None:
        self._database = database

    def unsettled(self, lease: Lease) -> tuple[Intent, ...]:
        """Publications that runs of the lease's project and period announced and did not settle,
        oldest first. Whoever got a lease finishes or undoes them before anything else; a table may
        be concerned more than once."""
        statement = (
            sa.select(publish_intent)
            .join(run, run.c.id == publish_intent.c.run_id)
            .where(
                UNSETTLED,
                run.c.project_id == lease.project_id,
                run.c.period == lease.period,
                (run.c.id == lease.draft) if lease.draft else ~run.c.draft,
            )
            .order_by(publish_intent.c.id)
        )
        with self._database.reading() as connection:
            return tuple(Intent(**row) for row in connection.execute(statement).mappings())


def has_unsettled(run_id: str | sa.Column[str]) -> sa.Exists:
    """A condition: the run announced a publication that is neither done nor undone."""
    return sa.exists().where(UNSETTLED, publish_intent.c.run_id == run_id)
