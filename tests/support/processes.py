"""Processes that others start: found, waited for, ended with all that is below them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

_PATIENCE = 600.0
"""On a machine that is busy with several clusters."""


def child_processes(pid: int, text: str = "") -> list[int]:
    """Those below a process, at any depth, whose program is Java and whose command has a text."""
    return [each for each in _below(pid) if text in _command(each)]


def end_process(process: subprocess.Popen[bytes]) -> None:
    for pid in (*_below(process.pid), process.pid):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()
    if process.stdin is not None:
        process.stdin.close()


def wait_until(holds: Callable[[], bool], what: str) -> None:
    limit = time.monotonic() + _PATIENCE
    while not holds():
        assert time.monotonic() < limit, f"waited for {what} in vain"
        time.sleep(0.05)


def _below(pid: int) -> Iterator[int]:
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(pid) for task in tasks for pid in (task / "children").read_text().split()]
    except OSError:
        return
    for child in children:
        yield child
        yield from _below(child)


def _command(pid: int) -> str:
    """Of a shell that starts another program nothing: it has that program's words too."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""
    return command if command.partition("\0")[0].endswith("java") else ""
