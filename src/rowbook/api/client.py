"""Who works on a workspace, and what the verbs share: its store, its Spark, how runs are done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.api.kept_session import KeptSession
    from rowbook.api.results import RunStart
    from rowbook.engine.session.settings import EngineSettings
    from rowbook.planning.steps import AnyStep
    from rowbook.runs.execute.result import RunResult
    from rowbook.runs.execute.run import RunOptions
    from rowbook.store import Store

OnStep: TypeAlias = "Callable[[AnyStep], None]"
OnStart: TypeAlias = "Callable[[RunStart], None]"
OnEnd: TypeAlias = "Callable[[RunResult], None]"

_SHORTEST = 4
"""Characters of a run's id that may stand for it."""


class Client:
    """One that opened a workspace."""

    def __init__(
        self,
        root: Path,
        engine: str | None,
        spark: SparkSession | None,
        trigger: str,
        debug: bool,
        keeps_session: bool,
    ) -> None:
        self.root = root
        self.engine = engine
        self.debug = debug
        self.keeps_session = keeps_session
        self._trigger = trigger
        self._given = spark
        if spark is not None:
            from rowbook.api.kept_session import engine_name

            self.engine = engine_name(spark)
            self.session.check_open()

    @cached_property
    def session(self) -> KeptSession:
        """The one that verbs share; Spark starts when it is used."""
        from rowbook.api.kept_session import KeptSession

        return KeptSession(self._settings, self._given)

    @contextmanager
    def store(self) -> Iterator[Store]:
        """The store, in which dead runs have been seen to."""
        from rowbook.definitions.workspace_files import read_workspace
        from rowbook.runs.execute.recovery import recover_dead_runs
        from rowbook.runs.workspace_store import open_workspace_store

        with open_workspace_store(read_workspace(self.root)) as store:
            recover_dead_runs(store, self.root)
            yield store

    def options(self, reopened: str | None, on_step: OnStep | None) -> RunOptions:
        """How a run is done."""
        from rowbook.runs.execute.run import RunOptions

        if self.keeps_session:
            self.session.check_open()
        return RunOptions(
            self.engine,
            self.debug,
            on_step or (lambda _: None),
            reopened,
            self._trigger,
            self.session.lend if self.keeps_session else None,
        )

    def _settings(self) -> EngineSettings:
        from rowbook.definitions.workspace_files import read_workspace
        from rowbook.runs.prepare.engine_settings import engine_settings
        from rowbook.runs.prepare.extras import extras_in

        files = read_workspace(self.root)
        model = files.workspace.model if files.workspace else None
        return engine_settings(model, self.engine, profile="bulk", extras=extras_in(files))


def find_run(store: Store, begins: str) -> str:
    """The id of the run that an id, or the beginning of one, means; else the text as it is."""
    begins = begins.removesuffix("…")  # as lists cut it
    found = [each.id for each in store.runs.newest() if each.id.startswith(begins)]
    return found[0] if len(found) == 1 and len(begins) >= _SHORTEST else begins
