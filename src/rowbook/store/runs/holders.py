"""Who holds a lease, and what can be seen of that process from here.

On one machine no clock is asked: a process whose id is free, or belongs to a process that started
at another moment, has ended; any other lives, also one that is stopped or hangs. Of processes
elsewhere only the time since their last heartbeat tells.
"""

from __future__ import annotations

import getpass
import os
import platform
import time
from collections.abc import Callable
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

    @property
    def boot(self) -> str:
        """The boot of its machine, which processes in several containers share."""
        return self.machine.partition(" ")[0]

    def __str__(self) -> str:
        return f"{self.user} on {self.host}, process {self.pid}"

    def is_same_user(self, other: Holder) -> bool:
        """Whether a process is of the same user on the same machine, maybe before it was started
        again."""
        return (self.user, self.host) == (other.user, other.host)


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen of other processes: whether one lives (None: not seen from here), and the time
    since this machine's boot, by a clock that nobody sets."""

    is_alive: Callable[[Holder], bool | None] = lambda _: None
    boot: str = ""
    uptime: float | None = None


BLIND = Sight()
"""Nothing is known about other processes: only time tells."""


def this_process() -> Holder:
    pid = os.getpid()
    return Holder(platform.node() or "unknown", _machine(), pid, _started(pid), _user())


def from_this_machine() -> Sight:
    """What can be seen at this moment."""
    boot = _machine().partition(" ")[0]
    return Sight(is_alive, boot, time.clock_gettime(time.CLOCK_BOOTTIME)) if boot else BLIND


def is_alive(holder: Holder) -> bool | None:
    """Whether a process lives, be it stopped; None where that cannot be seen from here. Of runs in
    this very process the heartbeat tells: one may have ended and the process lives on."""
    if not holder.machine or holder.machine != _machine():
        return None
    try:
        os.kill(holder.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    started = _started(holder.pid)
    if not (started and holder.started):
        return None
    if started != holder.started:
        return False
    return None if holder.pid == os.getpid() else True


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
