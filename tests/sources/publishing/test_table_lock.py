"""One writer of a table at a time, who is named to the others; or the output is refused."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.sources.publishing.table_lock import held, lock_file, locked, remove_left_lock
from rowbook.sources.source import Publishing
from rowbook.sources.waiting import Waiting
from tests.sources.tables import names_in

HOLD = """
import sys, time
from pathlib import Path
from rowbook.sources.publishing.table_lock import locked
from rowbook.sources.waiting import Waiting
with locked(Path(sys.argv[1]), Waiting("gl"), "run r7 of project 'close'"):
    print("held", flush=True)
    time.sleep(60)
"""


@contextmanager
def other_process(table: Path) -> Iterator[subprocess.Popen[str]]:
    """Holds the table until it is killed."""
    command = [sys.executable, "-c", HOLD, str(table)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


def refused(table: Path, publishing: Publishing) -> RowbookError:
    with pytest.raises(RowbookError) as error, held(table, "data/gl", publishing):
        raise AssertionError
    assert error.value.diagnostics[0].code == "OUTPUT_006"
    return error.value


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "gl"


@pytest.fixture
def no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that has none."""

    def refuse(_: int, __: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)


def test_writers_follow_one_another_and_leave_nothing(table: Path) -> None:
    events: list[str] = []
    waited = threading.Event()

    def second() -> None:
        with locked(table, Waiting("gl", lambda _: waited.set())) as is_locked:
            events.append(f"second {is_locked}")

    with locked(table, Waiting("gl"), "run r7"):
        assert lock_file(table).read_text() == "run r7"
        thread = threading.Thread(target=second)
        thread.start()
        assert waited.wait(10)
        events.append("first")
    thread.join()
    assert events == ["first", "second True"]
    assert names_in(table.parent) == []


def test_who_waits_for_a_stopped_process_is_told_for_whom_and_gives_up(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROWBOOK_WAIT_SECONDS", "1.3")
    said: list[str] = []
    with other_process(table) as writer:
        writer.send_signal(signal.SIGSTOP)
        error = refused(table, Publishing(on_wait=said.append))
    assert set(said) == {"waiting for run r7 of project 'close', which writes to data/gl"}
    (finding,) = error.diagnostics
    assert finding.message == (
        "data/gl is being written by run r7 of project 'close': waited 1.3 s in vain"
    )
    assert finding.hint == (
        "see whether that process is stopped or hangs, and end it if so; then run again, or resume"
        " the run"
    )


def test_the_lock_of_a_process_that_died_is_free(table: Path) -> None:
    with other_process(table) as writer:
        writer.kill()
        writer.wait()
        assert lock_file(table).exists()
        with held(table, "data/gl", Publishing()):
            pass
    assert names_in(table.parent) == []


def test_only_what_a_dead_writer_left_is_removed(table: Path) -> None:
    with other_process(table) as writer:
        remove_left_lock(table)
        assert lock_file(table).exists()
        writer.kill()
        writer.wait()
        remove_left_lock(table)
    assert names_in(table.parent) == []
    remove_left_lock(table)


@pytest.mark.usefixtures("no_locks")
def test_where_nothing_keeps_a_second_writer_out_the_output_is_refused(table: Path) -> None:
    said = "data/gl cannot be written: its file system has no locks, to keep a second writer out"
    assert refused(table, Publishing()).diagnostics[0].message == said
    assert names_in(table.parent) == []


@pytest.mark.usefixtures("no_locks")
def test_the_turn_of_a_run_is_enough_where_the_file_system_has_no_locks(table: Path) -> None:
    with held(table, "data/gl", Publishing(has_turn=True)):
        assert names_in(table.parent) == []


def test_a_lock_is_never_written_through_a_link(table: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    lock_file(table).symlink_to(precious)
    with pytest.raises(OSError, match="symbolic links"), held(table, "data/gl", Publishing()):
        raise AssertionError
    assert precious.read_text() == "mine"


def test_a_lock_that_its_holder_removed_is_not_mistaken_for_the_new_one(table: Path) -> None:
    """Whoever waited at the old file looks for the new one."""
    inside, most = [0], [0]

    def write() -> None:
        for _ in range(20):
            with locked(table, Waiting("gl")):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                inside[0] -= 1

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]
    assert names_in(table.parent) == []
