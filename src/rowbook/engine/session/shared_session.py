"""One session for all runs of a command."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias

from rowbook.engine.session.session import Engine, open_session
from rowbook.engine.session.settings import EngineSettings

Lend: TypeAlias = Callable[
    [EngineSettings, Callable[[], None]], AbstractContextManager[Engine, None]
]
"""A session for a run that needs such settings; who waits is told before Spark starts."""


class SharedSession:
    """Opened for the first run, and kept for those whose needs it meets. For a run that reads too
    much for it, or needs jars that it lacks, Spark is started anew, large enough for both."""

    def __init__(self, *, debug: bool = False) -> None:
        self._debug = debug
        self._settings: EngineSettings | None = None
        self._engine: Engine | None = None

    def lend(
        self, needed: EngineSettings, on_start: Callable[[], None]
    ) -> AbstractContextManager[Engine, None]:
        former = self._settings
        if self._engine is None or former is None or not former.meets(needed):
            wanted = needed if former is None else needed.joined_with(former)
            self.close()
            on_start()
            self._engine = open_session(wanted, debug=self._debug)
            self._settings = wanted
        return nullcontext(self._engine)

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def __enter__(self) -> SharedSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
