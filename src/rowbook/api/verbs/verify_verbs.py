"""The verb of a workspace that computes past runs again, and compares."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.api.client import Client, LazyModule, OnSession, OnStep, OnWait, find_run
from rowbook.errors import RowbookError

if TYPE_CHECKING:
    from rowbook.api.verbs import preview_verbs
    from rowbook.reports import certificates
    from rowbook.runs.preview.engine_choice import OnEngine
    from rowbook.runs.verify import verify_runs
    from rowbook.runs.verify.verification import Verification
else:
    certificates = LazyModule("rowbook.reports.certificates")
    preview_verbs = LazyModule("rowbook.api.verbs.preview_verbs")
    verify_runs = LazyModule("rowbook.runs.verify.verify_runs")


class VerifyVerbs:
    _client: Client

    def verify(
        self,
        *runs: str,
        period: str | None = None,
        all_active: bool = False,
        exact: bool = False,
        accept_changed_input: bool = False,
        certificate: str | Path | None = None,
        on_engine: OnEngine = lambda _: None,
        on_session: OnSession = lambda: None,
        on_step: OnStep = lambda _: None,
        on_wait: OnWait = lambda _: None,
    ) -> tuple[Verification, ...]:
        """Computes runs again from their snapshots, with their clocks and ids, and compares what
        comes out with what is recorded; no data is written. Of a `period`, or with `all_active` of
        all, these are the last completed runs of each project. With `exact` rows are compared, not
        their fingerprints alone. Where what was read changed and was not kept, a run cannot be
        recomputed, unless `accept_changed_input`. A `certificate` is an HTML page, with JSON
        beside it. What came of it is recorded, and sealed."""
        named = [bool(runs), period is not None, all_active]
        if sum(named) != 1:
            message = "name the runs to verify, or a period, or ask for all that are in force"
            raise RowbookError.of("USAGE_001", message)
        place = certificates.check_places(Path(certificate)) if certificate is not None else None
        engine = preview_verbs.engine_named(self._client, None)
        options = verify_runs.VerifyOptions(exact, accept_changed_input, engine, on_engine)
        listeners = preview_verbs.PreviewListeners(on_engine, on_session, on_step, on_wait)
        use = preview_verbs.spark_use(self._client, listeners)
        with self._client.open_runs() as workspace:
            store = workspace.store
            wanted: Sequence[str] = [find_run(store, each) for each in runs]
            if not runs:
                wanted = [each.id for each in verify_runs.runs_in_force(store, period)]
            found = tuple(
                verify_runs.verify_run(workspace, each, options, use)
                for each in dict.fromkeys(wanted)
            )
            if place is not None:
                certificates.save_certificate(workspace, found, place)
            return found
