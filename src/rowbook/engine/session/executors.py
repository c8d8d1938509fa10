"""The executors of a session: where they are, and whether there are any."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rowbook.engine.session.settings import CHECKPOINT_FOLDER, is_local
from rowbook.engine.strategy.stages import Executors
from rowbook.errors import RowbookError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_LOOK, _MOMENT = 5.0, 15.0
"""Seconds between looks, and without an executor after which it is said that somebody waits."""
_USUAL_LIMIT = 600.0


def executors_of(spark: SparkSession) -> Executors:
    if is_local(spark.conf.get("spark.master", None) or ""):
        return Executors()
    return Executors(apart=True, shared_folder=bool(spark.conf.get(CHECKPOINT_FOLDER, None)))


def executor_limit() -> float:
    """Seconds that work waits for a first executor: `ROWBOOK_WAIT_SECONDS`."""
    return float(os.environ.get("ROWBOOK_WAIT_SECONDS") or _USUAL_LIMIT)


@contextlib.contextmanager
def start_awaited(where: str, on_wait: Callable[[str], None]) -> Iterator[None]:
    """A cluster may have a queue before it starts anything: after a moment that is said."""
    text = f"waiting for {where} to start Rowbook's application"
    timer = threading.Timer(_MOMENT, on_wait, [text])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextlib.contextmanager
def executors_awaited(spark: SparkSession, on_wait: Callable[[str], None]) -> Iterator[None]:
    """While work waits and there is no executor to do it, `on_wait` is told; after a while the work
    is dropped (ENGINE_011). A Connect server looks after its executors itself."""
    from pyspark.sql.utils import is_remote

    if is_remote() or not executors_of(spark).apart:
        yield
        return
    watch = _Watch(spark, on_wait)
    watch.start()
    try:
        yield
    except Exception as error:
        if watch.given_up is not None:
            raise watch.given_up from error
        raise
    finally:
        watch.over.set()
        watch.join()


class _Watch(threading.Thread):
    def __init__(self, spark: SparkSession, on_wait: Callable[[str], None]) -> None:
        super().__init__(name="executors", daemon=True)
        self.over = threading.Event()
        self.given_up: RowbookError | None = None
        self._context: Any = spark.sparkContext
        self._on_wait = on_wait

    def run(self) -> None:
        since, limit, said = time.monotonic(), executor_limit(), False
        while not self.over.wait(min(_LOOK, limit)):
            with contextlib.suppress(Exception):  # Spark may be at its end
                now = time.monotonic()
                if not self._is_waiting():
                    since, said = now, False
                elif now - since >= limit:
                    self.given_up = self._none(f"for {limit:g} s")
                    self._context.cancelAllJobs()
                elif now - since >= min(_MOMENT, limit / 2) and not said:
                    said = True
                    self._on_wait(f"waiting for executors of {self._context.master}: there is none")

    def _is_waiting(self) -> bool:
        """There is work, and nobody but the driver."""
        tracker = self._context._jsc.sc().statusTracker()
        return len(tracker.getActiveJobIds()) > 0 and len(tracker.getExecutorInfos()) <= 1

    def _none(self, how_long: str) -> RowbookError:
        message = f"{self._context.master} has had no executor for Rowbook {how_long}"
        return RowbookError.of("ENGINE_011", message)
