"""Waiting for who writes to a table: said after a moment, given up after a while."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from rowbook.sources.source_errors import output_error

OnWait: TypeAlias = Callable[[str], None]

_USUAL_LIMIT = 120.0
_MOMENT = 1.0
"""Seconds after which it is said that somebody waits."""
_PACE = 0.1


def wait_limit() -> float:
    """Seconds that a writer is waited for without a sign of life: `ROWBOOK_WAIT_SECONDS`."""
    return float(os.environ.get("ROWBOOK_WAIT_SECONDS") or _USUAL_LIMIT)


@dataclass(slots=True)
class Waiting:
    """For the table `label`. What `on_wait` raises ends it."""

    label: str
    on_wait: OnWait = lambda _: None
    limit: float = field(default_factory=wait_limit)
    _began: float = field(default_factory=lambda: time.monotonic())
    _sign: object = None
    _heard: float = field(default_factory=lambda: time.monotonic())

    def pause(self, writer: str, sign: object) -> None:
        """Waits a little for a writer. A `sign` that differs from the one before says that it is at
        work, or another one by now; OUTPUT_006 where there was none for too long."""
        now = time.monotonic()
        if sign != self._sign:
            self._sign, self._heard = sign, now
        if now - self._heard >= self.limit:
            why = f"is being written by {writer}: waited {self.limit:g} s in vain"
            hint = (
                "see whether that process is stopped or hangs, and end it if so; then run again,"
                " or resume the run"
            )
            raise output_error(self.label, why, hint)
        if now - self._began >= _MOMENT:
            self.on_wait(f"waiting for {writer}, which writes to {self.label}")
        time.sleep(_PACE)
