"""Rows of runs: reading them, and the transitions of their status, inside a transaction."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from rowbook.errors import RowbookError
from rowbook.store.database.json_documents import JsonObject
from rowbook.store.database.tables import run, run_approval
from rowbook.store.runs.run_records import CancelRequest, NewRun, Run, RunStatus, Verdict
from rowbook.store.seals.canonical_records import run_subject
from rowbook.store.seals.sealer import Sealer

_LEGAL: dict[RunStatus, tuple[RunStatus, ...]] = {
    "queued": ("running", "failed", "cancelled"),
    "running": ("completed", "failed", "cancelled", "waiting"),
    "waiting": ("running", "cancelled"),
    "completed": (),
    "failed": ("running", "completed"),
    "cancelled": (),
}
"""From a status to those that may follow; failed to running is what resuming does, waiting to
running an approval, and failed to completed who finds a dead run's outputs all published."""

_APART = ("snapshot", "cancel_requested_at", "cancel_requested_by", "sandbox_removed_at")
_PLAIN = tuple(column for column in run.c if column.name not in _APART)
RUNS = sa.select(*_PLAIN, run.c.cancel_requested_at, run.c.cancel_requested_by)
"""Runs without their snapshots."""


def read_run(row: RowMapping) -> Run:
    values = dict(row)
    at, by = values.pop("cancel_requested_at"), values.pop("cancel_requested_by")
    values["writes_into"] = tuple(values["writes_into"]["periods"])
    return Run(**values, cancel_requested=CancelRequest(at, by) if at else None)


def get_run(connection: Connection, run_id: str) -> Run:
    row = connection.execute(RUNS.where(run.c.id == run_id)).mappings().first()
    if row is None:
        raise RowbookError.of("RUN_006", f"there is no run {run_id}")
    return read_run(row)


def add_run(connection: Connection, new: NewRun, at: datetime, reopened: str | None) -> None:
    """A run that has not started; its lease is taken in the same transaction."""
    values: dict[str, Any] = {name: getattr(new, name) for name in NewRun.__slots__}
    values["writes_into"] = {"periods": list(new.writes_into or (new.period,))}
    statement = run.insert().values(
        **values, status="queued", created_at=at, reopened=reopened, staging="kept"
    )
    connection.execute(statement)


def move_run(connection: Connection, now: Run, status: RunStatus, **values: Any) -> None:
    if status not in _LEGAL[now.status]:
        raise refused(now, f"cannot become {status}")
    update_run(connection, now.id, status=status, **values)


def update_run(connection: Connection, run_id: str, **values: Any) -> None:
    connection.execute(run.update().where(run.c.id == run_id).values(**values))


def interrupt(
    connection: Connection, sealer: Sealer, now: Run, at: datetime, why: str, *, by: str
) -> None:
    """Marks a run as failed whose process ended without a word. One that ended stays as it is."""
    if now.status in ("queued", "running"):
        failure: JsonObject = {"code": "RUN_007", "message": why}
        move_run(connection, now, "failed", finished_at=at, failure=failure)
        sealer.seal(connection, "run failed", run_subject(now.id), at=at, by=by)


def check_waiting(now: Run) -> None:
    if now.status != "waiting":
        message = f"run {now.id} is {now.status} and waits for no approval"
        raise RowbookError.of("APPROVAL_001", message)


def record_verdict(
    connection: Connection,
    run_id: str,
    verdict: Verdict,
    *,
    by: str,
    comment: str | None,
    at: datetime,
) -> None:
    values = {"verdict": verdict, "decided_at": at, "decided_by": by, "comment": comment}
    connection.execute(
        run_approval.update().where(run_approval.c.run_id == run_id).values(**values)
    )


def refused(now: Run, what: str) -> RowbookError:
    return RowbookError.of("RUN_005", f"run {now.id} is {now.status} and {what}")
