"""Who works on a workspace, and what the verbs share: its store, its Spark, how runs are done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeAlias, TypeVar

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.api.kept_session import KeptSession
    from rowbook.api.results import RunStart
    from rowbook.definitions.workspace_files import WorkspaceFiles
    from rowbook.engine.session.settings import EngineSettings
    from rowbook.planning.steps import AnyStep
    from rowbook.runs.checking.waivers import WaiverRequest
    from rowbook.runs.execute.execute_run import RunOptions
    from rowbook.runs.execute.result import RunResult
    from rowbook.runs.open_workspace import OpenWorkspace
    from rowbook.store import Store
    from rowbook.trust.decision import Trust

OnStep: TypeAlias = "Callable[[AnyStep], None]"
OnStart: TypeAlias = "Callable[[RunStart], None]"
OnEnd: TypeAlias = "Callable[[RunResult], None]"
OnSession: TypeAlias = Callable[[], None]
OnWait: TypeAlias = Callable[[str], None]
P = ParamSpec("P")
T = TypeVar("T")

_SHORTEST = 4
"""Characters of a run's id that may stand for it."""


class LazyModule:
    """A module that is imported when it is first used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> object:
        return getattr(import_module(self._name), name)


class Client:
    def __init__(
        self,
        root: Path,
        engine: str | None,
        spark: SparkSession | None,
        trigger: str,
        debug: bool,
        keeps_session: bool,
        trust: Trust = False,
    ) -> None:
        self.root = root
        self.engine = engine
        self.debug = debug
        self.keeps_session = keeps_session
        self._trigger = trigger
        self._trust = trust
        self._given = spark
        if spark is not None:
            from rowbook.api.kept_session import engine_name

            self.engine = engine_name(spark)
            self.session.check_open()

    @cached_property
    def session(self) -> KeptSession:
        from rowbook.api.kept_session import KeptSession

        return KeptSession(self._settings, self._given)

    def open(self, files: WorkspaceFiles | None = None) -> OpenWorkspace:
        """WORKSPACE_006 where its settings are not trusted."""
        workspace = self.open_files(files)
        workspace.check_trust()
        return workspace

    def open_files(self, files: WorkspaceFiles | None = None) -> OpenWorkspace:
        """For checking files alone, which uses none of what must be trusted."""
        from rowbook.runs.open_workspace import OpenWorkspace

        return OpenWorkspace(self.root, files, trust=self._trust)

    def call(
        self, verb: Callable[Concatenate[OpenWorkspace, P], T], *args: P.args, **options: P.kwargs
    ) -> T:
        with self.open() as workspace:
            return verb(workspace, *args, **options)

    @contextmanager
    def open_runs(self) -> Iterator[OpenWorkspace]:
        """A workspace in whose store dead runs of this user have been seen to; those of others are
        for verbs that run."""
        from rowbook.runs.execute.dead_runs import recover_dead_runs

        with self.open() as workspace:
            recover_dead_runs(workspace, reading=True)
            yield workspace

    def options(
        self,
        on_step: OnStep | None,
        on_session: OnSession | None = None,
        reopened: str | None = None,
        on_wait: OnWait | None = None,
        waive: WaiverRequest | None = None,
    ) -> RunOptions:
        from rowbook.runs.checking.waivers import WaiverRequest
        from rowbook.runs.execute.execute_run import RunOptions

        if self.keeps_session:
            self.session.check_open()
        return RunOptions(
            self.engine,
            self.debug,
            on_step or (lambda _: None),
            reopened,
            self._trigger,
            self.session.lend if self.keeps_session else None,
            on_session=on_session or (lambda: None),
            on_wait=on_wait or (lambda _: None),
            waive=waive or WaiverRequest(),
        )

    def _settings(self) -> EngineSettings:
        from rowbook.runs.prepare.engine_settings import engine_settings, workspace_extras

        with self.open() as workspace:
            extras = workspace_extras(workspace.files)
            return engine_settings(workspace.settings, self.engine, profile="bulk", extras=extras)


def find_run(store: Store, begins: str) -> str:
    """The id of the run that an id, the beginning of one, or `latest` means; else the text as it
    is."""
    if begins == "latest":
        return next((each.id for each in store.runs.newest(limit=1)), begins)
    begins = begins.removesuffix("…")  # as lists cut it
    found = [each.id for each in store.runs.newest() if each.id.startswith(begins)]
    return found[0] if len(found) == 1 and len(begins) >= _SHORTEST else begins
