"""Processor time: of this process with all it started, and of functions wherever they are used."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

from benchmarks.measuring.memory import family


def processor_seconds() -> float:
    """Of this process and those that it started: Spark's JVM."""
    ticks = 0
    for process in family(os.getpid()):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class SpentTime:
    """Seconds that functions took of the threads that they were called in, all together."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._lock = threading.Lock()

    def counted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def timed(*arguments: Any, **named: Any) -> Any:
            began = time.thread_time()
            try:
                return function(*arguments, **named)
            finally:
                taken = time.thread_time() - began
                with self._lock:
                    self.seconds += taken

        return timed


@contextmanager
def spent_in(places: Sequence[tuple[Any, str]]) -> Iterator[SpentTime]:
    """By functions of modules and classes, which must not call each other."""
    spent = SpentTime()
    functions = [getattr(owner, name) for owner, name in places]
    for (owner, name), function in zip(places, functions, strict=True):
        setattr(owner, name, spent.counted(function))
    try:
        yield spent
    finally:
        for (owner, name), function in zip(places, functions, strict=True):
            setattr(owner, name, function)
