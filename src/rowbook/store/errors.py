"""Refusals that a caller tells apart: somebody else runs this, and: it is no longer yours."""

from __future__ import annotations

from rowbook.errors import Diagnostic, RowbookError
from rowbook.store.runs.run_records import Lease


class LeaseHeldError(RowbookError):
    """Another run of the project and period is alive; `lease` says whose."""

    def __init__(self, project: str, lease: Lease, *, silent: bool = False) -> None:
        self.lease = lease
        hint = None
        since = lease.acquired_at.strftime("%Y-%m-%d %H:%M:%S UTC")
        message = (
            f"project '{project}' is being run for {lease.period} by {lease.holder}"
            f" (run {lease.run_id}, since {since})"
        )
        if silent:
            message += f"; it lives, but was last heard of at {lease.heartbeat_at:%H:%M:%S} UTC"
            hint = (
                f"see whether process {lease.holder.pid} is stopped or hangs; once it has ended,"
                " the project can be run again at once"
            )
        super().__init__(Diagnostic("RUN_003", message, hint=hint))


class LeaseLostError(RowbookError):
    """The run may not record or publish anything any more."""

    def __init__(self, lease: Lease, why: str) -> None:
        self.lease = lease
        super().__init__(
            Diagnostic("RUN_004", f"run {lease.run_id} lost its lease for {lease.period}: {why}")
        )
