"""What runs leave on disk, and when it may go.

The store decides first and files follow: staged data is marked before it is removed, and a run so
marked cannot be resumed. A crash in between leaves a mark, and the next clean-up goes on from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import sqlalchemy as sa

from rowbook.store.database.connections import StoreDatabase
from rowbook.store.database.json_documents import JsonObject
from rowbook.store.database.tables import STAGED, lease, run, run_resumption
from rowbook.store.runs.journal import has_unsettled
from rowbook.store.runs.run_records import FINAL
from rowbook.store.runs.run_rows import get_run, refused, update_run


class Leftovers:
    def __init__(self, database: StoreDatabase) -> None:
        self._database = database

    def discards(self) -> tuple[str, ...]:
        """Ids of the runs whose staged data is to be removed now: those that completed or were
        cancelled, failed ones that a newer run made obsolete, and those that `expire` marked."""
        statement = sa.select(run.c.id).where(STAGED, run.c.staging == "discarding")
        with self._database.reading() as connection:
            return tuple(connection.scalars(statement.order_by(run.c.id)))

    def expire(self, *, before: datetime) -> None:
        """Gives up resuming runs that failed before a time: `discards` then lists them. A run that
        is being recovered, or is to be, is left alone."""
        busy = sa.select(lease.c.run_id).where(lease.c.run_id == run.c.id)
        statement = run.update().where(
            STAGED,
            run.c.staging == "kept",
            run.c.status == "failed",
            run.c.finished_at < before,
            ~busy.exists(),
            ~has_unsettled(run.c.id),
        )
        with self._database.writing("expired staging") as connection:
            connection.execute(statement.values(staging="discarding"))

    def discarded(self, run_id: str) -> None:
        with self._database.writing("removed staging") as connection:
            now = get_run(connection, run_id)
            if now.staging == "kept":
                raise refused(now, "keeps its staged data")
            update_run(connection, run_id, staging="removed")

    def sandboxes(self, *, before: datetime) -> tuple[str, ...]:
        """Ids of the drafts that ended before a time and whose sandbox is still there."""
        statement = (
            sa.select(run.c.id)
            .where(
                run.c.draft,
                run.c.status.in_(FINAL),
                run.c.finished_at < before,
                run.c.sandbox_removed_at.is_(None),
            )
            .order_by(run.c.id)
        )
        with self._database.reading() as connection:
            return tuple(connection.scalars(statement))

    def snapshots(self, *, before: datetime) -> Iterator[JsonObject]:
        """Of all runs but drafts that ended before a time; and input that a resumed one accepted,
        which has datasets as a snapshot has."""
        is_old = run.c.draft & run.c.status.in_(FINAL) & (run.c.finished_at < before)
        known = sa.select(run.c.snapshot).where(run.c.snapshot.is_not(None), ~is_old)
        accepted = (
            sa.select(run_resumption.c.accepted_input)
            .join(run, run.c.id == run_resumption.c.run_id)
            .where(run_resumption.c.accepted_input.is_not(None), ~is_old)
        )
        with self._database.reading() as connection:
            for statement in (known, accepted):
                yield from (found for found in connection.scalars(statement) if found)

    def sandbox_removed(self, run_id: str, *, at: datetime) -> None:
        with self._database.writing("a removed sandbox") as connection:
            update_run(connection, run_id, sandbox_removed_at=at)
