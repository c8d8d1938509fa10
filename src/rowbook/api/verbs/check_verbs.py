"""The verb of a workspace for expectations alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowbook.api.client import LazyModule, OnSession, OnStep, OnWait
from rowbook.api.verbs.chain_verbs import ChainVerbs
from rowbook.api.verbs.row_verbs import Day, Parameters, day_text, given

if TYPE_CHECKING:
    from rowbook.api.verbs import preview_verbs
    from rowbook.runs.checking import check_project
    from rowbook.runs.checking.check_project import CheckResult
    from rowbook.runs.prepare import project_version
    from rowbook.runs.preview.engine_choice import EngineName, OnEngine
else:
    check_project = LazyModule("rowbook.runs.checking.check_project")
    preview_verbs = LazyModule("rowbook.api.verbs.preview_verbs")
    project_version = LazyModule("rowbook.runs.prepare.project_version")


class CheckVerbs(ChainVerbs):
    def check(
        self,
        project: str,
        period: str,
        *,
        draft: bool = False,
        as_of: Day = None,
        parameters: Parameters = None,
        engine: EngineName | None = None,
        on_engine: OnEngine = lambda _: None,
        on_session: OnSession = lambda: None,
        on_step: OnStep = lambda _: None,
        on_wait: OnWait = lambda _: None,
    ) -> CheckResult:
        """What would become of the expectations of a run of the active version, or of the files as
        they are: they alone are computed, nothing is written, and no run is recorded. `engine` and
        listeners are those of `preview_rows`."""
        watching = preview_verbs.PreviewListeners(on_engine, on_session, on_step, on_wait)
        wanted = project, period, day_text(as_of), None, given(parameters)
        with self._client.open() as workspace:
            request = project_version.choose_version(workspace, *wanted, draft=draft)
            use = preview_verbs.spark_use(self._client, watching)
            named = preview_verbs.engine_named(self._client, engine)
            return check_project.check_project(workspace, request, named, use, on_engine)
