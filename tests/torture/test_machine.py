"""A short turn of the machine: an episode of every fifteenth kind; in a campaign of each. `make
torture` takes a longer one."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.support.crashing_database import running_database
from tests.support.postgres_server import NoServerError
from tests.torture.machine import Machine
from tests.torture.preload import compiled

SEED = 7


@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_whatever_happens_to_runs_their_tables_and_records_are_whole(
    connect_url: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    pace = 1 if pytestconfig.getoption("--campaign") else 15
    with ExitStack() as resources:
        database = None
        with suppress(NoServerError):
            database = resources.enter_context(running_database())
        machine = Machine(tmp_path / "world", connect_url, SEED, compiled(tmp_path), database)
        kinds = list(machine.kinds)[::pace]
        for kind in kinds:
            machine.episode_of(kind)
    assert machine.ends.total() >= len(kinds)
