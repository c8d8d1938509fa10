"""Refusals name who runs, since when, and why a run may not go on."""

from __future__ import annotations

from rowbook.store import Lease, LeaseHeldError, LeaseLostError
from tests.store.samples import ANN, AT, after

LEASE = Lease("p1", "2026-01", "", "r1", 7, ANN, AT, after(5), after(60))


def test_a_lease_that_somebody_holds_says_who_and_since_when() -> None:
    error = LeaseHeldError("close", LEASE)
    assert str(error) == (
        f"RUN_003  project 'close' is being run for 2026-01 by {ANN}"
        " (run r1, since 2026-02-03 10:00:00 UTC)"
    )
    assert error.lease is LEASE


def test_a_lease_that_was_lost_says_why() -> None:
    error = LeaseLostError(LEASE, "it was released")
    assert str(error) == "RUN_004  run r1 lost its lease for 2026-01: it was released"
    assert error.lease is LEASE
