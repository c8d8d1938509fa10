"""Ctrl-C while Spark works: the jobs are cancelled, and the session stays usable.

PySpark's own handler calls the JVM from within the call that it interrupts, which fails; and an
exception in the middle of a call leaves the JVM at work on it. So here a call is never torn apart:
its jobs are cancelled from another thread until it returns, and then the interrupt is raised.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any] | int | None
"""What `signal.getsignal` gives."""


@contextlib.contextmanager
def clean_interrupts(client: Any, cancel: Callable[[], object], former: Handler) -> Iterator[None]:
    """Ctrl-C does what `former` does, but not before the JVM has dropped the work at hand: calls
    of Py4J's `client` are waited for. A second Ctrl-C does not wait any longer."""
    if threading.current_thread() is not threading.main_thread() or former is None:
        yield
    elif not callable(former):
        signal.signal(signal.SIGINT, former)
        yield
    else:
        interrupts = _Interrupts(client.send_command, cancel, former)
        client.send_command = interrupts.send_command
        signal.signal(signal.SIGINT, interrupts.handle)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, former)
            del client.send_command


@dataclass(slots=True)
class _Interrupts:
    _send: Callable[..., Any]
    _cancel: Callable[[], object]
    _former: Callable[[int, FrameType | None], Any]
    _calling: bool = False
    _pending: bool = False

    def handle(self, number: int, frame: FrameType | None) -> None:
        waiting = self._calling and not self._pending
        self._pending = waiting
        threading.Thread(target=self._drop_work, name="cancel-jobs", daemon=True).start()
        if not waiting:
            self._former(number, frame)

    def send_command(self, *args: Any, **kwargs: Any) -> Any:
        """A call to the JVM; in the main thread, an interrupt that came meanwhile is raised."""
        if threading.current_thread() is not threading.main_thread():
            return self._send(*args, **kwargs)
        self._calling = True
        try:
            return self._send(*args, **kwargs)
        finally:
            self._calling = False
            if self._pending:
                self._pending = False
                self._former(signal.SIGINT, None)

    def _drop_work(self) -> None:
        """Again and again, as what is still being planned has no job yet to cancel."""
        more = True
        while more:
            with contextlib.suppress(Exception):
                self._cancel()
            time.sleep(0.1)
            more = self._pending
