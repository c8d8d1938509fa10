"""Exit codes (SPEC: Command line)."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What a command's exit code means."""

    DONE = 0
    FINDINGS = 1
    USAGE = 2
    RUN_FAILED = 3
    REFUSED = 4
    INTERRUPTED = 130
