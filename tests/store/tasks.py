"""What other processes do in tests: each task opens the store itself, and returns plain data."""

from __future__ import annotations

import os
import pwd
import tempfile
import time
from datetime import timedelta
from typing import Any

from rowbook.errors import RowbookError
from rowbook.store import Activation, Conflict, Definition, Holder, Store, this_process
from tests.store.places import Place
from tests.store.samples import ANN, AT, CALENDAR, TIMINGS, TTL, after, dataset, new_draft, new_run


def open_and_close(place: Place) -> None:
    place.open().close()


def open_guarded(place: Place, folder: int, file: int) -> str:
    """What opening says about a file and folder with these rights. Root may do everything, and
    becomes somebody else first."""
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.setgid(nobody.pw_gid)
        os.setuid(nobody.pw_uid)
    with tempfile.TemporaryDirectory(dir="/tmp") as root:
        guarded = Place(place.url, root, None)
        guarded.file.parent.mkdir()
        guarded.file.touch()
        guarded.file.chmod(file)
        guarded.file.parent.chmod(folder)
        try:
            guarded.open().close()
        except RowbookError as refused:
            return str(refused)
        finally:
            guarded.file.parent.chmod(0o700)
    return "opened"


def record_own(place: Place, me: int, count: int) -> None:
    """Many changes of one definition that all processes change, and of one that is mine."""
    with place.open() as store:
        for n in range(count):
            shared = dataset("shared", by=me, n=n)
            own = dataset(f"own{me}", n=n)
            store.definitions.record([shared, own], by=f"p{me}", at=AT)


def begin(place: Place, me: int) -> int:
    """The token of the lease, if this process gets it."""
    with place.open() as store:
        return store.leases.begin(new_run(f"r{me}"), this_process(), at=AT, ttl=TTL).token


def begin_other(place: Place, me: int) -> int:
    """A run of a project of its own."""
    with place.open() as store:
        own = new_run(f"r{me}", project_id=f"p{me}", project_name=f"project{me}")
        lease = store.leases.begin(own, ANN, at=AT, ttl=TTL)
        for n in range(5):
            lease = store.leases.heartbeat(lease, at=after(n), ttl=TTL).lease
            with store.writing_as(lease, at=after(n)) as writes:
                writes.warn({"n": n})
        return lease.token


def take_table(place: Place, me: int) -> str | None:
    """The run that is in the way of one of a project of its own."""
    with place.open() as store:
        own = new_run(f"r{me}", project_id=f"p{me}", project_name=f"project{me}")
        lease = store.leases.begin(own, ANN, at=AT, ttl=TTL)
        writer = store.table_locks.take(lease, "/lake/gl", at=AT)
        return writer.run.id if writer else None


def take_over(place: Place, me: int) -> int:
    """A run that begins when the lease of another has expired."""
    with place.open() as store:
        return store.leases.begin(new_run(f"r{me}"), ANN, at=after(1000), ttl=TTL).token


def activate(place: Place, me: int) -> int:
    with place.open() as store:
        given = Activation("p1", "close", {"by": me}, {"id-gl": 1})
        return store.projects.activate(given, by="ann", at=AT).version.version


def close_period(place: Place, me: int) -> None:
    with place.open() as store:
        store.periods.close(CALENDAR, "2026-01", by=f"p{me}", at=AT)


def hang_while_writing(place: Place, seconds: float) -> None:
    """Holds the writer's turn for a while."""
    with place.open() as store:
        lease = store.leases.begin(
            new_run(f"r{time.monotonic_ns()}", project_id="slow"), ANN, at=AT, ttl=TTL
        )
        with store.writing_as(lease, at=AT) as writes:
            writes.warn({})
            time.sleep(seconds)


def live(place: Place, run_id: str) -> str:
    """One of everything, so that a process can be killed between any two durable changes."""
    with place.open() as store:
        me = this_process()
        gl = dataset("gl", columns=["a", "b"])
        store.definitions.record([gl, dataset("fx")], by="ann", at=AT)
        project = Activation("p1", "close", {"operations": [1]}, {"id-gl": 1})
        store.projects.activate(project, by="ann", at=AT)
        _run(store, run_id, me)
        broken = dataset("gl", columns=["a"])
        conflict = Conflict("p1", "column b is gone", {"columns": ["b"]})
        store.definitions.record([broken], by="ann", at=AT, conflicts=[conflict])
        store.projects.deactivate("close", by="ann", at=AT)
        if not store.periods.history(CALENDAR, "2025-12"):
            store.periods.close(CALENDAR, "2025-12", by="ann", at=AT)
        _draft(store, f"draft of {run_id}", me)
        return store.runs.get(run_id).status


def _run(store: Store, run_id: str, me: Holder) -> None:
    lease = store.leases.begin(new_run(run_id), me, at=AT, ttl=TTL)
    with store.writing_as(lease, at=AT) as writes:
        writes.start({"operations": [1]})
    with store.writing_as(lease, at=AT) as writes:
        writes.record_step(1, {"rows_out": 5})
    lease = store.leases.heartbeat(lease, at=after(5), ttl=TTL).lease
    with store.writing_as(lease, at=after(6)) as writes:
        intent = writes.intend(2, "out", f"staging/{run_id}/out", {})
    with store.writing_as(lease, at=after(7)) as writes:
        writes.settle(intent, "done")
        writes.record_output(2, {"rows": 5})
    with store.writing_as(lease, at=after(8)) as writes:
        resolver = Definition("resolver", "id-made", "made", {"rule": "out"})
        data: dict[str, Any] = {"files": [run_id]}
        made = [resolver, dataset("made", columns=["a"])]
        writes.register(made, dataset_id="id-made", seq=2, data=data)
    with store.writing_as(lease, at=after(9)) as writes:
        writes.complete(TIMINGS)
    store.leftovers.discarded(run_id)


def _draft(store: Store, run_id: str, me: Holder) -> None:
    lease = store.leases.begin(new_draft(run_id), me, at=AT, ttl=TTL)
    store.runs.request_cancel(run_id, by="ben", at=AT)
    with store.writing_as(lease, at=after(1)) as writes:
        writes.cancel(TIMINGS)
    for each in store.leftovers.sandboxes(before=AT + timedelta(days=1)):
        store.leftovers.sandbox_removed(each, at=after(2))
