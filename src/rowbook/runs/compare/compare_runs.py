"""Comparing what two runs wrote, output by output."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from rowbook.engine.compare.aligned import Side
from rowbook.engine.compare.compare_tables import compare_tables
from rowbook.engine.compare.difference import Criteria, TableDifference
from rowbook.engine.execution.explain_failure import explain, is_failure_of_spark
from rowbook.engine.loading.value_checks import explain_all
from rowbook.engine.session.session import Engine
from rowbook.errors import Diagnostic, RowbookError
from rowbook.runs.compare.output_pairs import (
    OutputPair,
    Outputs,
    UnmatchedOutput,
    check_criteria,
    key_candidates,
    natural_key,
    paired_outputs,
)
from rowbook.runs.compare.past_runs import PastRun, WrittenTable, past_run, read_table, why_changed
from rowbook.runs.execute.recovery import recover_dead_runs
from rowbook.runs.execute.result import RunResult
from rowbook.runs.execute.run import RunOptions, repeat_run, start_run
from rowbook.runs.execute.sized_session import open_sized
from rowbook.runs.prepare.extras import extras_of
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.request import Request, request
from rowbook.runs.prepare.run_ids import new_run_id
from rowbook.runs.prepare.snapshot import changed_input, input_bytes
from rowbook.store import Run, Store


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """A run that is compared. Where its data is not there any more, `recomputed_as` is the draft
    that repeats it, and `changed_input` says what that read otherwise."""

    run: Run
    recomputed_as: str | None = None
    changed_input: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OutputDifference:
    """How a table that both runs wrote differs; seq and name are those of the later run."""

    seq: int
    name: str
    destination: str
    table: TableDifference


@dataclass(frozen=True, slots=True)
class RunDifference:
    """How what a run wrote differs from what another wrote before."""

    before: ComparedRun
    after: ComparedRun
    outputs: tuple[OutputDifference, ...]
    unmatched: tuple[UnmatchedOutput, ...]
    """Outputs that only one of the runs has."""

    @property
    def same(self) -> bool:
        """Nothing differs."""
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
    root: Path, store: Store, before: str, after: str, asked: CompareRequest, manner: RunOptions
) -> RunDifference:
    """Two runs by their ids."""
    recover_dead_runs(store, root)
    runs = past_run(root, store, before), past_run(root, store, after)
    comparing = _Comparing(root, store, asked, manner)
    with comparing.session(*(each.request for each in runs), size=_bytes(*runs)):
        return comparing.compare(*runs)


def compare_draft(
    root: Path, store: Store, project: str, period: str, asked: CompareRequest, manner: RunOptions
) -> RunDifference:
    """The project's file as it is now, run as a draft, with the last completed run of the project
    and period. The draft has the as-of date and the clock of that run: what differs comes from the
    rules or the data. DraftFailedError where it does not complete."""
    recover_dead_runs(store, root)
    planned = request(root, project, period)
    last = _last_completed(store, planned)
    before = past_run(root, store, last.id)
    again = request(root, project, period, last.as_of, last.clock.isoformat())
    context = replace(again.context, run_id=new_run_id(at_present()))
    draft = replace(again, context=context)
    pairs = paired_outputs(Outputs.written(before), Outputs.planned(draft), asked.output)
    check_criteria(pairs, asked.criteria)
    comparing = _Comparing(root, store, asked, manner)
    size = max(input_bytes(before.snapshot), _bytes(before))
    with comparing.session(before.request, draft, size=size):
        result = start_run(draft, store, comparing.manner)
        if result.status != "completed":
            raise DraftFailedError(result)
        return comparing.compare(before, past_run(root, store, result.run_id))


def compare_with_last(
    root: Path,
    store: Store,
    project: str,
    period: str,
    run_id: str,
    asked: CompareRequest,
    manner: RunOptions,
) -> RunDifference:
    """The same for a run of the project and period that is there already."""
    planned = request(root, project, period)
    found, identifier = store.runs.get(run_id), planned.context.period.identifier
    if (found.project_id, found.period) != (planned.context.project_id, identifier):
        message = f"run {run_id} is of {found.project_name} for {found.period}"
        hint = "compare two runs of any kind by their ids"
        raise RowbookError.of("USAGE_001", f"{message}, not of {project} for {period}", hint=hint)
    last = _last_completed(store, planned, but=run_id)
    return compare_runs(root, store, last.id, run_id, asked, manner)


def _last_completed(store: Store, planned: Request, but: str | None = None) -> Run:
    project, period = planned.context.project_id, planned.context.period.identifier
    runs = store.runs.newest(project=project, period=period, status="completed")
    found = next((each for each in runs if not each.draft and each.id != but), None)
    if found is None:
        message = f"project '{planned.project_name}' has no completed run for {period}"
        hint = "activate and run it first, or compare two drafts by their ids"
        raise RowbookError.of("RUN_006", f"{message} to compare with", hint=hint)
    return found


def _bytes(*runs: PastRun) -> int:
    return sum(table.bytes for each in runs for table in each.tables)


class _Comparing:
    """A comparison, from when its session is open."""

    def __init__(self, root: Path, store: Store, asked: CompareRequest, manner: RunOptions) -> None:
        self._root, self._store, self._asked = root, store, asked
        self.manner = manner
        """How drafts are run: in the session of the comparison."""
        self._engine: Engine

    def session(self, *requests: Request, size: int) -> AbstractContextManager[object]:
        """Opens the session, or borrows the one that is kept."""
        lend: Callable[[], AbstractContextManager[Engine]] | None = self.manner.session
        with ExitStack() as opening:
            if lend is not None:
                self._engine = opening.enter_context(lend())
            else:
                self._engine = opening.enter_context(
                    open_sized(
                        requests[0].settings,
                        self.manner.engine,
                        size=size,
                        extras=(extra for each in requests for extra in extras_of(each)),
                        debug=self.manner.debug,
                    )
                )
            self.manner = replace(self.manner, session=lambda: nullcontext(self._engine))
            return opening.pop_all()

    def compare(self, before: PastRun, after: PastRun) -> RunDifference:
        """All outputs that are asked for."""
        both = Outputs.written(before), Outputs.written(after)
        pairs = paired_outputs(*both, self._asked.output)
        check_criteria(pairs, self._asked.criteria)
        was, was_run = self._available(before, pairs.destinations)
        now, now_run = self._available(after, pairs.destinations)
        outputs = tuple(self._differences(pairs.both, was, now))
        return RunDifference(was_run, now_run, outputs, pairs.unmatched)

    def _available(
        self, past: PastRun, destinations: frozenset[str]
    ) -> tuple[PastRun, ComparedRun]:
        """The run, or the draft that repeats it where its data is not there any more; RUN_010 where
        it may not be repeated."""
        tables = [each for each in past.tables if each.destination in destinations]
        reasons = [(each, w) for each in tables if (w := why_changed(each, past, self._store))]
        if not reasons:
            return past, ComparedRun(past.run)
        if not self._asked.recompute:
            raise RowbookError(*(_replaced(past, each, why) for each, why in reasons))
        changed = tuple(map(str, changed_input(past.request, past.snapshot)))
        result = repeat_run(self._root, self._store, past.run.id, self.manner)
        if result.status != "completed":
            raise DraftFailedError(result)
        repeated = past_run(self._root, self._store, result.run_id)
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
        before: tuple[WrittenTable, PastRun],
        after: tuple[WrittenTable, PastRun],
    ) -> TableDifference:
        with ExitStack() as held:
            read = [read_table(*each, self._engine.spark, held) for each in (before, after)]
            was, now = Side(read[0][0], before[0].fields), Side(read[1][0], after[0].fields)
            try:
                criteria, natural = self._asked.criteria, natural_key(pair)
                return compare_tables(was, now, criteria, key_candidates(pair), natural)
            except Exception as error:
                if isinstance(error, RowbookError) or not is_failure_of_spark(error):
                    raise
                raws = [(dataset, found) for _, dataset, found in read]
                doing = f"comparing {after[0].destination}"
                raise explain(error, lambda: (), lambda: explain_all(raws), {}, doing) from error


def _replaced(past: PastRun, table: WrittenTable, why: str) -> Diagnostic:
    step = table.step
    message = f"output {step.seq} '{step.name}' of run {past.run.id} is not what it wrote: {why}"
    return Diagnostic("RUN_010", message)
