"""How a run is done: where Spark runs, and when it starts; who is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.engine.session.endpoints import endpoint
from rowbook.engine.session.executors import executors_awaited, start_awaited
from rowbook.engine.session.session import Engine
from rowbook.engine.session.settings import EngineSettings, check_conf
from rowbook.engine.session.shared_session import Lend, SharedSession
from rowbook.engine.session.sizing import Volume, run_conf
from rowbook.lineage.events.run_facts import ParentRun
from rowbook.planning.steps import AnyStep
from rowbook.runs.checking.waivers import WaiverRequest
from rowbook.runs.execute.run_figures import Figures
from rowbook.runs.prepare.engine_settings import engine_settings
from rowbook.sources.source import Extra

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OnStep = Callable[[AnyStep], None]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run is done: where Spark runs, who is told, and why a closed period is written to."""

    engine: str | None = None
    debug: bool = False
    on_step: OnStep = lambda _: None
    reopened: str | None = None
    trigger: str = "command"
    session: Lend | None = None
    """Lends a session that is kept for several runs; None: each run opens one and closes it."""
    figures: Figures | None = None
    """Where what is measured of the run goes; None: nothing is."""
    on_session: Callable[[], None] = lambda: None
    """Called when Spark is about to start, which takes seconds: not where a session is lent that is
    open. A run that is refused, or whose input is missing, ends before."""
    on_wait: Callable[[str], None] = lambda _: None
    """Told for whom the run waits: to write to a table, for executors of a cluster."""
    waive: WaiverRequest = field(default_factory=WaiverRequest)
    """Expectations that shall not stop it, and why."""
    parent: ParentRun | None = None
    """The chain that it is a part of, for who is told of runs."""

    def settings(self, workspace: WorkspaceDefinition | None) -> EngineSettings:
        return engine_settings(workspace, self.engine, profile="bulk")

    @contextmanager
    def open_session(
        self, settings: EngineSettings, volume: Volume, extras: frozenset[Extra]
    ) -> Iterator[Engine]:
        """The session that is lent, or a new one; set up for a run on so much data."""
        settings = replace(settings, extras=extras, profile=volume.profile)
        with SharedSession(debug=self.debug) as own:
            with ExitStack() as waiting:
                if not settings.sees_this_disk:
                    where = endpoint(settings.remote or settings.master)
                    waiting.enter_context(start_awaited(where, self.on_wait))
                lent = (self.session or own.lend)(settings, self.on_session)
            with lent as engine:
                yield engine.set_up(run_conf(volume, settings))

    def with_one_session(self, resources: ExitStack) -> RunOptions:
        """All that a run asks of Spark is asked of the same, until `resources` end."""
        if self.session is not None:
            return self
        shared = resources.enter_context(SharedSession(debug=self.debug))
        return replace(self, session=shared.lend)

    @contextmanager
    def asking_session(
        self, settings: EngineSettings, extras: frozenset[Extra]
    ) -> Iterator[SparkSession]:
        """For what Spark alone knows of the input, before anybody knows how much that is."""
        unknown = Volume(0, is_known=False)
        with (
            self.open_session(settings, unknown, extras) as engine,
            executors_awaited(engine.spark, self.on_wait),
        ):
            yield engine.spark

    @contextmanager
    def late_session(
        self, settings: EngineSettings, volume: Volume, extras: frozenset[Extra]
    ) -> Iterator[RunSession]:
        """The same, opened when it is first asked for; settings that may not be are refused now."""
        check_conf(settings.conf)
        with ExitStack() as opened:
            yield RunSession(
                lambda: opened.enter_context(self.open_session(settings, volume, extras))
            )


class RunSession:
    """The session of a run, opened when somebody first asks for it: few rows may never need it."""

    def __init__(self, opened: Callable[[], Engine]) -> None:
        self._opened = opened

    @cached_property
    def engine(self) -> Engine:
        return self._opened()

    @property
    def spark(self) -> SparkSession:
        return self.engine.spark

    def cancel(self) -> None:
        """Drops what Spark is at work on, if it is. For other threads."""
        if "engine" in self.__dict__:
            self.engine.cancel()
