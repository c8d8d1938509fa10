"""Who holds a lease, and whether that process is certainly gone.

A dead run's lease expires by time. On the same machine there is no need to wait: a process whose id
is free, or belongs to a process that started at another moment, has ended.
"""

from __future__ import annotations

import getpass
import os
import platform
from dataclasses import dataclass
from pathlib import Path

_STARTED = 19
"""The place of `starttime` in /proc/PID/stat, counted after the command's closing bracket."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A process. `machine` is the same for two processes that can see each other's ids; `started`
    tells apart processes that had the same id. Where it cannot be known it is empty."""

    host: str
    machine: str
    pid: int
    started: str
    user: str

    def __str__(self) -> str:
        return f"{self.user} on {self.host}, process {self.pid}"

    def is_same_user(self, other: Holder) -> bool:
        """Whether a process is of the same user on the same machine, maybe before it was started
        again."""
        return (self.user, self.host) == (other.user, other.host)


def this_process() -> Holder:
    pid = os.getpid()
    return Holder(platform.node() or "unknown", _machine(), pid, _started(pid), _user())


def is_gone(holder: Holder) -> bool:
    """Whether a process has certainly ended; False where that cannot be seen from here."""
    if not holder.machine or holder.machine != _machine():
        return False
    try:
        os.kill(holder.pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass
    started = _started(holder.pid)
    return bool(started and holder.started) and started != holder.started


def _machine() -> str:
    """Boot and process namespace: two containers may share a host name, and not their processes.
    Empty where there is no /proc: then nothing is said about other processes."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _started(pid: int) -> str:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    # A zombie has ended, though its id is not free yet.
    return "ended" if fields[0] in ("Z", "X") else fields[_STARTED]


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"
