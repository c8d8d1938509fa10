"""Temporary folders: a killed process' own is removed by the next session, and nobody else's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rowbook.engine.session.scratch import PREFIX, scratch_folder, sweep
from tests.support.write_files import write_files

HOLD = """
import sys, time
from pathlib import Path
from rowbook.engine.session.scratch import scratch_folder
with scratch_folder(Path(sys.argv[1])) as scratch:
    (scratch.folder / "shuffle.data").write_text("rows")
    print("ready", flush=True)
    time.sleep(300)
"""


def left(place: Path, name: str = "a") -> Path:
    """What a process that was killed left."""
    made = place / f"{PREFIX}{name}"
    write_files(made, {".lock": "", "blockmgr/0a/shuffle.data": "rows"})
    return made


def test_a_folder_is_there_for_as_long_as_it_is_used(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with scratch_folder(tmp_path / "scratch") as scratch:
            assert scratch.folder.parent == tmp_path / "scratch"
            assert scratch.folder.stat().st_mode & 0o777 == 0o700
            (scratch.folder / "a").write_text("rows")
    finally:
        os.umask(before)
    assert list((tmp_path / "scratch").iterdir()) == []


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            (live,) = tmp_path.iterdir()
            with scratch_folder(tmp_path):
                assert (live / "shuffle.data").read_text() == "rows"
        finally:
            process.send_signal(signal.SIGKILL)
    assert list(tmp_path.iterdir()) == [live]
    with scratch_folder(tmp_path):
        assert not live.exists()


def test_a_folder_in_use_stays(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as scratch:
        sweep(tmp_path)
        assert scratch.folder.exists()


def test_a_folder_stays_while_a_process_that_got_the_lock_lives(tmp_path: Path) -> None:
    """A JVM goes on for a moment after who started it was killed."""
    dead = left(tmp_path)
    with (dead / ".lock").open() as lock:
        command = [
            sys.executable,
            "-c",
            "import fcntl, sys; fcntl.flock(int(sys.argv[1]), 2); print(flush=True); input()",
            str(lock.fileno()),
        ]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=(lock.fileno(),)
        ) as jvm:
            assert jvm.stdout is not None
            jvm.stdout.readline()
            lock.close()
            sweep(tmp_path)
            assert (dead / "blockmgr" / "0a" / "shuffle.data").exists()
            jvm.kill()
    sweep(tmp_path)
    assert not dead.exists()


def test_a_folder_without_a_lock_may_be_anybodys(tmp_path: Path) -> None:
    write_files(tmp_path, {f"{PREFIX}old/shuffle.data": "rows", "rowbook-else/.lock": ""})
    sweep(tmp_path)
    assert (tmp_path / f"{PREFIX}old" / "shuffle.data").exists()
    assert (tmp_path / "rowbook-else" / ".lock").exists()


def test_a_folder_of_another_user_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dead = left(tmp_path)
    uid = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: uid + 1)
    sweep(tmp_path)
    assert (dead / "blockmgr" / "0a" / "shuffle.data").exists()


def test_links_are_not_followed(tmp_path: Path) -> None:
    precious = left(tmp_path / "elsewhere", "precious")
    place = tmp_path / "scratch"
    dead = left(place)
    (dead / "folder").symlink_to(precious)
    (dead / "blockmgr" / "file").symlink_to(precious / ".lock")
    (place / f"{PREFIX}link").symlink_to(precious)
    locked = place / f"{PREFIX}lock"
    locked.mkdir()
    (locked / ".lock").symlink_to(precious / ".lock")
    sweep(place)
    assert not dead.exists()
    assert locked.exists()
    assert (precious / ".lock").exists()
    assert (precious / "blockmgr" / "0a" / "shuffle.data").exists()


def test_what_there_was_no_time_for_is_removed_the_next_time(tmp_path: Path) -> None:
    dead = left(tmp_path)
    sweep(tmp_path, seconds=-1)
    assert (dead / ".lock").exists()
    sweep(tmp_path)
    assert not dead.exists()


def test_a_place_that_cannot_be_looked_into_is_no_failure(tmp_path: Path) -> None:
    sweep(tmp_path / "nothing")
