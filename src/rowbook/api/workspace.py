"""A workspace from Python: what `rowbook` does on the command line, with values for results.

Verbs import what they need when they are called: checking does not wait for the store, nor planning
for Spark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.api.client import (
    Client,
    LazyModule,
    OnEnd,
    OnSession,
    OnStart,
    OnStep,
    OnWait,
    find_run,
)
from rowbook.api.path_choice import parts_of
from rowbook.api.verbs.lineage_verbs import LineageVerbs
from rowbook.api.verbs.proof_verbs import ProofVerbs
from rowbook.api.verbs.row_verbs import Day, Parameters, day_text, given
from rowbook.api.verbs.seal_verbs import SealVerbs
from rowbook.api.verbs.verify_verbs import VerifyVerbs
from rowbook.definitions.workspace_root import find_workspace
from rowbook.errors import RowbookError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.api import results
    from rowbook.api.results import Applied, Deactivation, RunDetails, Validation
    from rowbook.api.verbs import run_verbs, scenario_verbs, version_verbs
    from rowbook.api.verbs.scenario_verbs import TestEngine
    from rowbook.engine.compare.difference import Criteria
    from rowbook.periods import Period
    from rowbook.runs.compare.compare_runs import RunDifference
    from rowbook.runs.compare.repetition import Repetition
    from rowbook.runs.execute.cleanup import Removal
    from rowbook.runs.execute.result import RunResult
    from rowbook.runs.run_plan import plan_run
    from rowbook.runs.run_plan.plan_model import RunPlan
    from rowbook.runs.versions.activation import ActivationResult
    from rowbook.runs.versions.application import ChangePlan
    from rowbook.runs.versions.dataset_registry import DatasetDetails, DatasetVersion
    from rowbook.runs.versions.period_status import PeriodLine
    from rowbook.scenarios.runner import ScenarioResult
    from rowbook.store import JsonObject, PeriodState, ProjectChange, Run, RunStatus
    from rowbook.trust.decision import Trust
    from rowbook.watch import rounds
    from rowbook.watch.events import WatchEvent
else:
    results = LazyModule("rowbook.api.results")
    run_verbs = LazyModule("rowbook.api.verbs.run_verbs")
    scenario_verbs = LazyModule("rowbook.api.verbs.scenario_verbs")
    version_verbs = LazyModule("rowbook.api.verbs.version_verbs")
    rounds = LazyModule("rowbook.watch.rounds")
    plan_run = LazyModule("rowbook.runs.run_plan.plan_run")


class Workspace(ProofVerbs, LineageVerbs, SealVerbs, VerifyVerbs):
    """A workspace with its verbs, from `open` to `close`.

    Files are read anew by every verb: edit them, and call it again. What is wrong with definitions
    or with what was asked for is raised as RowbookError, with all that was found in `diagnostics`;
    a run that started and failed is a result.
    """

    @property
    def root(self) -> Path:
        return self._client.root

    @classmethod
    def open(
        cls,
        path: str | Path = ".",
        *,
        engine: str | None = None,
        spark: SparkSession | None = None,
        trigger: str = "python",
        debug: bool = False,
        keep_session: bool = True,
        trust: Trust = False,
    ) -> Workspace:
        """The workspace at a folder or above it.

        Spark starts when it is first needed, as the workspace's `engine` says, or `engine`: a Spark
        master or an sc:// endpoint. It then serves all runs and previews until `close`. `spark` is
        a running session to work on instead, which stays open. Without `keep_session` each verb
        that needs Spark starts it, as large as its data needs, and ends it.

        `trigger` is what the record of a run says about where it came from. With `debug` failures
        inside Spark are raised as they are.

        Settings that reach beyond the workspace (jars, other machines, folders and secrets) are
        used only if they were trusted before, on the command line, or with `trust`: True, or a
        function that is asked and whose yes is remembered. Else verbs other than `validate` are
        refused (WORKSPACE_006).
        """
        if engine is not None and spark is not None:
            raise RowbookError.of("USAGE_001", "name an engine or hand in a session, not both")
        if not Path(path).exists():
            raise RowbookError.of("WORKSPACE_001", f"{path} does not exist")
        root = find_workspace(Path(path))
        return cls(Client(root, engine, spark, trigger, debug, keep_session, trust))

    @property
    def spark(self) -> SparkSession:
        """The session that runs and previews use; it is started if it was not yet."""
        return self._client.session.engine().spark

    def close(self) -> None:
        """Ends Spark if it was started here. What needs Spark is refused from then on, and frames
        that came from `preview` and `read` can no longer be computed."""
        self._client.session.close()

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Workspace('{self.root}')"

    def validate(self, *paths: str | Path) -> Validation:
        """Every finding in every definition, or in those of some files and folders; no Spark, no
        data. Notes say where files of active projects are not what runs."""
        with self._client.open_files() as workspace:
            return results.Validation.of(workspace, parts_of(paths))

    def test(
        self,
        *paths: str | Path,
        text: str = "",
        engine: TestEngine = "reference",
        on_start: Callable[[], AbstractContextManager[None]] = nullcontext,
        on_begin: Callable[[str], None] = lambda _: None,
        on_done: Callable[[ScenarioResult], None] = lambda _: None,
    ) -> tuple[ScenarioResult, ...]:
        """Runs scenarios: all, or those in some files and folders whose name contains a text, in
        any case. `engine` is what computes them: the reference engine, which needs no Spark; Spark,
        in the session of the workspace; or both, and then all that they give must be the same
        (SCENARIO_006). `on_start` is entered around the start of Spark; `on_begin` and `on_done`
        hear of each scenario. USAGE_001 where there is none."""
        watching = scenario_verbs.ScenarioListeners(on_start, on_begin, on_done)
        run = scenario_verbs.run_workspace_scenarios
        return run(self._client, paths, text, engine, watching)

    def watch(
        self,
        project: str | None = None,
        period: str | None = None,
        *,
        parameters: Parameters = None,
        once: bool = False,
    ) -> Iterator[WatchEvent]:
        """Checks definitions and runs scenarios; then at every save, those that it touches. With a
        project and a period, what a save does to the rows of a small input. `once`: one round."""
        followed = rounds.WatchedProject.of(project, period, given(parameters))
        return rounds.watch(self._client.root, self._client.open, followed, once=once)

    def plan_changes(self) -> ChangePlan:
        """What `apply` would record; nothing is recorded."""
        return self._client.call(version_verbs.plan_changes)

    def apply(self, plan: ChangePlan | None = None) -> Applied:
        """Records changed datasets, data sources, resolvers and calendars as new versions: those of
        a plan that was looked at, else all. A breaking change of a dataset puts the active projects
        that use it into conflict."""
        with self._client.open(plan.files if plan else None) as workspace:
            return version_verbs.apply(workspace, plan)

    def activate(self, project: str, *, keep_pin: bool = False) -> ActivationResult:
        """Checks a project, pins its datasets' versions, and makes it the version that runs. With
        `keep_pin` it stays on the dataset versions that were active before."""
        return self._client.call(version_verbs.activate_project, project, keep_pin=keep_pin)

    def deactivate(self, project: str, *, reason: str | None = None) -> Deactivation:
        """Stops a project from running until it is activated again."""
        return self._client.call(version_verbs.deactivate_project, project, reason)

    def project_history(self, project: str) -> tuple[ProjectChange, ...]:
        """The changes of a project's status, oldest first: who, when, why."""
        return self._client.call(version_verbs.project_history, project)

    def plan(
        self,
        project: str,
        period: str,
        *,
        draft: bool = False,
        as_of: Day = None,
        parameters: Parameters = None,
        connect: bool = False,
    ) -> RunPlan:
        """What `run` would do, with the columns after each step; no Spark, no rows, no trace.
        Databases are asked about their tables only with `connect`."""
        verb = plan_run.plan_run
        wanted = project, period, day_text(as_of), given(parameters)
        return self._client.call(verb, *wanted, draft=draft, connect=connect)

    def run(
        self,
        project: str,
        period: str,
        *,
        draft: bool = False,
        as_of: Day = None,
        now: Day = None,
        parameters: Parameters = None,
        reopen_closed: str | None = None,
        on_step: OnStep | None = None,
        on_start: OnStart | None = None,
        on_session: OnSession | None = None,
        on_wait: OnWait | None = None,
        report: str | Path | None = None,
        report_column: str | None = None,
        waive: Sequence[str] = (),
        reason: str | None = None,
    ) -> RunResult:
        """Runs the active version of a project, with the dataset versions that it pins.

        A draft, and a project that was never activated, runs the files as they are, and writes into
        `.rowbook/sandbox/<run id>/`. `now` is the run's clock, for repeating one; `parameters` are
        values for the project's parameters, recorded with the run; `reopen_closed` says why a
        closed period is written to; `on_step` is told of each operation as it begins, `on_session`
        that Spark starts, `on_wait` for whom the run waits (another writer of a table, a cluster),
        and `on_start` of the run; where nobody is, a draft that was not asked for is a warning.
        `report` is where a page about the run goes, however it ends; it follows the total of
        `report_column`, else of a decimal that is not 0, and costs a pass for each operation.
        `waive` names expectations that shall not stop it, for a `reason` that is recorded.

        A run that fails is a result too: see its `status` and `error`. Raised is what keeps it from
        starting: faults of definitions, another run of the project and period, a closed period.
        """
        if report is None and report_column is not None:
            raise RowbookError.of("USAGE_001", "report_column is for a report")
        waived = run_verbs.WaiverRequest.checked(waive, reason)
        checked = run_verbs.ReportOrder.checked
        order = None if report is None else checked(Path(report), report_column)
        wanted = project, period, day_text(as_of), day_text(now), given(parameters)
        with self._client.open_runs() as workspace:
            request = run_verbs.choose_version(workspace, *wanted, draft=draft)
            options = self._client.options(on_step, on_session, reopen_closed, on_wait, waived)
            watch = run_verbs.Watch(draft, on_start)
            (result,) = run_verbs.run_requests(workspace, [request], options, watch, order)
            return result

    def run_periods(
        self,
        project: str,
        first: str,
        last: str,
        *,
        draft: bool = False,
        now: Day = None,
        parameters: Parameters = None,
        reopen_closed: str | None = None,
        on_step: OnStep | None = None,
        on_start: OnStart | None = None,
        on_session: OnSession | None = None,
        on_wait: OnWait | None = None,
        on_end: OnEnd = lambda _: None,
        waive: Sequence[str] = (),
        reason: str | None = None,
    ) -> tuple[RunResult, ...]:
        """As `run`, for the periods from the first to the last, one after the other; the run that
        does not complete is the last. `on_end` is told of each: a later one may be refused."""
        waived = run_verbs.WaiverRequest.checked(waive, reason)
        with self._client.open_runs() as workspace:
            requests = run_verbs.request_periods(
                workspace, project, first, last, day_text(now), given(parameters), draft=draft
            )
            options = self._client.options(on_step, on_session, reopen_closed, on_wait, waived)
            watch = run_verbs.Watch(draft, on_start, on_end)
            return run_verbs.run_requests(workspace, requests, options, watch)

    def resume(
        self,
        run_id: str,
        *,
        accept_changed_input: bool = False,
        reopen_closed: str | None = None,
        on_step: OnStep | None = None,
        on_session: OnSession | None = None,
        on_wait: OnWait | None = None,
        waive: Sequence[str] = (),
        reason: str | None = None,
    ) -> RunResult:
        """Goes on with a failed run: same snapshot, same clock, same row ids; outputs that it
        finished are not written again. Refused (RUN_008) where its input was changed. `waive` names
        expectations that stopped it, and publishes nevertheless, for a `reason`."""
        waived = run_verbs.WaiverRequest.checked(waive, reason)
        with self._client.open_runs() as workspace:
            found = find_run(workspace.store, run_id)
            options = self._client.options(on_step, on_session, reopen_closed, on_wait, waived)
            return run_verbs.resume_run(
                workspace, found, options, accept_changed_input=accept_changed_input
            )

    def approve(
        self,
        run_id: str,
        *,
        comment: str | None = None,
        reopen_closed: str | None = None,
        on_session: OnSession | None = None,
        on_wait: OnWait | None = None,
    ) -> RunResult:
        """Publishes what a run computed that waits for approval (`approval: before_publish`):
        exactly these rows. Refused (APPROVAL_003) where its input, its destinations or the staged
        rows are not what they were, and (APPROVAL_002) for who started it, unless the workspace
        says `self_approval: true`."""
        with self._client.open_runs() as workspace:
            found = find_run(workspace.store, run_id)
            options = self._client.options(None, on_session, reopen_closed, on_wait)
            return run_verbs.approve_run(workspace, found, options, comment)

    def reject(self, run_id: str, *, comment: str | None = None) -> Run:
        """Ends a run that waits for approval; nothing of it is published."""
        with self._client.open_runs() as workspace:
            return run_verbs.reject_run(workspace, find_run(workspace.store, run_id), comment)

    def repeat(
        self, run_id: str, *, on_step: OnStep | None = None, on_session: OnSession | None = None
    ) -> Repetition:
        """Runs again what a run ran, from its snapshot, as a draft: with the same data, the same
        rows and row ids come out, whatever became of the files. The result says of each input and
        output whether it is equal to the run's."""
        with self._client.open_runs() as workspace:
            found = find_run(workspace.store, run_id)
            options = self._client.options(on_step, on_session)
            return run_verbs.repeat_compared(workspace, found, options)

    def diff(
        self,
        project: str,
        period: str,
        *,
        run: str | None = None,
        output: str | None = None,
        criteria: Criteria | None = None,
        recompute: bool = False,
        parameters: Parameters = None,
        on_step: OnStep | None = None,
        on_session: OnSession | None = None,
    ) -> RunDifference:
        """What a changed file does: it is run as a draft and compared with the last completed run
        of the project and period, whose as-of date and clock it gets, and what that was given for
        parameters, `parameters` before it. `run` is one that is there already, to compare instead
        of a new draft. See `diff_runs` for the rest."""
        if run is not None and parameters:
            raise RowbookError.of("USAGE_001", "parameters are for a new draft, not for a run")
        request = run_verbs.comparison(criteria, output, recompute, given(parameters))
        with self._client.open_runs() as workspace:
            options = self._client.options(on_step, on_session)
            if run is None:
                return run_verbs.compare_draft(workspace, project, period, request, options)
            found = find_run(workspace.store, run)
            return run_verbs.compare_with_last(workspace, project, period, found, request, options)

    def diff_runs(
        self,
        before: str,
        after: str,
        *,
        output: str | None = None,
        criteria: Criteria | None = None,
        recompute: bool = False,
        on_step: OnStep | None = None,
        on_session: OnSession | None = None,
    ) -> RunDifference:
        """How what a run wrote differs from what another wrote before: all outputs that both have,
        or one by seq, name or table. `criteria` says what is compared and how. Where data of a run
        was replaced since, that is refused (RUN_010), or with `recompute` the run is repeated."""
        request = run_verbs.comparison(criteria, output, recompute)
        with self._client.open_runs() as workspace:
            runs = find_run(workspace.store, before), find_run(workspace.store, after)
            options = self._client.options(on_step, on_session)
            return run_verbs.compare_runs(workspace, *runs, request, options)

    def cancel(self, run_id: str) -> Run:
        """Asks a run to end; one that is at work sees it within seconds."""
        with self._client.open_runs() as workspace:
            return version_verbs.cancel_run(workspace, find_run(workspace.store, run_id))

    def runs(
        self,
        *,
        project: str | None = None,
        period: str | None = None,
        status: RunStatus | None = None,
        limit: int | None = None,
    ) -> tuple[Run, ...]:
        """What ran, newest first."""
        with self._client.open_runs() as workspace:
            found = workspace.store.runs
            return found.newest(project=project, period=period, status=status, limit=limit)

    def show(self, run_id: str) -> RunDetails:
        """A run with its parameters, ledger, outputs and warnings."""
        with self._client.open_runs() as workspace:
            runs, found = workspace.store.runs, find_run(workspace.store, run_id)
            return results.RunDetails.of(runs.record(found), runs.snapshot(found))

    def snapshot(self, run_id: str) -> JsonObject | None:
        """All that decided a run, as it was stored before the run began; None if it never did."""
        with self._client.open_runs() as workspace:
            store = workspace.store
            return store.runs.snapshot(store.runs.get(find_run(store, run_id)).id)

    def definitions(self, run_id: str) -> str:
        """The project that a run ran and what it used, as definition files; empty if it never
        began."""
        from rowbook.runs.prepare.run_snapshot import definitions_text

        taken = self.snapshot(run_id)
        return definitions_text(taken) if taken else ""

    def report(self, run_id: str, path: str | Path) -> str:
        """Writes a page about a run that was, from its record, and gives the run's id. Amounts and
        sample rows are taken while a run runs: see `run`."""
        from rowbook.reports.report_page import report_html
        from rowbook.reports.running import report_of
        from rowbook.reports.saving import check_place, save

        place = check_place(Path(path), "report")
        with self._client.open_runs() as workspace:
            found = report_of(workspace, find_run(workspace.store, run_id))
        save(report_html(found), place, "report")
        return found.run_id

    def gc(self, *, older_than: int = 30) -> tuple[Removal, ...]:
        """Removes what drafts and failed runs left, so many days after they ended."""
        return self._client.call(version_verbs.clean_up, older_than)

    def datasets(self) -> tuple[DatasetVersion, ...]:
        """The latest version of each dataset that was applied or registered by a run."""
        return self._client.call(version_verbs.list_datasets)

    def dataset(self, name: str, version: int | None = None) -> DatasetDetails:
        """A dataset with its versions, and the runs that wrote it."""
        return self._client.call(version_verbs.dataset_details, name, version)

    def periods(
        self, *, calendar: str = "gregorian", year: int | None = None
    ) -> tuple[PeriodLine, ...]:
        """The months of a year, else of the current one, and the periods that are closed or
        locked."""
        return self._client.call(version_verbs.list_year, calendar, year)

    def period(self, period: str, *, calendar: str = "gregorian") -> Period:
        return self._client.call(version_verbs.find_period, calendar, period)

    def close_period(
        self, period: str, *, calendar: str = "gregorian", reason: str | None = None
    ) -> PeriodLine:
        """Closes a period: runs write into it only with `reopen_closed` and a reason."""
        return self._client.call(version_verbs.move, period, calendar, "closed", reason)

    def lock_period(
        self, period: str, *, calendar: str = "gregorian", reason: str | None = None
    ) -> PeriodLine:
        """Locks a closed period for good: nothing is ever written into it again."""
        return self._client.call(version_verbs.move, period, calendar, "locked", reason)

    def period_history(
        self, period: str | None = None, *, calendar: str = "gregorian"
    ) -> tuple[PeriodState, ...]:
        """Who closed and locked a period, or all of a calendar, when and why, oldest first."""
        return self._client.call(version_verbs.period_history, calendar, period)
