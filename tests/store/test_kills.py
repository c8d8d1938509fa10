"""A process may die at any moment: the store opens, is whole, and life goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import sqlalchemy as sa

from rowbook.store import Kind, Store, from_this_machine, this_process
from rowbook.store.database.tables import lease
from tests.store.forking import Forks
from tests.store.places import Place
from tests.store.samples import CALENDAR, TTL, after, intents_of, lease_of
from tests.store.tasks import live


def check_invariants(store: Store) -> None:
    """What holds whenever nobody writes."""
    assert store.seals.verify().findings == ()
    kinds: tuple[Kind, ...] = ("dataset", "resolver")
    for kind in kinds:
        versions = Counter(v.id for v in store.definitions.versions(kind))
        latest = {v.id: v.version for v in store.definitions.latest(kind)}
        assert latest == dict(versions)
    for project in store.projects.all():
        assert store.projects.history(project.id)[-1].status == project.status
        assert store.projects.version(project.id) == store.projects.version(
            project.id, project.version
        )
        broken = len(store.definitions.versions("dataset", "gl")) % 2 == 0
        assert (project.status == "active") <= (not broken)
    for run in store.runs.newest(limit=2):
        record = store.runs.record(run.id)
        ended = run.status in ("completed", "failed", "cancelled")
        assert (run.finished_at is not None) == ended
        assert (lease_of(store, run.id) is None) == ended
        assert (store.runs.snapshot(run.id) is None) <= (run.status != "completed")
        assert (run.started_at is None) <= (record.steps == ())
        settled = [i for i in intents_of(store, run.id) if i.state == "done"]
        assert len(settled) == len(record.outputs)
    for made in store.definitions.versions("dataset", "made"):
        assert made.produced_by is not None
        assert store.definitions.get("resolver", "made") is not None
        assert store.definitions.productions(made.id, made.version)


def recover(store: Store) -> None:
    """As a command does before anything else; the dead process is on this machine."""
    sight = from_this_machine()
    for run in store.leases.dead_runs(at=after(20), sight=sight):
        held = store.leases.recover(run.id, this_process(), at=after(20), ttl=TTL, sight=sight)
        for intent in store.journal.unsettled(held):
            with store.writing_as(held, at=after(20)) as writes:
                writes.settle(intent.id, "undone")
        store.leases.release(held, at=after(20))
    for run_id in store.leftovers.discards():
        store.leftovers.discarded(run_id)


@pytest.mark.some(1)
def test_killed_at_any_write_the_store_is_whole_and_goes_on(place: Place, forks: Forks) -> None:
    with place.open() as store:
        for number in range(1, 200):
            ended = forks.killed_at(number, "live", place, run_id=f"r{number:03}")
            assert (ended.code, ended.text) in ((0, ""), (-signal.SIGKILL, ""))
            place.open().close()
            check_invariants(store)
            recover(store)
            check_invariants(store)
            assert not store.leases.dead_runs(at=after(10_000))
            with store._database.reading() as connection:
                assert connection.scalar(sa.select(sa.func.count()).select_from(lease)) == 0
            if ended.code == 0:
                break
        assert 30 <= number < 100
        assert ended.result == "completed"
        assert store.runs.get(f"r{number:03}").status == "completed"
        assert [s.status for s in store.periods.history(CALENDAR, "2025-12")] == ["closed"]


def test_killed_while_it_is_made_a_store_is_there_or_not(place: Place, forks: Forks) -> None:
    made = []
    for number in range(1, 10):
        ended = forks.killed_at(number, "open_and_close", place)
        found = place.find()
        made.append(found is not None)
        if found is not None:
            check_invariants(found)
            found.close()
        if ended.code == 0:
            break
    assert made == [False, True, True]


@pytest.mark.slow
def test_the_hook_counts_what_it_would_kill_at(sqlite: Place, tmp_path: Path) -> None:
    """The number of write points is the number of the last kill, plus one that survives."""
    imports = "from tests.store.places import Place; from tests.store.tasks import live"
    script = f"{imports}; live({sqlite!r}, 'r')"
    root = Path(__file__).parents[2]
    counted = tmp_path / "count"

    def run(**environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | environment,
            cwd=root,
            capture_output=True,
            text=True,
        )

    done = run(ROWBOOK_COUNT_WRITES=str(counted))
    assert (done.returncode, done.stderr) == (0, "")
    points = len(counted.read_text().splitlines())
    assert points % 2 == 0
    again = Place(sqlite.url, str(tmp_path / "again"), None)
    script = script.replace(repr(sqlite), repr(again))
    killed = run(ROWBOOK_KILL_AT_WRITE=str(points))
    assert killed.returncode == -signal.SIGKILL
    assert killed.stderr == f"killed at write point {points}: after a removed sandbox\n"


def test_without_the_hook_nothing_is_killed(sqlite: Place) -> None:
    assert live(sqlite, "r1") == "completed"
