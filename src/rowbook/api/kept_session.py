"""The Spark session of an open workspace: one for all its runs and previews."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from threading import Lock
from typing import TYPE_CHECKING, Any

from rowbook.engine.session.session import Engine, adopt_session, open_session
from rowbook.engine.session.settings import EngineSettings
from rowbook.errors import RowbookError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class KeptSession:
    """Opened when it is first asked for, kept until `close`. One that was handed in is worked on
    from the start, and stays open."""

    def __init__(
        self, settings: Callable[[], EngineSettings], given: SparkSession | None = None
    ) -> None:
        self._settings = settings
        self._engine = adopt_session(given) if given is not None else None
        self._closed = False
        self._opening = Lock()

    def engine(self, on_start: Callable[[], None] = lambda: None) -> Engine:
        with self._opening:
            self.check_open()
            if self._engine is None:
                on_start()
                self._engine = open_session(self._settings())
            return self._engine

    def lend(
        self, _: EngineSettings, on_start: Callable[[], None]
    ) -> AbstractContextManager[Engine, None]:
        """The session for one run, which does not close it; it has what any run may need."""
        return nullcontext(self.engine(on_start))

    def check_open(self) -> None:
        if self._closed:
            hint = "open it again with Workspace.open"
            raise RowbookError.of("USAGE_001", "the workspace was closed", hint=hint)

    def close(self) -> None:
        with self._opening:
            self._closed = True
            if self._engine is not None:
                self._engine.close()


def engine_name(spark: SparkSession) -> str:
    """Where a session that was handed in runs, for the record of a run."""
    if hasattr(spark, "newSession"):
        return str(spark.sparkContext.master)
    connect: Any = spark
    return f"sc://{connect.client.host}"
