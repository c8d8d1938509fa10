"""Peak memory of this process and all it started, from Linux's /proc."""

from __future__ import annotations

import os
import re
from pathlib import Path

_PROC = Path("/proc")


def peak_megabytes() -> int | None:
    """The sum of `VmHWM` (the most memory a process ever held) of this process and its
    descendants: for Spark that is Python and the JVM. Their peaks need not fall together, so this
    is an upper bound; for one process it is exact. None where there is no /proc."""
    if not (_PROC / "self" / "status").exists():
        return None
    return sum(map(_peak_kilobytes, family(os.getpid()))) // 1024


def family(root: int) -> list[int]:
    """A process and its descendants, itself first."""
    if not _PROC.is_dir():
        return [root]
    parents = {int(path.name): _parent(path) for path in _PROC.iterdir() if path.name.isdigit()}
    family = [root]
    for member in family:
        family += [pid for pid, parent in parents.items() if parent == member]
    return family


def _parent(process: Path) -> int:
    try:
        status = (process / "stat").read_text()
    except OSError:
        return 0
    return int(status.rpartition(")")[2].split()[1])


def _peak_kilobytes(pid: int) -> int:
    try:
        status = (_PROC / str(pid) / "status").read_text()
    except OSError:
        return 0
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) if found else 0
