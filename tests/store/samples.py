"""Small values that tests start from."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from rowbook.store import Definition, Holder, Intent, Lease, NewRun, Store
from rowbook.store.database.tables import lease, publish_intent
from rowbook.store.runs.lease_rows import read_lease

AT = datetime(2026, 2, 3, 10, 0, tzinfo=UTC)
TTL = timedelta(seconds=60)
ANN = Holder("host7", "boot 1", 4242, "100", "ann")
BEN = Holder("host8", "boot 2", 17, "200", "ben")
CALENDAR = "gregorian-id"
TIMINGS: dict[str, Any] = {"spark_ms": 1200}
FAILURE: dict[str, Any] = {"seq": 3, "code": "RUN_001", "message": "too large"}


def after(seconds: float) -> datetime:
    return AT + timedelta(seconds=seconds)


def new_run(run_id: str = "r1", **changes: Any) -> NewRun:
    values: dict[str, Any] = {
        "id": run_id,
        "project_id": "p1",
        "project_name": "close",
        "project_version": 3,
        "draft": False,
        "calendar_id": CALENDAR,
        "period": "2026-01",
        "as_of": "2026-01-31",
        "clock": AT,
        "trigger": "cli",
        "engine": "local[*]",
        "requested_by": "ann",
    }
    return NewRun(**(values | changes))


def new_draft(run_id: str = "d1", **changes: Any) -> NewRun:
    return new_run(run_id, draft=True, project_version=None, **changes)


def begun(store: Store, run_id: str = "r1", at: datetime = AT, **changes: Any) -> Lease:
    """A run that is queued, with its lease."""
    return store.leases.begin(new_run(run_id, **changes), ANN, at=at, ttl=TTL)


def started(store: Store, run_id: str = "r1", at: datetime = AT, **changes: Any) -> Lease:
    """A run that is running."""
    lease = begun(store, run_id, at, **changes)
    with store.writing_as(lease, at=at) as writes:
        writes.start({"operations": [], "writes": []})
    return lease


def failed(store: Store, run_id: str = "r1", at: datetime = AT, **changes: Any) -> Lease:
    """A run that failed at once."""
    lease = started(store, run_id, at, **changes)
    with store.writing_as(lease, at=at) as writes:
        writes.fail(FAILURE, TIMINGS)
    return lease


def completed(store: Store, run_id: str = "r1", at: datetime = AT, **changes: Any) -> Lease:
    """A run that did nothing and completed."""
    lease = started(store, run_id, at, **changes)
    with store.writing_as(lease, at=at) as writes:
        writes.complete(TIMINGS)
    return lease


def dataset(name: str = "gl", **content: Any) -> Definition:
    return Definition("dataset", f"id-{name}", name, {"name": name, **content})


def lease_of(store: Store, run_id: str) -> Lease | None:
    """The lease that a run holds, expired or not."""
    with store._database.reading() as connection:
        statement = sa.select(lease).where(lease.c.run_id == run_id)
        row = connection.execute(statement).mappings().first()
        return read_lease(row) if row else None


def intents_of(store: Store, run_id: str) -> tuple[Intent, ...]:
    """All publications that a run announced, in order."""
    i = publish_intent
    statement = sa.select(i).where(i.c.run_id == run_id).order_by(i.c.id)
    with store._database.reading() as connection:
        return tuple(Intent(**row) for row in connection.execute(statement).mappings())
