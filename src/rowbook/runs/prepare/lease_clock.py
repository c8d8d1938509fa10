"""The clock of everything that is not a run's own time: leases, records."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

_USUAL_LEASE = 60.0


def at_present() -> datetime:
    return datetime.now(UTC)


def lease_time() -> timedelta:
    """How long a lease lasts without a heartbeat, where its process cannot be seen.
    `ROWBOOK_LEASE_SECONDS` sets it, for tests and for stores that are far away."""
    return timedelta(seconds=float(os.environ.get("ROWBOOK_LEASE_SECONDS") or _USUAL_LEASE))
