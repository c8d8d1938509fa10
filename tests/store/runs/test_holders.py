"""What is seen of processes: alive, gone, or nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from rowbook.store import from_this_machine, is_alive, this_process
from rowbook.store.runs.holders import _started

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only time tells")


def test_of_this_very_process_the_heartbeats_of_its_runs_tell() -> None:
    me = this_process()
    assert me.pid == os.getpid()
    assert is_alive(me) is None
    assert f"{me.user} on {me.host}, process {me.pid}" == str(me)


def test_a_user_is_the_same_after_the_machine_was_started_again() -> None:
    me = this_process()
    assert me.is_same_user(replace(me, machine="another boot", pid=1, started="1"))
    assert not me.is_same_user(replace(me, user="eve"))
    assert not me.is_same_user(replace(me, host="elsewhere"))


def test_a_process_that_ended_is_gone() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        holder = replace(this_process(), pid=ended.pid, started="1")
    assert is_alive(holder) is False


def test_a_process_that_nobody_waited_for_is_gone() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        assert is_alive(replace(this_process(), pid=ended.pid, started="1")) is False


def test_another_process_with_the_same_id_is_not_the_holder() -> None:
    assert is_alive(replace(this_process(), started="1")) is False


def test_a_process_is_alive_also_while_it_is_stopped() -> None:
    with subprocess.Popen(["sleep", "60"]) as sleeper:
        try:
            holder = replace(this_process(), pid=sleeper.pid, started=_started(sleeper.pid))
            assert is_alive(holder) is True
            sleeper.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, sleeper.pid, os.WSTOPPED | os.WNOWAIT)
            assert is_alive(holder) is True
        finally:
            sleeper.kill()


def test_a_process_whose_start_is_not_known_may_be_another() -> None:
    assert is_alive(replace(this_process(), started="")) is None


def test_nothing_is_said_about_other_machines() -> None:
    elsewhere = replace(this_process(), machine="another boot", pid=2**22 + 1)
    assert is_alive(elsewhere) is None
    assert is_alive(replace(elsewhere, machine="")) is None


def test_the_clock_since_boot_is_that_of_the_machine() -> None:
    before = time.clock_gettime(time.CLOCK_BOOTTIME)
    sight = from_this_machine()
    assert sight.boot == this_process().boot
    assert sight.uptime is not None
    assert before <= sight.uptime <= time.clock_gettime(time.CLOCK_BOOTTIME)
