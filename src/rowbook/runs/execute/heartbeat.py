"""A run's heartbeat: prolongs its lease; ends its work when that is lost, or somebody asks."""

from __future__ import annotations

import threading
from collections.abc import Callable

from rowbook.errors import RowbookError
from rowbook.runs.prepare.lease_clock import at_present, lease_time
from rowbook.store import Lease, LeaseLostError, Store, from_this_machine

_BEATS = 4
"""Heartbeats in the time of a lease."""


class Heartbeat:
    """While it is entered, a thread prolongs the lease. `check` raises what it found."""

    def __init__(self, store: Store, lease: Lease) -> None:
        self.lease = lease
        self.cancelled = False
        self._store = store
        self._lost: LeaseLostError | None = None
        self._ended = threading.Event()
        self._stop: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def stops(self, work: Callable[[], None]) -> None:
        self._stop = work

    def check_lease(self) -> None:
        """Raises where the lease was lost: others have taken over."""
        if self._lost is not None:
            raise self._lost

    def check(self) -> None:
        """Raises where the lease was lost, or somebody asked the run to end (RUN_009)."""
        self.check_lease()
        if self.cancelled:
            raise RowbookError.of("RUN_009", f"run {self.lease.run_id} was cancelled")

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._ended.wait(lease_time().total_seconds() / _BEATS):
            try:
                beat = self._store.leases.heartbeat(
                    self.lease, at=at_present(), ttl=lease_time(), sight=from_this_machine()
                )
                self.cancelled |= beat.cancel_requested
            except LeaseLostError as lost:
                self._lost = lost
            except RowbookError:
                pass  # the store is out of reach for a moment, or others will take the run for dead
            if self.cancelled or self._lost:
                self._stop()
