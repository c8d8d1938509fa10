"""Exit codes (SPEC: Command line)."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    DONE = 0
    FINDINGS = 1
    USAGE = 2
    RUN_FAILED = 3
    REFUSED = 4
    INTERRUPTED = 130


REFUSALS = {
    *("RUN_003", "RUN_005", "RUN_008", "RUN_010", "PROOF_001", "PROJECT_009", "PROJECT_010"),
    *("PERIOD_006", "PERIOD_007", "PERIOD_008"),
    *("APPROVAL_001", "APPROVAL_002", "APPROVAL_003"),
}
"""Codes of what is refused as things stand: lease, status of the run, period or project."""
