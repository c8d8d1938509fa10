"""A short turn of the machine; `make torture` takes a longer one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.torture.machine import Machine
from tests.torture.preload import compiled

EPISODES = 8


@pytest.mark.spark
@pytest.mark.slow
def test_whatever_happens_to_runs_their_tables_and_records_are_whole(
    connect_url: str, tmp_path: Path
) -> None:
    machine = Machine(tmp_path / "world", connect_url, 7, compiled(tmp_path))
    done = [machine.episode() for _ in range(EPISODES)]
    assert len(done) == EPISODES
    assert machine.ends.total() >= EPISODES
