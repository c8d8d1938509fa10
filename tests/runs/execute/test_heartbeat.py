"""A heartbeat goes on whatever becomes of the clock, and ends when the lease is another's."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.runs.execute import heartbeat
from rowbook.runs.execute.heartbeat import Heartbeat
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.store import Lease, Store, open_store, store_address, this_process
from tests.runs.processes import wait_until
from tests.store.samples import lease_of, new_run

HOUR = timedelta(hours=1)


def begun(store: Store) -> Lease:
    ttl = timedelta(seconds=0.2)
    return store.leases.begin(new_run(), this_process(), at=at_present(), ttl=ttl)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROWBOOK_LEASE_SECONDS", "0.2")


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_clock_that_is_set_while_a_run_is_at_work_does_not_end_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: timedelta
) -> None:
    with open_store(store_address("sqlite:///store.db", tmp_path)) as store:
        lease = begun(store)
        monkeypatch.setattr(heartbeat, "at_present", lambda: at_present() + jump)
        with Heartbeat(store, lease) as beat:

            def was_prolonged() -> bool:
                beat.check()
                now = lease_of(store, "r1")
                return now is not None and abs(now.heartbeat_at - lease.heartbeat_at) > HOUR / 2

            wait_until(was_prolonged, "a heartbeat")
        beat.check()


@pytest.mark.usefixtures("short")
def test_work_ends_when_another_has_the_lease(tmp_path: Path) -> None:
    with open_store(store_address("sqlite:///store.db", tmp_path)) as store:
        lease, stopped = begun(store), threading.Event()
        store.leases.release(lease, at=at_present())
        with Heartbeat(store, lease) as beat:
            beat.stops(stopped.set)
            assert stopped.wait(60)
        with pytest.raises(RowbookError, match="RUN_004"):
            beat.check()
