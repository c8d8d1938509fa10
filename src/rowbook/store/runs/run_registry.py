"""Runs as others see them: looking, asking one to end. A run's own writes are in `run_writes`."""

from __future__ import annotations

from datetime import datetime
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from rowbook.store.database.connections import StoreDatabase
from rowbook.store.database.json_documents import JsonObject
from rowbook.store.database.tables import (
    run,
    run_approval,
    run_expectation,
    run_output,
    run_resumption,
    run_staged,
    run_step,
    run_verification,
    run_waiver,
    run_warning,
)
from rowbook.store.runs.run_records import (
    FINAL,
    Approval,
    ExpectationRecord,
    OutputRecord,
    PastExpectations,
    Resumption,
    Run,
    RunRecord,
    RunStatus,
    StagedRecord,
    StepRecord,
    VerificationRecord,
    WaiverRecord,
    WarningRecord,
)
from rowbook.store.runs.run_rows import (
    RUNS,
    check_waiting,
    get_run,
    move_run,
    read_run,
    record_verdict,
    refused,
    update_run,
)
from rowbook.store.seals.canonical_records import run_subject
from rowbook.store.seals.seal import SealHead
from rowbook.store.seals.seal_rows import seal_of
from rowbook.store.seals.sealer import Sealer

R = TypeVar(
    "R",
    StepRecord,
    OutputRecord,
    WarningRecord,
    Resumption,
    ExpectationRecord,
    WaiverRecord,
    StagedRecord,
    VerificationRecord,
)


class Runs:
    def __init__(self, database: StoreDatabase, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer

    def get(self, run_id: str) -> Run:
        """A run; refused (RUN_006) if there is none."""
        with self._database.reading() as connection:
            return get_run(connection, run_id)

    def record(self, run_id: str) -> RunRecord:
        """A run with all that it left, each kind in order."""
        with self._database.reading() as connection:
            return RunRecord(
                get_run(connection, run_id),
                _parts(connection, run_step, StepRecord, run_id, "seq"),
                _parts(connection, run_output, OutputRecord, run_id, "seq"),
                _parts(connection, run_warning, WarningRecord, run_id, "number"),
                _parts(connection, run_resumption, Resumption, run_id, "number"),
                _parts(connection, run_expectation, ExpectationRecord, run_id, "number"),
                _parts(connection, run_waiver, WaiverRecord, run_id, "number"),
                _parts(connection, run_staged, StagedRecord, run_id, "seq"),
                _approval(connection, run_id),
                _parts(connection, run_verification, VerificationRecord, run_id, "number"),
                _seal(connection, run_id),
            )

    def snapshot(self, run_id: str) -> JsonObject | None:
        """What a run was to do; None if it did not come to that."""
        with self._database.reading() as connection:
            get_run(connection, run_id)
            found: JsonObject | None = connection.scalar(
                sa.select(run.c.snapshot).where(run.c.id == run_id)
            )
            return found

    def newest(
        self,
        *,
        project: str | None = None,
        period: str | None = None,
        status: RunStatus | None = None,
        limit: int | None = None,
    ) -> tuple[Run, ...]:
        statement = RUNS.order_by(run.c.created_at.desc(), run.c.id.desc()).limit(limit)
        if project is not None:
            statement = statement.where(
                (run.c.project_name == project) | (run.c.project_id == project)
            )
        if period is not None:
            statement = statement.where(run.c.period == period)
        if status is not None:
            statement = statement.where(run.c.status == status)
        with self._database.reading() as connection:
            return tuple(map(read_run, connection.execute(statement).mappings()))

    def past_expectations(
        self,
        project_id: str,
        *,
        period: str | None = None,
        before: datetime | None = None,
        limit: int | None = None,
    ) -> tuple[PastExpectations, ...]:
        """What became of the expectations of a project: of each period, or of one, by the last run
        that completed and was no draft, those that ended last first. `before` is when these runs
        had ended at the latest."""
        published = (run.c.project_id == project_id) & (run.c.status == "completed") & ~run.c.draft
        if period is not None:
            published &= run.c.period == period
        if before is not None:
            published &= run.c.finished_at < before
        latest = sa.select(run.c.period, run.c.id).where(published)
        latest = latest.order_by(run.c.finished_at.desc(), run.c.id.desc())
        with self._database.reading() as connection:
            found: dict[str, str] = {}
            for of_period, run_id in connection.execute(latest):
                found.setdefault(of_period, run_id)
            return tuple(
                PastExpectations(run_id, of_period, _verdicts(connection, run_id))
                for of_period, run_id in list(found.items())[:limit]
            )

    def request_cancel(self, run_id: str, *, by: str, at: datetime) -> Run:
        """Asks a run to end, which sees it at its next heartbeat; one that has ended is refused
        (RUN_005)."""
        with self._database.writing("a request to cancel") as connection:
            now = get_run(connection, run_id)
            if now.status in FINAL:
                raise refused(now, "has nothing to cancel")
            if now.cancel_requested is None:
                update_run(connection, run_id, cancel_requested_at=at, cancel_requested_by=by)
            if now.status == "waiting":  # nobody is at work who could see it
                move_run(connection, now, "cancelled", finished_at=at, staging="discarding")
                self._sealer.seal(connection, "run cancelled", run_subject(run_id), at=at, by=by)
            return get_run(connection, run_id)

    def reject(self, run_id: str, *, by: str, comment: str | None, at: datetime) -> Run:
        """Ends a run that waits for approval; what it staged is to be removed. One that does not
        wait is refused (APPROVAL_001)."""
        with self._database.writing("a rejection") as connection:
            now = get_run(connection, run_id)
            check_waiting(now)
            record_verdict(connection, run_id, "rejected", by=by, comment=comment, at=at)
            move_run(connection, now, "cancelled", finished_at=at, staging="discarding")
            self._sealer.seal(connection, "run rejected", run_subject(run_id), at=at, by=by)
            return get_run(connection, run_id)


def _approval(connection: Connection, run_id: str) -> Approval | None:
    columns = [run_approval.c[name] for name in Approval.__slots__]
    statement = sa.select(*columns).where(run_approval.c.run_id == run_id)
    row = connection.execute(statement).mappings().first()
    return Approval(**row) if row else None


def _seal(connection: Connection, run_id: str) -> SealHead | None:
    newest = seal_of(connection, run_subject(run_id))
    return newest.head if newest else None


def _verdicts(connection: Connection, run_id: str) -> tuple[JsonObject, ...]:
    records = _parts(connection, run_expectation, ExpectationRecord, run_id, "number")
    return tuple(each.verdict for each in records)


def _parts(
    connection: Connection, table: sa.Table, kind: type[R], run_id: str, order: str
) -> tuple[R, ...]:
    columns = [table.c[name] for name in kind.__slots__]
    statement = sa.select(*columns).where(table.c.run_id == run_id).order_by(table.c[order])
    return tuple(kind(**row) for row in connection.execute(statement).mappings())
