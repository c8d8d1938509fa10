"""Events on their way: a thread sends them, and nobody waits for a server that does not answer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Full, Queue
from typing import Generic, TypeVar

from rowbook.errors.redaction import redact

E = TypeVar("E")

MOST = 100
"""Events that wait for their turn; more are dropped."""
PATIENCE = 2.0
"""Seconds that the end of a run waits for a server that has answered before."""


class EventSender(Generic[E]):
    """`open_delivery` makes what delivers an event, in the thread. After a failure nothing more is
    sent: a server that is down would be asked for every event, and wait for each."""

    def __init__(self, open_delivery: Callable[[], Callable[[E], None]]) -> None:
        self._open_delivery = open_delivery
        self._waiting: Queue[Callable[[], E] | None] = Queue(MOST)
        self._failure: str | None = None
        self._is_answered = False
        self._thread = threading.Thread(target=self._work, name="lineage events", daemon=True)
        self._thread.start()

    def send(self, make: Callable[[], E]) -> None:
        """`make` is called in the thread. Never waits."""
        self._put(make)

    @property
    def patience(self) -> float:
        """How long the end may wait: not at all, for a server that never answered."""
        return PATIENCE if self._is_answered and self._failure is None else 0.0

    def close(self) -> str | None:
        """Why events were not delivered, where some were not."""
        self._put(None)
        self._thread.join(self.patience)
        if self._failure is None and self._thread.is_alive():
            return "the server has not answered"
        return self._failure

    def _put(self, make: Callable[[], E] | None) -> None:
        try:
            self._waiting.put_nowait(make)
        except Full:
            self._failure = self._failure or "more events than the server takes"

    def _work(self) -> None:
        try:
            deliver = self._open_delivery()
            while (make := self._waiting.get()) is not None:
                deliver(make())
                self._is_answered = True
        except Exception as error:
            self._failure = redact(f"{type(error).__name__}: {error}")
