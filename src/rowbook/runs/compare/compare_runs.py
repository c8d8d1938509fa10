"""Comparing what two runs wrote, output by output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace

from rowbook.engine.compare.aligned import Side
from rowbook.engine.compare.compare_tables import compare_tables
from rowbook.engine.compare.difference import Criteria, TableDifference
from rowbook.engine.execution.failures.explain_failure import explain
from rowbook.engine.loading.value_checks import ReadInput
from rowbook.engine.session.executors import executors_awaited
from rowbook.engine.session.shared_session import SharedSession
from rowbook.engine.session.sizing import Volume
from rowbook.errors import Diagnostic, RowbookError
from rowbook.planning.resolution.parameter_values import NOTHING_GIVEN, GivenParameters
from rowbook.runs.compare.output_pairs import (
    OutputPair,
    OutputPairs,
    Outputs,
    UnmatchedOutput,
    check_criteria,
    key_candidates,
    pair_outputs,
)
from rowbook.runs.compare.past_runs import (
    OutputTable,
    PastRun,
    output_view,
    past_run,
    replaced_output,
    why_changed,
)
from rowbook.runs.compare.row_kinds import row_kinds
from rowbook.runs.execute.dead_runs import recover_dead_runs
from rowbook.runs.execute.execute_run import RunOptions, repeat_run, start_run
from rowbook.runs.execute.result import RunResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.clock import new_run_id
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.request import Request, find_project, request_draft
from rowbook.runs.prepare.resolve import extras_of
from rowbook.runs.prepare.run_checks import RunProblemsError, request_problems
from rowbook.runs.prepare.run_snapshot import input_bytes, input_changes, request_again
from rowbook.runs.tables.spark_rows import view_frame
from rowbook.spark.causes import is_spark_failure
from rowbook.store import Run


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """A run that is compared. Where its data is not there any more, `recomputed_as` is the draft
    that repeats it, and `changed_input` says what that read otherwise."""

    run: Run
    recomputed_as: str | None = None
    changed_input: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OutputDifference:
    seq: int
    name: str
    destination: str
    table: TableDifference


@dataclass(frozen=True, slots=True)
class RunDifference:
    before: ComparedRun
    after: ComparedRun
    outputs: tuple[OutputDifference, ...]
    unmatched: tuple[UnmatchedOutput, ...]
    """Outputs that only one of the runs has."""

    @property
    def same(self) -> bool:
        return not self.unmatched and all(each.table.same for each in self.outputs)


@dataclass(frozen=True, slots=True)
class CompareRequest:
    """What is to be compared: `output` is one by seq, name or table, else all. With `recompute` a
    run whose data was replaced is repeated from its snapshot, as a draft."""

    criteria: Criteria = field(default_factory=Criteria)
    output: str | None = None
    recompute: bool = False
    given: GivenParameters = NOTHING_GIVEN
    """For the draft's parameters, over what the run was given that it is compared with."""


class DraftFailedError(RowbookError):
    """The draft that was to be compared did not complete; `result` is what became of it."""

    def __init__(self, result: RunResult) -> None:
        self.result = result
        ended = Diagnostic("RUN_009", f"run {result.run_id} was {result.status}")
        super().__init__(*(result.errors or (ended,)))


def compare_runs(
    workspace: OpenWorkspace, before: str, after: str, request: CompareRequest, options: RunOptions
) -> RunDifference:
    recover_dead_runs(workspace, reading=True)
    runs = past_run(workspace, before), past_run(workspace, after)
    comparison = RunComparison(workspace, request, options)
    both = Outputs.of_run(runs[0]), Outputs.of_run(runs[1])
    comparison.check(pair_outputs(*both, request.output), *runs)
    with comparison.session(*(each.request for each in runs), size=bytes_written(*runs)):
        return comparison.compare(*runs)


def compare_draft(
    workspace: OpenWorkspace,
    project: str,
    period: str,
    request: CompareRequest,
    options: RunOptions,
) -> RunDifference:
    """The draft has the as-of date, the clock and the given parameters of the last completed run:
    what differs comes from the rules or the data. DraftFailedError where it does not complete."""
    recover_dead_runs(workspace, reading=True)
    named = request_draft(workspace, project, period, given=None)
    last = _last_completed(workspace, named)
    before = past_run(workspace, last.id)
    given = _given_again(before, named, request.given)
    again = request_draft(workspace, project, period, last.as_of, last.clock.isoformat(), given)
    draft = replace(again, context=replace(again.context, run_id=new_run_id(at_present())))
    pairs = pair_outputs(Outputs.of_run(before), Outputs.of_plan(draft.plan), request.output)
    comparison = RunComparison(workspace, request, options)
    comparison.check(pairs, before, draft=draft)
    size = max(input_bytes(before.snapshot), bytes_written(before))
    with comparison.session(before.request, draft, size=size):
        result = start_run(workspace, draft, comparison.options)
        if result.status != "completed":
            raise DraftFailedError(result)
        return comparison.compare(before, past_run(workspace, result.run_id))


def compare_with_last(
    workspace: OpenWorkspace,
    project: str,
    period: str,
    run_id: str,
    request: CompareRequest,
    options: RunOptions,
) -> RunDifference:
    """As `compare_draft`, for a run of the project and period that is there already, whatever the
    files would run now: a draft of a chain reads what other drafts wrote."""
    entry, run = find_project(workspace.checked, project), workspace.store.runs.get(run_id)
    ran = past_run(workspace, run_id).request
    is_same = run.project_id == entry.model.identity
    if not is_same or run.period != ran.context.calendar.parse(period).identifier:
        message = f"run {run_id} is of {run.project_name} for {run.period}"
        hint = "compare two runs of any kind by their ids"
        raise RowbookError.of("USAGE_001", f"{message}, not of {project} for {period}", hint=hint)
    last = _last_completed(workspace, ran, but=run_id)
    return compare_runs(workspace, last.id, run_id, request, options)


def _given_again(before: PastRun, draft: Request, given: GivenParameters) -> GivenParameters:
    """What a run was given for parameters that there still are; `given` counts before it."""
    recorded = {
        each["name"]: each["value"]
        for each in before.snapshot.get("parameters", ())
        if not each["default"] and each["name"] in draft.plan.project.parameters
    }
    return GivenParameters({**recorded, **given.values})


def _last_completed(workspace: OpenWorkspace, draft: Request, but: str | None = None) -> Run:
    project, period = draft.context.project_id, draft.context.period.identifier
    runs = workspace.store.runs.newest(project=project, period=period, status="completed")
    found = next((each for each in runs if not each.draft and each.id != but), None)
    if found is None:
        message = f"project '{draft.project_name}' has no completed run for {period}"
        hint = "activate and run it first, or compare two drafts by their ids"
        raise RowbookError.of("RUN_006", f"{message} to compare with", hint=hint)
    return found


def bytes_written(*runs: PastRun) -> int:
    return sum(table.bytes for each in runs for table in each.tables)


@dataclass(slots=True)
class RunComparison:
    """Spark starts when it is first needed; drafts are run in the same session, by `options`."""

    workspace: OpenWorkspace
    _request: CompareRequest
    options: RunOptions
    _requests: tuple[Request, ...] = ()
    _size: int = 0

    @contextmanager
    def session(self, *requests: Request, size: int) -> Iterator[None]:
        """For comparing what these wrote, of such a size."""
        self._requests, self._size = requests, size
        with SharedSession(debug=self.options.debug) as shared:
            self.options = replace(self.options, session=self.options.session or shared.lend)
            yield

    def check(self, pairs: OutputPairs, *pasts: PastRun, draft: Request | None = None) -> None:
        """Before Spark starts: all that is in the way of comparing runs that were, and of computing
        those again that are to be. With it what a draft would fail of, which says so itself where
        nothing else is in the way. USAGE_001 where criteria name what is not there."""
        check_criteria(pairs, self._request.criteria)
        found = [each for past in pasts for each in self._obstacles(past, pairs.destinations)]
        if found and draft is not None:
            found += request_problems(draft, self.workspace.store)
        if found:
            raise RunProblemsError(*dict.fromkeys(found))

    def _obstacles(self, past: PastRun, destinations: frozenset[str]) -> Sequence[Diagnostic]:
        reasons = self._changes(past, destinations)
        if not reasons or not self._request.recompute:
            return [replaced_output(past, each, why) for each, why in reasons]
        again = request_again(self.workspace, {**past.snapshot, "version": None}, past.run.id)
        return request_problems(again, self.workspace.store)

    def _changes(
        self, past: PastRun, destinations: frozenset[str]
    ) -> list[tuple[OutputTable, str]]:
        """The tables that do not hold any more what the run wrote, and why."""
        tables = [each for each in past.tables if each.destination in destinations]
        store = self.workspace.store
        return [(each, why) for each in tables if (why := why_changed(each, past, store))]

    def compare(self, before: PastRun, after: PastRun) -> RunDifference:
        both = Outputs.of_run(before), Outputs.of_run(after)
        pairs = pair_outputs(*both, self._request.output)
        check_criteria(pairs, self._request.criteria)
        was, was_run = self._available(before, pairs.destinations)
        now, now_run = self._available(after, pairs.destinations)
        outputs = tuple(self.difference(pair, was, now) for pair in pairs.both)
        return RunDifference(was_run, now_run, outputs, pairs.unmatched)

    def _available(
        self, past: PastRun, destinations: frozenset[str]
    ) -> tuple[PastRun, ComparedRun]:
        """The run, or the draft that repeats it where its data is gone; else RUN_010."""
        reasons = self._changes(past, destinations)
        if not reasons:
            return past, ComparedRun(past.run)
        if not self._request.recompute:
            raise RowbookError(*(replaced_output(past, each, why) for each, why in reasons))
        result = repeat_run(self.workspace, past.run.id, self.options)
        if result.status != "completed":
            raise DraftFailedError(result)
        repeated = past_run(self.workspace, result.run_id)
        changed = input_changes(past.snapshot["datasets"], repeated.snapshot["datasets"])
        return repeated, ComparedRun(past.run, result.run_id, tuple(map(str, changed)))

    def difference(self, pair: OutputPair, was: PastRun, now: PastRun) -> OutputDifference:
        """RUN_010 where a table does not hold the rows of its run any more."""
        before, after = was.table(pair.before), now.table(pair.after)
        found = self._compare_tables(pair, (before, was), (after, now))
        for table, past, rows in ((before, was, found.rows_before), (after, now, found.rows_after)):
            if rows != table.rows:
                why = f"{table.target.label} holds {rows:,} rows of it, not {table.rows:,}"
                raise RowbookError(replaced_output(past, table, why))
        step = after.step
        return OutputDifference(step.seq, step.name, after.destination, found)

    def _compare_tables(
        self,
        pair: OutputPair,
        before: tuple[OutputTable, PastRun],
        after: tuple[OutputTable, PastRun],
    ) -> TableDifference:
        extras = frozenset(extra for each in self._requests for extra in extras_of(each))
        settings = self.options.settings(self.workspace.settings)
        session = self.options.open_session(settings, Volume(self._size), extras)
        with session as engine, ExitStack() as resources:
            resources.enter_context(executors_awaited(engine.spark, self.options.on_wait))
            store = self.workspace.store
            views = [output_view(*each, store) for each in (before, after)]
            read = [view_frame(each, engine.spark, resources) for each in views]
            was, now = (
                Side(frame, table.fields, row_kinds(table.steps, past.request.plan))
                for (frame, _), (table, past) in zip(read, (before, after), strict=True)
            )
            try:
                natural = pair.plans[1].input.definition.natural_key_columns
                keys = key_candidates(pair)
                return compare_tables(was, now, self._request.criteria, keys, natural)
            except Exception as error:
                if isinstance(error, RowbookError) or not is_spark_failure(error):
                    raise
                inputs = ReadInput(
                    [(view.dataset, raws) for view, (_, raws) in zip(views, read, strict=True)]
                )
                doing = f"comparing {after[0].destination}"
                raise explain(error, lambda: (), inputs, {}, doing) from error
