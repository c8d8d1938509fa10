"""What a run writes while it holds its lease.

All of it goes through `Store.writing_as`, a transaction that first checks the lease: a run that
lost it records nothing, and publishes nothing, as every publication is announced here before.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rowbook.store.database.json_documents import JsonObject
from rowbook.store.database.tables import (
    UNSETTLED,
    production,
    publish_intent,
    run,
    run_approval,
    run_expectation,
    run_output,
    run_staged,
    run_step,
    run_waiver,
    run_warning,
)
from rowbook.store.definition_versions import Definition, Recorded, record_definitions
from rowbook.store.period_states import check_writable
from rowbook.store.project_records import Conflict
from rowbook.store.project_rows import record_conflict
from rowbook.store.runs.journal import has_unsettled
from rowbook.store.runs.lease_rows import check, key_of, remove
from rowbook.store.runs.run_records import FinalStatus, Lease, Outcome
from rowbook.store.runs.run_rows import get_run, move_run
from rowbook.store.seals.canonical_records import run_subject
from rowbook.store.seals.seal import ENDS, SealKind
from rowbook.store.seals.sealer import Sealer


class RunWrites:
    """The writes of a run in one transaction, all as of `at`. Several may be made together; they
    become durable together when the transaction ends."""

    def __init__(self, connection: Connection, sealer: Sealer, lease: Lease, at: datetime) -> None:
        check(connection, lease)
        self._connection = connection
        self._sealer = sealer
        self._lease = lease
        self._at = at
        self._sealed_as: SealKind | None = None

    def seal(self) -> None:
        """Ends the transaction: one seal over the run as it leaves it. What is written while the
        run is at work is sealed when it ends; what whoever settles a dead one writes, at once."""
        now = get_run(self._connection, self._lease.run_id)
        kind = ENDS.get(now.status, self._sealed_as)
        if kind is not None:
            self._seal(kind, now.id)

    def start(self, snapshot: JsonObject) -> None:
        """From queued to running: with the snapshot, and not without it."""
        now = get_run(self._connection, self._lease.run_id)
        move_run(self._connection, now, "running", started_at=self._at, snapshot=snapshot)
        self._sealed_as = "run started"

    def record_snapshot(self, snapshot: JsonObject) -> None:
        """The snapshot again, with what was found out since of what the run reads."""
        of_run = run.update().where(run.c.id == self._lease.run_id)
        self._connection.execute(of_run.values(snapshot=snapshot))
        self._sealed_as = "input recorded"

    def record_step(self, seq: int, entry: JsonObject) -> None:
        """The ledger entry of an operation; it takes the place of an earlier attempt's."""
        self._put(run_step, seq, entry=entry)

    def record_output(self, seq: int, output: JsonObject) -> None:
        """What an output wrote; it takes the place of an earlier attempt's."""
        self._put(run_output, seq, output=output)

    def record_staged(self, seq: int, staged: JsonObject) -> None:
        """An output whose rows are there and not published; it takes the place of an earlier
        attempt's."""
        self._put(run_staged, seq, staged=staged)

    def forget_staged(self, seq: int) -> None:
        """The rows are gone, or are not those that are to be published."""
        s = run_staged.c
        of_output = (s.run_id == self._lease.run_id) & (s.seq == seq)
        self._connection.execute(run_staged.delete().where(of_output))

    def warn(self, warning: JsonObject) -> None:
        self._add(run_warning, warning=warning)

    def waive(self, waiver: JsonObject) -> None:
        """Somebody lets the run publish although an expectation stops it."""
        self._add(run_waiver, waiver=waiver)
        self._sealed_as = "expectation waived"

    def record_expectations(self, verdicts: Sequence[JsonObject]) -> None:
        """What became of all expectations; it takes the place of an earlier attempt's."""
        e = run_expectation
        self._connection.execute(e.delete().where(e.c.run_id == self._lease.run_id))
        for verdict in verdicts:
            self._add(e, verdict=verdict)

    def intend(self, seq: int, destination: str, staging: str, details: JsonObject) -> int:
        """Announces a publication, and gives the number to `settle` it by. Refused when the period
        was closed or locked since the run began."""
        now = get_run(self._connection, self._lease.run_id)
        if not now.draft:
            check_writable(self._connection, now.calendar_id, now.writes_into, now.reopened)
        made = self._connection.execute(
            publish_intent.insert()
            .returning(publish_intent.c.id)
            .values(
                run_id=now.id,
                seq=seq,
                destination=destination,
                staging=staging,
                details=details,
                state="intended",
                intended_at=self._at,
            )
        )
        key: int = made.scalar_one()
        return key

    def settle(self, intent_id: int, outcome: Outcome) -> None:
        """A publication is done, or undone: this run's, or one that a dead run of the same project
        and period left."""
        i = publish_intent
        of_run = self._connection.scalar(sa.select(i.c.run_id).where(i.c.id == intent_id))
        held = (self._lease.project_id, self._lease.period, self._lease.draft)
        if of_run is None or key_of(get_run(self._connection, of_run)) != held:
            raise ValueError(f"publication {intent_id} does not belong to run {self._lease.run_id}")
        settled = i.update().where(i.c.id == intent_id, UNSETTLED)
        done = self._connection.execute(settled.values(state=outcome, settled_at=self._at))
        if done.rowcount != 1:
            raise ValueError(f"publication {intent_id} was settled before")

    def register(
        self,
        definitions: Sequence[Definition],
        *,
        dataset_id: str,
        seq: int,
        data: JsonObject,
        conflicts: Sequence[Conflict] = (),
    ) -> tuple[Recorded, ...]:
        """Records an output as a dataset, with what else it needs (its resolver): new versions
        where content changed, produced by this run, and in any case that this run wrote `data` for
        the dataset `dataset_id`, which is among the definitions."""
        now = get_run(self._connection, self._lease.run_id)
        by, at = now.requested_by, self._at
        recorded = record_definitions(
            self._connection, self._sealer, definitions, by=by, at=at, produced_by=now.id
        )
        for conflict in conflicts:
            record_conflict(self._connection, self._sealer, conflict, by=by, at=at)
        versions = {(r.version.kind, r.version.id): r.version.version for r in recorded}
        version = versions["dataset", dataset_id]
        self._put(production, seq, dataset_id=dataset_id, version=version, data=data)
        return recorded

    def complete(self, timings: JsonObject) -> None:
        """The run is through. Its staged data is no longer needed, nor that of failed runs of the
        project and period that began earlier; those that wait for approval end with that: see
        `Leftovers.discards`."""
        if self._connection.scalar(sa.select(has_unsettled(self._lease.run_id))):
            raise ValueError("a run with publications that are not settled is not complete")
        self._end("completed", timings=timings, staging="discarding", failure=None)
        now = get_run(self._connection, self._lease.run_id)
        earlier = run.update().where(
            run.c.project_id == now.project_id,
            run.c.period == now.period,
            run.c.draft == now.draft,
            run.c.staging == "kept",
            run.c.created_at <= now.created_at,
            ~has_unsettled(run.c.id),
        )
        failed = earlier.where(run.c.status == "failed").values(staging="discarding")
        self._connection.execute(failed)
        superseded = {"code": "RUN_014", "message": f"run {now.id} took its place"}
        waiting = (
            earlier.where(run.c.status == "waiting")
            .values(
                status="cancelled", staging="discarding", finished_at=self._at, failure=superseded
            )
            .returning(run.c.id)
        )
        for run_id in self._connection.scalars(waiting).all():
            self._seal("run cancelled", run_id)

    def wait(self, destinations: JsonObject, timings: JsonObject) -> None:
        """All is staged, and somebody is to approve it; the lease ends. What the destinations hold
        now, they are to hold then."""
        run_id = self._lease.run_id
        a = run_approval
        self._connection.execute(a.delete().where(a.c.run_id == run_id))
        asked = {"run_id": run_id, "asked_at": self._at, "destinations": destinations}
        self._connection.execute(a.insert().values(**asked))
        move_run(self._connection, get_run(self._connection, run_id), "waiting", timings=timings)
        remove(self._connection, self._lease)

    def fail(self, failure: JsonObject, timings: JsonObject) -> None:
        """The run failed; `failure` says at which operation, code and message. Staged data stays,
        for resuming."""
        self._end("failed", failure=failure, timings=timings)

    def cancel(self, timings: JsonObject) -> None:
        """The run was ended by somebody, and is not resumed: staged data is to be removed."""
        self._end("cancelled", timings=timings, staging="discarding")

    def _end(self, status: FinalStatus, **values: Any) -> None:
        """The status and the end of the lease are one: there is no ended run that holds one."""
        now = get_run(self._connection, self._lease.run_id)
        move_run(self._connection, now, status, finished_at=self._at, **values)
        remove(self._connection, self._lease)

    def _seal(self, kind: SealKind, run_id: str) -> None:
        by = self._lease.holder.user
        self._sealer.seal(self._connection, kind, run_subject(run_id), at=self._at, by=by)

    def _add(self, table: sa.Table, **values: Any) -> None:
        run_id = self._lease.run_id
        count = sa.select(sa.func.count()).where(table.c.run_id == run_id)
        number = (self._connection.scalar(count) or 0) + 1
        row = {"run_id": run_id, "number": number, "recorded_at": self._at, **values}
        self._connection.execute(table.insert().values(**row))

    def _put(self, table: sa.Table, seq: int, **values: Any) -> None:
        run_id = self._lease.run_id
        self._connection.execute(table.delete().where(table.c.run_id == run_id, table.c.seq == seq))
        row = {"run_id": run_id, "seq": seq, "recorded_at": self._at, **values}
        self._connection.execute(table.insert().values(**row))
