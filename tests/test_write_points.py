"""Write points: nothing without settings; with them a line for each, and a kill at the n-th."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rowbook import write_points

THREE = "from rowbook.write_points import write_point as w; w('a'); w('b'); w('c')"


def run(**settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", THREE],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_point_leaves_its_name(tmp_path: Path) -> None:
    count = tmp_path / "count"
    assert run(ROWBOOK_COUNT_WRITES=str(count)).returncode == 0
    assert count.read_text() == "a\nb\nc\n"


def test_the_process_dies_at_the_named_point(tmp_path: Path) -> None:
    count = tmp_path / "count"
    dead = run(ROWBOOK_KILL_AT_WRITE="2", ROWBOOK_COUNT_WRITES=str(count))
    assert dead.returncode == -signal.SIGKILL
    assert dead.stderr == "killed at write point 2: b\n"
    assert count.read_text() == "a\nb\n"


def test_the_process_waits_at_the_named_point_until_it_may_go_on(tmp_path: Path) -> None:
    settings = {"ROWBOOK_WAIT_AT_WRITE": f"2:{tmp_path}"}
    with subprocess.Popen([sys.executable, "-c", THREE], env={**os.environ, **settings}) as waits:
        while not (tmp_path / "reached").exists():
            assert waits.poll() is None
            time.sleep(0.01)
        assert waits.poll() is None
        (tmp_path / "on").touch()
        assert waits.wait(30) == 0
    assert (tmp_path / "reached").read_text() == "b"


def test_without_settings_nothing_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_points, "_WATCHED", False)
    monkeypatch.setattr(write_points, "_numbers", iter(()))
    write_points.write_point("a")
