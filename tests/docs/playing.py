"""Pages that are sessions at a terminal, played: in this process, on the session of all
tests, or by processes of their own."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook.cli.app import run
from tests.docs.terminal import Command, Edit, steps
from tests.starter.shared_session import shared_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


_FAULT = re.compile(r"^(?:\S+:\d+:\d+  )?[A-Z]+_\d{3}  ", re.MULTILINE)


def play(page: str, spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    """Does what a page says, in the current folder, and compares what is printed."""
    with shared_session(spark):
        _play(page, lambda command: printed_by(command, capsys))


def play_by_processes(page: str) -> None:
    """The same, with Spark where the page has it."""
    _play(page, _printed_by_process)


def _play(page: str, printed_by: Callable[[str], str]) -> None:
    for step in steps(page):
        match step:
            case Edit():
                step.make(Path())
            case Command():
                printed = printed_by(step.text)
                assert step.is_shown(printed), f"line {step.line}: {step.text}\n{printed}"


def printed_by(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command prints; of one that prints nothing else, what it says is wrong."""
    words = shlex.split(command)
    if words[0] != "rowbook":
        return _printed_by_process(command)
    capsys.readouterr()
    run(words[1:])
    captured = capsys.readouterr()
    fault = _FAULT.search(captured.err)
    return captured.out or (captured.err[fault.start() :] if fault else "")


def _printed_by_process(command: str) -> str:
    words = shlex.split(command)
    if words[0] == "cd":
        os.chdir(words[1])
        return ""
    done = subprocess.run(command, shell=True, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout
