"""What a command is doing, on stderr: a line for each part of the work.

On a terminal the line is alive while the part lasts, and then says how long it took. Elsewhere it
is written when the part begins, with the time since the start: whoever reads a log sees what is at
work.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sys
import threading
import time
from typing import Protocol, Self

from rowbook.errors.termination import RunInterruptedError
from rowbook.text.visible import clip, visible

_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_BLINK = 0.1
_CLEAR = "\r\033[K"


class _Step(Protocol):
    @property
    def seq(self) -> int: ...

    @property
    def name(self) -> str: ...


class Progress:
    """Leaving its context ends the line of what was at work last, and says what became of a run
    that was interrupted."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._began = time.monotonic()
        self._line: _LiveLine | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, ended: object, __: object) -> None:
        self.done()
        if isinstance(ended, RunInterruptedError):
            _write(f"{visible(str(ended))}\n")

    def say(self, text: str) -> None:
        self.done()
        if not self._quiet:
            _write(f"{visible(text)}\n")

    def step(self, step: _Step) -> None:
        self.begin(f"{step.seq:>4}  {step.name}")

    def session(self) -> None:
        self.begin("starting Spark")

    def begin(self, text: str) -> None:
        """Something begins that may take a while; what was at work before is done."""
        self.done()
        if self._quiet:
            return
        if self._live:
            self._line = _LiveLine(visible(text), kept=True)
        else:
            _write(f"at {time.monotonic() - self._began:6.1f} s  {visible(text)}\n")

    def watch(self, text: str) -> None:
        """As `begin`, for what the caller says more about once it is done: only a line that is
        alive, and goes."""
        self.done()
        if self._live and not self._quiet:
            self._line = _LiveLine(visible(text), kept=False)

    def done(self) -> None:
        if self._line is not None:
            self._line.end()
            self._line = None


class _LiveLine:
    """The last line of a terminal, while something is at work."""

    def __init__(self, text: str, *, kept: bool) -> None:
        self._text = text
        self._kept = kept
        self._began = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._turn, daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._over.set()
        self._thread.join()
        line = f"{self._seconds():6.1f} s   {self._text}\n" if self._kept else ""
        _write(f"{_CLEAR}{line}")

    def _turn(self) -> None:
        for turn in itertools.count():
            line = f"{self._seconds():6.0f} s {_FRAMES[turn % len(_FRAMES)]} {self._text}"
            _write(_CLEAR + clip(line, shutil.get_terminal_size().columns - 1))
            if self._over.wait(_BLINK):
                return

    def _seconds(self) -> float:
        return time.monotonic() - self._began


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
