"""Disks that fail while Spark writes: what the operating system said, found in what Spark says."""

from __future__ import annotations

import re

from rowbook.sources.files.parquet.row_files import DISK_FAILED
from rowbook.spark.causes import innermost_cause
from rowbook.spark.markers import found_in

_REFUSALS = re.compile(
    r"No space left on device|Disk quota exceeded|Read-only file system|Input/output error"
    r"|Permission denied|File too large|Too many open files|Stale file handle"
)


def disk_failure(error: BaseException) -> str | None:
    """Why a disk did not take what was written; None where that is not what failed, or the disk was
    that of Spark's scratch files."""
    told = found_in(str(error))
    if told is not None and told[0] == DISK_FAILED:
        return told[1]
    cause = innermost_cause(error)
    found = None if cause.in_scratch else _REFUSALS.search(cause.message)
    return found[0] if found else None


def scratch_failure(error: BaseException) -> str | None:
    """Why the disk of Spark's scratch files did not take them; None where that is not what
    failed."""
    cause = innermost_cause(error)
    found = _REFUSALS.search(cause.message) if cause.in_scratch else None
    return found[0] if found else None
