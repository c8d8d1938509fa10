"""A workspace from Python: what `rowbook` does on the command line, with values for results.

Verbs import what they need when they are called: checking does not wait for the store, nor planning
for Spark.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from datetime import date, timedelta
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeAlias

from rowbook.api.client import Client, OnEnd, OnSession, OnStart, OnStep, find_run
from rowbook.api.path_choice import parts_of
from rowbook.definitions.workspace_root import find_workspace
from rowbook.errors import RowbookError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from rowbook.api.results import Applied, Deactivation, Preview, RunDetails, Validation
    from rowbook.engine.compare.difference import Criteria
    from rowbook.periods import Period
    from rowbook.runs.compare.compare_runs import RunDifference
    from rowbook.runs.execute.cleanup import Removal
    from rowbook.runs.execute.result import RunResult
    from rowbook.runs.run_plan.plan_model import RunPlan
    from rowbook.runs.versions.activation import ActivationResult
    from rowbook.runs.versions.application import ChangePlan
    from rowbook.runs.versions.dataset_registry import DatasetDetails, DatasetVersion
    from rowbook.runs.versions.period_status import PeriodLine
    from rowbook.scenarios.runner import ScenarioResult
    from rowbook.store import JsonObject, PeriodState, ProjectChange, Run, RunStatus

Day: TypeAlias = str | date | None
"""A date, or a datetime, which is one too, or its ISO text. Without a zone a time is UTC."""


class Workspace:
    """A workspace with its verbs, from `open` to `close`.

    Files are read anew by every verb: edit them, and call it again. What is wrong with definitions
    or with what was asked for is raised as RowbookError, with all that was found in `diagnostics`;
    a run that started and failed is a result.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    @property
    def root(self) -> Path:
        """Its folder."""
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
    ) -> Workspace:
        """The workspace at a folder or above it.

        Spark starts when it is first needed, as the workspace's `engine` says, or `engine`: a Spark
        master or an sc:// endpoint. It then serves all runs and previews until `close`. `spark` is
        a running session to work on instead, which stays open. Without `keep_session` each verb
        that needs Spark starts it, as large as its data needs, and ends it.

        `trigger` is what the record of a run says about where it came from. With `debug` failures
        inside Spark are raised as they are.
        """
        if engine is not None and spark is not None:
            raise RowbookError.of("USAGE_001", "name an engine or hand in a session, not both")
        if not Path(path).exists():
            raise RowbookError.of("WORKSPACE_001", f"{path} does not exist")
        root = find_workspace(Path(path))
        return cls(Client(root, engine, spark, trigger, debug, keep_session))

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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Workspace('{self.root}')"

    def validate(self, *paths: str | Path) -> Validation:
        """Every finding in every definition, or in those of some files and folders; no Spark, no
        data."""
        from rowbook.api.results import Validation

        with self._client.open() as workspace:
            return Validation.of(workspace.checked, parts_of(paths))

    def test(
        self,
        *paths: str | Path,
        text: str = "",
        on_start: Callable[[], AbstractContextManager[None]] = nullcontext,
        on_begin: Callable[[str], None] = lambda _: None,
        on_done: Callable[[ScenarioResult], None] = lambda _: None,
    ) -> tuple[ScenarioResult, ...]:
        """Runs scenarios: all, or those in some files and folders whose name contains a text, in
        any case. `on_start` is entered around the start of Spark; `on_begin` and `on_done` hear of
        each scenario. USAGE_001 where there is none."""
        from rowbook.api.scenario_verbs import run_workspace_scenarios

        return run_workspace_scenarios(self._client, paths, text, on_start, on_begin, on_done)

    def plan_changes(self) -> ChangePlan:
        """What `apply` would record; nothing is recorded."""
        from rowbook.runs.versions.application import plan_changes

        with self._client.open() as workspace:
            return plan_changes(workspace)

    def apply(self, plan: ChangePlan | None = None) -> Applied:
        """Records changed datasets, data sources, resolvers and calendars as new versions: those of
        a plan that was looked at, else all. A breaking change of a dataset puts the active projects
        that use it into conflict."""
        from rowbook.api.version_verbs import apply
        from rowbook.runs.open_workspace import OpenWorkspace

        with OpenWorkspace(self.root, plan.files if plan else None) as workspace:
            return apply(workspace, plan)

    def activate(self, project: str, *, keep_pin: bool = False) -> ActivationResult:
        """Checks a project, pins its datasets' versions, and makes it the version that runs. With
        `keep_pin` it stays on the dataset versions that were active before."""
        from rowbook.api.version_verbs import activate_project

        with self._client.open() as workspace:
            return activate_project(workspace, project, keep_pin=keep_pin)

    def deactivate(self, project: str, *, reason: str | None = None) -> Deactivation:
        """Stops a project from running until it is activated again."""
        from rowbook.api.version_verbs import deactivate_project

        with self._client.open() as workspace:
            return deactivate_project(workspace, project, reason)

    def project_history(self, project: str) -> tuple[ProjectChange, ...]:
        """The changes of a project's status, oldest first: who, when, why."""
        from rowbook.runs.versions.activation import project_history

        with self._client.open() as workspace:
            return project_history(workspace, project)

    def plan(self, project: str, period: str, *, draft: bool = False, as_of: Day = None) -> RunPlan:
        """What `run` would do, with the columns after each step; no Spark, no rows, no trace."""
        from rowbook.runs.run_plan.plan_run import plan_run

        with self._client.open() as workspace:
            return plan_run(workspace, project, period, _text(as_of), draft=draft)

    def preview(
        self,
        project: str,
        period: str,
        after: int | None = None,
        *,
        as_of: Day = None,
        now: Day = None,
        system: bool = False,
    ) -> DataFrame:
        """The rows of the working dataset after an operation, else after the last, by the files as
        they are; nothing is written. `system` adds the system columns.

        The frame is computed when it is used, and as long as the workspace is open. A value that
        fails it then fails it with Spark's own error; `run` would say which operation it is.
        """
        from rowbook.api.preview_verbs import preview_frame, request_preview

        with self._client.open() as workspace:
            day, clock = _text(as_of), _text(now)
            request = request_preview(workspace, project, period, after, day, clock)
            return preview_frame(self._client, request, after, system=system)

    def preview_rows(
        self,
        project: str,
        period: str,
        after: int | None = None,
        *,
        limit: int = 20,
        as_of: Day = None,
        now: Day = None,
        on_session: OnSession = lambda: None,
        on_step: OnStep = lambda _: None,
    ) -> Preview:
        """As `preview`, computed: the first rows, with all columns. `on_session` is called before
        Spark starts. A value that fails it is explained as `run` would."""
        from rowbook.api.preview_verbs import preview_rows, request_preview

        with self._client.open() as workspace:
            day, clock = _text(as_of), _text(now)
            request = request_preview(workspace, project, period, after, day, clock)
            return preview_rows(self._client, request, after, limit, on_step, on_session)

    def read(
        self,
        dataset: str,
        period: str,
        *,
        version: int | None = None,
        calendar: str = "gregorian",
        as_of: Day = None,
    ) -> DataFrame:
        """The rows of a dataset as a run for that period would load them: resolved, mapped,
        checked, filtered, without deleted ones. They are computed as those of `preview` are."""
        from rowbook.api.dataset_read import request_dataset
        from rowbook.api.preview_verbs import preview_frame

        with self._client.open() as workspace:
            day = _text(as_of)
            request = request_dataset(workspace, dataset, version, calendar, period, day)
            return preview_frame(self._client, request, None, system=False)

    def run(
        self,
        project: str,
        period: str,
        *,
        draft: bool = False,
        as_of: Day = None,
        now: Day = None,
        reopen_closed: str | None = None,
        on_step: OnStep | None = None,
        on_start: OnStart | None = None,
        on_session: OnSession | None = None,
        report: str | Path | None = None,
        report_column: str | None = None,
    ) -> RunResult:
        """Runs the active version of a project, with the dataset versions that it pins.

        A draft, and a project that was never activated, runs the files as they are, and writes into
        `.rowbook/sandbox/<run id>/`. `now` is the run's clock, for repeating one; `reopen_closed`
        says why a closed period is written to; `on_step` is told of each operation as it begins,
        `on_session` that Spark starts, and `on_start` of the run; where nobody is, a draft that was
        not asked for is a warning.
        `report` is where a page about the run goes, however it ends; it follows the total of
        `report_column`, else of the input's first decimal, and costs a pass for each operation.

        A run that fails is a result too: see its `status` and `error`. Raised is what keeps it from
        starting: faults of definitions, another run of the project and period, a closed period.
        """
        if report is None and report_column is not None:
            raise RowbookError.of("USAGE_001", "report_column is for a report")
        from rowbook.api.run_verbs import Watch, run_requests
        from rowbook.reports.running import ReportOrder
        from rowbook.runs.prepare.project_version import choose_version

        order = None if report is None else ReportOrder.checked(Path(report), report_column)
        with self._client.open_runs() as workspace:
            day, clock = _text(as_of), _text(now)
            request = choose_version(workspace, project, period, day, clock, draft=draft)
            options = self._client.options(on_step, on_session, reopen_closed)
            watch = Watch(draft, on_start)
            (result,) = run_requests(workspace, [request], options, watch, order)
            return result

    def run_periods(
        self,
        project: str,
        first: str,
        last: str,
        *,
        draft: bool = False,
        now: Day = None,
        reopen_closed: str | None = None,
        on_step: OnStep | None = None,
        on_start: OnStart | None = None,
        on_session: OnSession | None = None,
        on_end: OnEnd = lambda _: None,
    ) -> tuple[RunResult, ...]:
        """As `run`, for the periods from the first to the last, one after the other; the run that
        does not complete is the last. `on_end` is told of each: a later one may be refused."""
        from rowbook.api.run_verbs import Watch, run_requests
        from rowbook.runs.prepare.project_version import choose_version, periods_between

        with self._client.open_runs() as workspace:
            request = choose_version(workspace, project, first, None, _text(now), draft=draft)
            later = periods_between(request.context.calendar, first, last)[1:]
            requests = [request, *(request.for_period(each) for each in later)]
            options = self._client.options(on_step, on_session, reopen_closed)
            return run_requests(workspace, requests, options, Watch(draft, on_start, on_end))

    def resume(
        self,
        run_id: str,
        *,
        accept_changed_input: bool = False,
        reopen_closed: str | None = None,
        on_step: OnStep | None = None,
        on_session: OnSession | None = None,
    ) -> RunResult:
        """Goes on with a failed run: same snapshot, same clock, same row ids; outputs that it
        finished are not written again. Refused (RUN_008) where its input was changed."""
        from rowbook.runs.execute.execute_run import resume_run

        with self._client.open_runs() as workspace:
            found = find_run(workspace.store, run_id)
            options = self._client.options(on_step, on_session, reopen_closed)
            return resume_run(workspace, found, options, accept_changed_input=accept_changed_input)

    def repeat(
        self,
        run_id: str,
        *,
        on_step: OnStep | None = None,
        on_session: OnSession | None = None,
    ) -> RunResult:
        """Runs again what a run ran, from its snapshot, as a draft: with the same data, the same
        rows and row ids come out, whatever became of the files."""
        from rowbook.runs.execute.execute_run import repeat_run

        with self._client.open_runs() as workspace:
            found = find_run(workspace.store, run_id)
            return repeat_run(workspace, found, self._client.options(on_step, on_session))

    def diff(
        self,
        project: str,
        period: str,
        *,
        run: str | None = None,
        output: str | None = None,
        criteria: Criteria | None = None,
        recompute: bool = False,
        on_step: OnStep | None = None,
        on_session: OnSession | None = None,
    ) -> RunDifference:
        """What a changed file does: it is run as a draft and compared with the last completed run
        of the project and period, whose as-of date and clock it gets. `run` is one that is there
        already, to compare instead of a new draft. See `diff_runs` for the rest."""
        from rowbook.api.run_verbs import comparison
        from rowbook.runs.compare.compare_runs import compare_draft, compare_with_last

        request = comparison(criteria, output, recompute)
        with self._client.open_runs() as workspace:
            options = self._client.options(on_step, on_session)
            if run is None:
                return compare_draft(workspace, project, period, request, options)
            found = find_run(workspace.store, run)
            return compare_with_last(workspace, project, period, found, request, options)

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
        from rowbook.api.run_verbs import comparison
        from rowbook.runs.compare.compare_runs import compare_runs

        request = comparison(criteria, output, recompute)
        with self._client.open_runs() as workspace:
            runs = find_run(workspace.store, before), find_run(workspace.store, after)
            options = self._client.options(on_step, on_session)
            return compare_runs(workspace, *runs, request, options)

    def cancel(self, run_id: str) -> Run:
        """Asks a run to end; one that is at work sees it within seconds."""
        from rowbook.runs.prepare.lease_clock import at_present
        from rowbook.store import this_process

        with self._client.open_runs() as workspace:
            store, by = workspace.store, this_process().user
            return store.runs.request_cancel(find_run(store, run_id), by=by, at=at_present())

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
        """A run with its ledger, outputs and warnings."""
        from rowbook.api.results import RunDetails

        with self._client.open_runs() as workspace:
            store = workspace.store
            return RunDetails.of(store.runs.record(find_run(store, run_id)))

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

        place = check_place(Path(path))
        with self._client.open_runs() as workspace:
            found = report_of(workspace, find_run(workspace.store, run_id))
        save(report_html(found), place)
        return found.run_id

    def gc(self, *, older_than: int = 30) -> tuple[Removal, ...]:
        """Removes what drafts and failed runs left that ended so many days ago or more."""
        from rowbook.runs.execute.cleanup import clean
        from rowbook.runs.prepare.lease_clock import at_present

        now = at_present()
        with self._client.open() as workspace:
            return clean(workspace, before=now - timedelta(days=older_than), at=now)

    def datasets(self) -> tuple[DatasetVersion, ...]:
        """The latest version of each dataset that was applied or registered by a run."""
        from rowbook.runs.versions.dataset_registry import list_datasets

        with self._client.open() as workspace:
            return list_datasets(workspace)

    def dataset(self, name: str, version: int | None = None) -> DatasetDetails:
        """A dataset with its versions, and the runs that wrote it."""
        from rowbook.runs.versions.dataset_registry import dataset_details

        with self._client.open() as workspace:
            return dataset_details(workspace, name, version)

    def periods(
        self, *, calendar: str = "gregorian", year: int | None = None
    ) -> tuple[PeriodLine, ...]:
        """The months of a year, else of the current one, and the periods that are closed or
        locked."""
        from rowbook.runs.prepare.lease_clock import at_present
        from rowbook.runs.versions.period_status import list_periods

        with self._client.open() as workspace:
            return list_periods(workspace, calendar, year, at_present().date())

    def period(self, period: str, *, calendar: str = "gregorian") -> Period:
        """A period by how it is written."""
        from rowbook.runs.versions.period_status import find_period

        with self._client.open() as workspace:
            return find_period(workspace, calendar, period)

    def close_period(
        self, period: str, *, calendar: str = "gregorian", reason: str | None = None
    ) -> PeriodLine:
        """Closes a period: runs write into it only with `reopen_closed` and a reason."""
        from rowbook.api.version_verbs import move

        with self._client.open() as workspace:
            return move(workspace, period, calendar, "closed", reason)

    def lock_period(
        self, period: str, *, calendar: str = "gregorian", reason: str | None = None
    ) -> PeriodLine:
        """Locks a closed period for good: nothing is ever written into it again."""
        from rowbook.api.version_verbs import move

        with self._client.open() as workspace:
            return move(workspace, period, calendar, "locked", reason)

    def period_history(
        self, period: str | None = None, *, calendar: str = "gregorian"
    ) -> tuple[PeriodState, ...]:
        """Who closed and locked a period, or all of a calendar, when and why, oldest first."""
        from rowbook.runs.versions.period_status import period_history

        with self._client.open() as workspace:
            return period_history(workspace, calendar, period)


def _text(day: Day) -> str | None:
    return day.isoformat() if isinstance(day, date) else day
