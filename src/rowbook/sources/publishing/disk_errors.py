"""Disks that fail while Spark writes: what the operating system said, found in what Spark says."""

from __future__ import annotations

import re

_CAUSE = re.compile(
    r"java\.(?:io\.\w*|nio\.file\.\w*)Exception: (?:[^\n]*?: )?"
    r"(No space left on device|Disk quota exceeded|Read-only file system|Input/output error"
    r"|Permission denied|File too large|Too many open files|Stale file handle)"
)


def disk_failure(error: BaseException) -> str | None:
    """Why a disk did not take what was written; None where that is not what failed."""
    found = _CAUSE.search(str(error))
    return found[1] if found else None
