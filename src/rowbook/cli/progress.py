"""What a run is doing, on stderr: a line an operation, with the time since the start."""

from __future__ import annotations

import sys
import time

from rowbook.planning.steps import AnyStep


class Progress:
    """Says which operation is at work, and since when. Says nothing where quiet."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._began = time.monotonic()

    def say(self, text: str) -> None:
        """A line of news, at once."""
        if not self._quiet:
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()

    def step(self, step: AnyStep) -> None:
        """An operation begins."""
        self.say(f"{time.monotonic() - self._began:6.1f} s  {step.seq:>4}  {step.name}")
