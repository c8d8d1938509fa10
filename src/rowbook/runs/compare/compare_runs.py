"""Comparing what two runs wrote, output by output."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace

from rowbook.engine.compare.aligned import Side
from rowbook.engine.compare.compare_tables import compare_tables
from rowbook.engine.compare.difference import Criteria, TableDifference
from rowbook.engine.execution.explain_failure import explain
from rowbook.engine.loading.value_checks import ReadInput
from rowbook.engine.session.session import Engine
from rowbook.errors import Diagnostic, RowbookError
from rowbook.runs.compare.output_pairs import (
    OutputPair,
    Outputs,
    UnmatchedOutput,
    check_criteria,
    key_candidates,
    pair_outputs,
)
from rowbook.runs.compare.past_runs import OutputTable, PastRun, past_run, read_table, why_changed
from rowbook.runs.execute.dead_runs import recover_dead_runs
from rowbook.runs.execute.execute_run import RunOptions, repeat_run, start_run
from rowbook.runs.execute.result import RunResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.clock import new_run_id
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.request import Request, request_draft
from rowbook.runs.prepare.resolve import extras_of, resolve_run
from rowbook.runs.prepare.run_snapshot import changed_input, input_bytes
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


class DraftFailedError(RowbookError):
    """The draft that was to be compared did not complete; `result` is what became of it."""

    def __init__(self, result: RunResult) -> None:
        self.result = result
        ended = Diagnostic("RUN_009", f"run {result.run_id} was {result.status}")
        super().__init__(*(result.errors or (ended,)))


def compare_runs(
    workspace: OpenWorkspace, before: str, after: str, request: CompareRequest, options: RunOptions
) -> RunDifference:
    recover_dead_runs(workspace)
    runs = past_run(workspace, before), past_run(workspace, after)
    comparison = _Comparison(workspace, request, options)
    with comparison.session(*(each.request for each in runs), size=_bytes(*runs)):
        return comparison.compare(*runs)


def compare_draft(
    workspace: OpenWorkspace,
    project: str,
    period: str,
    request: CompareRequest,
    options: RunOptions,
) -> RunDifference:
    """The draft has the as-of date and the clock of the last completed run: what differs comes from
    the rules or the data. DraftFailedError where it does not complete."""
    recover_dead_runs(workspace)
    last = _last_completed(workspace, request_draft(workspace, project, period))
    before = past_run(workspace, last.id)
    again = request_draft(workspace, project, period, last.as_of, last.clock.isoformat())
    draft = replace(again, context=replace(again.context, run_id=new_run_id(at_present())))
    pairs = pair_outputs(Outputs.of_run(before), Outputs.of_plan(draft.plan), request.output)
    check_criteria(pairs, request.criteria)
    comparison = _Comparison(workspace, request, options)
    size = max(input_bytes(before.snapshot), _bytes(before))
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
    """As `compare_draft`, for a run of the project and period that is there already."""
    draft = request_draft(workspace, project, period)
    run, identifier = workspace.store.runs.get(run_id), draft.context.period.identifier
    if (run.project_id, run.period) != (draft.context.project_id, identifier):
        message = f"run {run_id} is of {run.project_name} for {run.period}"
        hint = "compare two runs of any kind by their ids"
        raise RowbookError.of("USAGE_001", f"{message}, not of {project} for {period}", hint=hint)
    last = _last_completed(workspace, draft, but=run_id)
    return compare_runs(workspace, last.id, run_id, request, options)


def _last_completed(workspace: OpenWorkspace, draft: Request, but: str | None = None) -> Run:
    project, period = draft.context.project_id, draft.context.period.identifier
    runs = workspace.store.runs.newest(project=project, period=period, status="completed")
    found = next((each for each in runs if not each.draft and each.id != but), None)
    if found is None:
        message = f"project '{draft.project_name}' has no completed run for {period}"
        hint = "activate and run it first, or compare two drafts by their ids"
        raise RowbookError.of("RUN_006", f"{message} to compare with", hint=hint)
    return found


def _bytes(*runs: PastRun) -> int:
    return sum(table.bytes for each in runs for table in each.tables)


@dataclass(slots=True)
class _Comparison:
    _workspace: OpenWorkspace
    _request: CompareRequest
    options: RunOptions
    """How drafts are run: in the session of the comparison."""
    _engine: Engine = field(init=False)

    def session(self, *requests: Request, size: int) -> AbstractContextManager[object]:
        needing = requests if self.options.session is None else ()
        extras = frozenset(extra for each in needing for extra in extras_of(each))
        with ExitStack() as opening:
            session = self.options.open_session(self._workspace.settings, size, extras)
            self._engine = opening.enter_context(session)
            self.options = replace(
                self.options, session=lambda: nullcontext(self._engine), on_session=lambda: None
            )
            return opening.pop_all()

    def compare(self, before: PastRun, after: PastRun) -> RunDifference:
        both = Outputs.of_run(before), Outputs.of_run(after)
        pairs = pair_outputs(*both, self._request.output)
        check_criteria(pairs, self._request.criteria)
        was, was_run = self._available(before, pairs.destinations)
        now, now_run = self._available(after, pairs.destinations)
        outputs = tuple(self._differences(pairs.both, was, now))
        return RunDifference(was_run, now_run, outputs, pairs.unmatched)

    def _available(
        self, past: PastRun, destinations: frozenset[str]
    ) -> tuple[PastRun, ComparedRun]:
        """The run, or the draft that repeats it where its data is gone; else RUN_010."""
        tables = [each for each in past.tables if each.destination in destinations]
        reasons = [
            (each, w) for each in tables if (w := why_changed(each, past, self._workspace.store))
        ]
        if not reasons:
            return past, ComparedRun(past.run)
        if not self._request.recompute:
            raise RowbookError(*(_replaced(past, each, why) for each, why in reasons))
        changed = tuple(map(str, changed_input(resolve_run(past.request), past.snapshot)))
        result = repeat_run(self._workspace, past.run.id, self.options)
        if result.status != "completed":
            raise DraftFailedError(result)
        repeated = past_run(self._workspace, result.run_id)
        return repeated, ComparedRun(past.run, result.run_id, changed)

    def _differences(
        self, pairs: tuple[OutputPair, ...], was: PastRun, now: PastRun
    ) -> Iterator[OutputDifference]:
        for pair in pairs:
            before, after = was.table(pair.before), now.table(pair.after)
            found = self._compare_tables(pair, (before, was), (after, now))
            for table, past, rows in (
                (before, was, found.rows_before),
                (after, now, found.rows_after),
            ):
                if rows != table.rows:
                    why = f"{table.target.label} holds {rows:,} rows of it, not {table.rows:,}"
                    raise RowbookError(_replaced(past, table, why))
            step = after.step
            yield OutputDifference(step.seq, step.name, after.destination, found)

    def _compare_tables(
        self,
        pair: OutputPair,
        before: tuple[OutputTable, PastRun],
        after: tuple[OutputTable, PastRun],
    ) -> TableDifference:
        with ExitStack() as resources:
            read = [read_table(*each, self._engine.spark, resources) for each in (before, after)]
            was, now = Side(read[0][0], before[0].fields), Side(read[1][0], after[0].fields)
            try:
                natural = pair.plans[1].input.definition.natural_key_columns
                keys = key_candidates(pair)
                return compare_tables(was, now, self._request.criteria, keys, natural)
            except Exception as error:
                if isinstance(error, RowbookError) or not is_spark_failure(error):
                    raise
                inputs = ReadInput([(dataset, raws) for _, dataset, raws in read])
                doing = f"comparing {after[0].destination}"
                raise explain(error, lambda: (), inputs, {}, doing) from error


def _replaced(past: PastRun, table: OutputTable, why: str) -> Diagnostic:
    step = table.step
    message = f"output {step.seq} '{step.name}' of run {past.run.id} is not what it wrote: {why}"
    return Diagnostic("RUN_010", message)
