"""Refusals that a caller tells apart: somebody else runs this, and: it is no longer yours."""

from __future__ import annotations

from rowbook.errors import Diagnostic, RowbookError
from rowbook.store.runs.run_records import Lease


class LeaseHeldError(RowbookError):
    """Another run of the project and period is alive; `lease` says whose."""

    def __init__(self, project: str, lease: Lease) -> None:
        self.lease = lease
        since = lease.acquired_at.strftime("%Y-%m-%d %H:%M:%S UTC")
        message = (
            f"project '{project}' is being run for {lease.period} by {lease.holder}"
            f" (run {lease.run_id}, since {since})"
        )
        super().__init__(Diagnostic("RUN_003", message))


class LeaseLostError(RowbookError):
    """The run may not record or publish anything any more."""

    def __init__(self, lease: Lease, why: str) -> None:
        self.lease = lease
        super().__init__(
            Diagnostic("RUN_004", f"run {lease.run_id} lost its lease for {lease.period}: {why}")
        )
