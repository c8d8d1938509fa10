"""Whether a process is certainly gone."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from rowbook.store import is_gone, this_process

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only time tells")


def test_this_process_is_not_gone() -> None:
    me = this_process()
    assert me.pid == os.getpid()
    assert not is_gone(me)
    assert f"{me.user} on {me.host}, process {me.pid}" == str(me)


def test_a_user_is_the_same_after_the_machine_was_started_again() -> None:
    me = this_process()
    assert me.is_same_user(replace(me, machine="another boot", pid=1, started="1"))
    assert not me.is_same_user(replace(me, user="eve"))
    assert not me.is_same_user(replace(me, host="elsewhere"))


def test_a_process_that_ended_is_gone() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        holder = replace(this_process(), pid=ended.pid, started="1")
    assert is_gone(holder)


def test_a_process_that_nobody_waited_for_is_gone() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        assert is_gone(replace(this_process(), pid=ended.pid, started="1"))


def test_another_process_with_the_same_id_is_not_the_holder() -> None:
    assert is_gone(replace(this_process(), started="1"))


def test_nothing_is_said_about_other_machines() -> None:
    elsewhere = replace(this_process(), machine="another boot", pid=2**22 + 1)
    assert not is_gone(elsewhere)
    assert not is_gone(replace(elsewhere, machine=""))
