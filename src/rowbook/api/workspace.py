"""A workspace from Python: what `rowbook` does on the command line, with values for results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeAlias

from rowbook.api.dataset_read import request_dataset
from rowbook.api.kept_session import KeptSession, engine_name
from rowbook.api.results import Applied, RunDetails, Validation
from rowbook.definitions.workspace_root import find_workspace
from rowbook.engine.compare.difference import Criteria
from rowbook.engine.session.settings import EngineSettings
from rowbook.errors import RowbookError
from rowbook.planning.columns import PERIOD, is_system
from rowbook.reports.running import ReportOrder, run_reported
from rowbook.runs.compare.compare_runs import (
    CompareRequest,
    RunDifference,
    compare_draft,
    compare_runs,
    compare_with_last,
)
from rowbook.runs.execute.dead_runs import recover_dead_runs
from rowbook.runs.execute.execute_run import OnStep, RunOptions, repeat_run, resume_run
from rowbook.runs.execute.result import RunResult
from rowbook.runs.execute.run_preview import preview_frame
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.engine_settings import engine_settings, workspace_extras
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.project_version import choose_version, periods_between
from rowbook.runs.prepare.request import Request, request_draft
from rowbook.runs.run_plan.plan_model import RunPlan
from rowbook.runs.run_plan.plan_run import plan_run
from rowbook.runs.versions.activation import (
    ActivationResult,
    activate,
    deactivate,
    project_history,
)
from rowbook.runs.versions.application import ChangePlan, apply_changes, plan_changes
from rowbook.runs.versions.dataset_registry import (
    DatasetDetails,
    DatasetVersion,
    dataset_details,
    list_datasets,
)
from rowbook.runs.versions.period_status import (
    PeriodLine,
    list_periods,
    move_period,
    period_history,
)
from rowbook.store import (
    JsonObject,
    PeriodState,
    Project,
    ProjectChange,
    Run,
    RunStatus,
    this_process,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Day: TypeAlias = str | date | None
"""A date, or a datetime, which is one too, or its ISO text. Without a zone a time is UTC."""


class Workspace:
    """A workspace with its verbs, from `open` to `close`.

    Files are read anew by every verb: edit them, and call it again. What is wrong with definitions
    or with what was asked for is raised as RowbookError, with all that was found in `diagnostics`;
    a run that started and failed is a result.
    """

    def __init__(self, root: Path, engine: str | None, spark: SparkSession | None) -> None:
        self.root = root
        """Its folder."""
        self._engine = engine if spark is None else engine_name(spark)
        self._session = KeptSession(self._settings, spark)

    @classmethod
    def open(
        cls,
        path: str | Path = ".",
        *,
        engine: str | None = None,
        spark: SparkSession | None = None,
    ) -> Workspace:
        """The workspace at a folder or above it.

        Spark starts when it is first needed, as the workspace's `engine` says, or `engine`: a Spark
        master or an sc:// endpoint. It then serves all runs and previews until `close`. `spark` is
        a running session to work on instead, which stays open.
        """
        if engine is not None and spark is not None:
            raise RowbookError.of("USAGE_001", "name an engine or hand in a session, not both")
        if not Path(path).exists():
            raise RowbookError.of("WORKSPACE_001", f"{path} does not exist")
        return cls(find_workspace(Path(path)), engine, spark)

    @property
    def spark(self) -> SparkSession:
        """The session that runs and previews use; it is started if it was not yet."""
        return self._session.engine().spark

    def close(self) -> None:
        """Ends Spark if it was started here. What needs Spark is refused from then on, and frames
        that came from `preview` and `read` can no longer be computed."""
        self._session.close()

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Workspace('{self.root}')"

    def validate(self) -> Validation:
        """Every finding in every definition; no Spark, no data."""
        with self._open() as workspace:
            checked = workspace.checked
            return Validation(checked.errors, checked.warnings)

    def plan_changes(self) -> ChangePlan:
        """What `apply` would record; nothing is recorded."""
        with self._open() as workspace:
            return plan_changes(workspace)

    def apply(self, plan: ChangePlan | None = None) -> Applied:
        """Records changed datasets, data sources, resolvers and calendars as new versions: those of
        a plan that was looked at, else all. A breaking change of a dataset puts the active projects
        that use it into conflict."""
        with OpenWorkspace(self.root, plan.files if plan else None) as workspace:
            found = plan or plan_changes(workspace)
            if not found.changes:
                return Applied((), ())
            conflicts = apply_changes(workspace, found, by=this_process().user, at=at_present())
            return Applied(found.changes, conflicts)

    def activate(self, project: str, *, keep_pin: bool = False) -> ActivationResult:
        """Checks a project, pins its datasets' versions, and makes it the version that runs. With
        `keep_pin` it stays on the dataset versions that were active before."""
        by, at = this_process().user, at_present()
        with self._open() as workspace:
            return activate(workspace, project, keep_pin=keep_pin, by=by, at=at)

    def deactivate(self, project: str, *, reason: str | None = None) -> Project:
        """Stops a project from running until it is activated again."""
        by, at = this_process().user, at_present()
        with self._open() as workspace:
            return deactivate(workspace, project, by=by, at=at, reason=reason)[0]

    def project_history(self, project: str) -> tuple[ProjectChange, ...]:
        """The changes of a project's status, oldest first: who, when, why."""
        with self._open() as workspace:
            return project_history(workspace, project)

    def plan(self, project: str, period: str, *, draft: bool = False, as_of: Day = None) -> RunPlan:
        """What `run` would do, with the columns after each step; no Spark, no rows, no trace."""
        with self._open() as workspace:
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
        with self._open() as workspace:
            request = request_draft(workspace, project, period, _text(as_of), _text(now))
            seqs = [step.seq for step in request.plan.steps]
            if after is not None and after not in seqs:
                hint = f"seqs: {', '.join(map(str, seqs))}"
                raise RowbookError.of("USAGE_001", f"there is no operation {after}", hint=hint)
            return self._rows(request, after, system=system)

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
        with self._open() as workspace:
            day = _text(as_of)
            request = request_dataset(workspace, dataset, version, calendar, period, day)
            return self._rows(request, None, system=False)

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
        report: str | Path | None = None,
        report_column: str | None = None,
    ) -> RunResult:
        """Runs the active version of a project, with the dataset versions that it pins.

        A draft, and a project that was never activated, runs the files as they are, and writes into
        `.rowbook/sandbox/<run id>/`. `now` is the run's clock, for repeating one; `reopen_closed`
        says why a closed period is written to; `on_step` is told of each operation as it begins.
        `report` is where a page about the run goes, however it ends; it follows the total of
        `report_column`, else of the input's first decimal, and costs a pass for each operation.

        A run that fails is a result too: see its `status` and `error`. Raised is what keeps it from
        starting: faults of definitions, another run of the project and period, a closed period.
        """
        if report is None and report_column is not None:
            raise RowbookError.of("USAGE_001", "report_column is for a report")
        order = None if report is None else ReportOrder.checked(Path(report), report_column)
        with self._open_runs() as workspace:
            day, clock = _text(as_of), _text(now)
            request = choose_version(workspace, project, period, day, clock, draft=draft)
            options = self._options(reopen_closed, on_step)
            (result,) = self._run(workspace, [request], options, draft, order)
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
    ) -> tuple[RunResult, ...]:
        """As `run`, for the periods from the first to the last, one after the other; the run that
        does not complete is the last."""
        with self._open_runs() as workspace:
            request = choose_version(workspace, project, first, None, _text(now), draft=draft)
            later = periods_between(request.context.calendar, first, last)[1:]
            requests = [request, *(request.for_period(each) for each in later)]
            return self._run(workspace, requests, self._options(reopen_closed, on_step), draft)

    def resume(
        self,
        run_id: str,
        *,
        accept_changed_input: bool = False,
        reopen_closed: str | None = None,
        on_step: OnStep | None = None,
    ) -> RunResult:
        """Goes on with a failed run: same snapshot, same clock, same row ids; outputs that it
        finished are not written again. Refused (RUN_008) where its input was changed."""
        with self._open_runs() as workspace:
            options = self._options(reopen_closed, on_step)
            return resume_run(workspace, run_id, options, accept_changed_input=accept_changed_input)

    def repeat(self, run_id: str, *, on_step: OnStep | None = None) -> RunResult:
        """Runs again what a run ran, from its snapshot, as a draft: with the same data, the same
        rows and row ids come out, whatever became of the files."""
        with self._open_runs() as workspace:
            return repeat_run(workspace, run_id, self._options(None, on_step))

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
    ) -> RunDifference:
        """What a changed file does: it is run as a draft and compared with the last completed run
        of the project and period, whose as-of date and clock it gets. `run` is one that is there
        already, to compare instead of a new draft. See `diff_runs` for the rest."""
        request = CompareRequest(criteria or Criteria(), output, recompute)
        with self._open_runs() as workspace:
            options = self._options(None, on_step)
            if run is not None:
                return compare_with_last(workspace, project, period, run, request, options)
            return compare_draft(workspace, project, period, request, options)

    def diff_runs(
        self,
        before: str,
        after: str,
        *,
        output: str | None = None,
        criteria: Criteria | None = None,
        recompute: bool = False,
        on_step: OnStep | None = None,
    ) -> RunDifference:
        """How what a run wrote differs from what another wrote before: all outputs that both have,
        or one by seq, name or table. `criteria` says what is compared and how. Where data of a run
        was replaced since, that is refused (RUN_010), or with `recompute` the run is repeated."""
        request = CompareRequest(criteria or Criteria(), output, recompute)
        with self._open_runs() as workspace:
            options = self._options(None, on_step)
            return compare_runs(workspace, before, after, request, options)

    def cancel(self, run_id: str) -> Run:
        """Asks a run to end; one that is at work sees it within seconds."""
        with self._open_runs() as workspace:
            by, at = this_process().user, at_present()
            return workspace.store.runs.request_cancel(run_id, by=by, at=at)

    def runs(
        self,
        *,
        project: str | None = None,
        period: str | None = None,
        status: RunStatus | None = None,
        limit: int | None = None,
    ) -> tuple[Run, ...]:
        """What ran, newest first."""
        with self._open_runs() as workspace:
            runs = workspace.store.runs
            return runs.newest(project=project, period=period, status=status, limit=limit)

    def show(self, run_id: str) -> RunDetails:
        """A run with its ledger, outputs and warnings."""
        with self._open_runs() as workspace:
            return RunDetails.of(workspace.store.runs.record(run_id))

    def snapshot(self, run_id: str) -> JsonObject | None:
        """All that decided a run, as it was stored before the run began; None if it never did."""
        with self._open_runs() as workspace:
            return workspace.store.runs.snapshot(run_id)

    def datasets(self) -> tuple[DatasetVersion, ...]:
        """The latest version of each dataset that was applied or registered by a run."""
        with self._open() as workspace:
            return list_datasets(workspace)

    def dataset(self, name: str, version: int | None = None) -> DatasetDetails:
        """A dataset with its versions, and the runs that wrote it."""
        with self._open() as workspace:
            return dataset_details(workspace, name, version)

    def periods(
        self, *, calendar: str = "gregorian", year: int | None = None
    ) -> tuple[PeriodLine, ...]:
        """The months of a year, else of the current one, and the periods that are closed or
        locked."""
        with self._open() as workspace:
            return list_periods(workspace, calendar, year, at_present().date())

    def close_period(
        self, period: str, *, calendar: str = "gregorian", reason: str | None = None
    ) -> PeriodLine:
        """Closes a period: runs write into it only with `reopen_closed` and a reason."""
        by, at = this_process().user, at_present()
        with self._open() as workspace:
            return move_period(workspace, calendar, period, "closed", by=by, at=at, reason=reason)

    def lock_period(
        self, period: str, *, calendar: str = "gregorian", reason: str | None = None
    ) -> PeriodLine:
        """Locks a closed period for good: nothing is ever written into it again."""
        by, at = this_process().user, at_present()
        with self._open() as workspace:
            return move_period(workspace, calendar, period, "locked", by=by, at=at, reason=reason)

    def period_history(
        self, period: str | None = None, *, calendar: str = "gregorian"
    ) -> tuple[PeriodState, ...]:
        """Who closed and locked a period, or all of a calendar, when and why, oldest first."""
        with self._open() as workspace:
            return period_history(workspace, calendar, period)

    def _settings(self) -> EngineSettings:
        with self._open() as workspace:
            extras = workspace_extras(workspace.files)
            return engine_settings(workspace.settings, self._engine, profile="bulk", extras=extras)

    def _open(self) -> OpenWorkspace:
        return OpenWorkspace(self.root)

    @contextmanager
    def _open_runs(self) -> Iterator[OpenWorkspace]:
        """The same, in whose store dead runs have been seen to."""
        with self._open() as workspace:
            recover_dead_runs(workspace)
            yield workspace

    def _options(self, reopened: str | None, on_step: OnStep | None) -> RunOptions:
        self._session.check_open()
        return RunOptions(
            self._engine,
            on_step=on_step or (lambda _: None),
            reopened=reopened,
            trigger="python",
            session=self._session.lend,
        )

    def _run(
        self,
        workspace: OpenWorkspace,
        requests: Sequence[Request],
        options: RunOptions,
        draft: bool,
        order: ReportOrder | None = None,
    ) -> tuple[RunResult, ...]:
        results: list[RunResult] = []
        for request in requests:
            result = run_reported(workspace, request, options, order)
            if request.is_draft and not draft:
                said = f"project '{request.project_name}' was never activated: it ran as a draft"
                result = replace(result, warnings=(*result.warnings, said))
            results.append(result)
            if result.status != "completed":
                break
        return tuple(results)

    def _rows(self, request: Request, after: int | None, *, system: bool) -> DataFrame:
        names, frame = preview_frame(request, self._session.engine, after=after)
        shown = [n for n in names if system or not is_system(n) or n == PERIOD.name]
        return frame.select(*shown)


def _text(day: Day) -> str | None:
    return day.isoformat() if isinstance(day, date) else day
