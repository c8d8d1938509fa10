"""The life of a run: lease, snapshot, work, end. What goes wrong is in the result and the store."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.engine.execution.explain_failure import LostRowsError, losses_explained
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.session.endpoints import endpoint
from rowbook.engine.session.executors import executors_awaited, start_awaited
from rowbook.engine.session.session import Engine
from rowbook.engine.session.settings import EngineSettings
from rowbook.engine.session.shared_session import Lend, SharedSession
from rowbook.engine.session.sizing import Volume, run_conf
from rowbook.errors import Diagnostic, RowbookError
from rowbook.errors.termination import RunInterruptedError, TerminationError
from rowbook.planning.steps import AnyStep
from rowbook.runs.checking.expectation_check import ExpectationCheck, new_waivers
from rowbook.runs.checking.run_verdicts import NEVER_JUDGED, EarlierJudgement
from rowbook.runs.checking.waivers import WaiverRequest
from rowbook.runs.execute.dead_runs import (
    recover_dead_runs,
    remove_discarded,
    remove_staged,
    settle_publications,
)
from rowbook.runs.execute.heartbeat import Heartbeat
from rowbook.runs.execute.input_watch import InputWatch
from rowbook.runs.execute.interruption import Interruption
from rowbook.runs.execute.publication import Publications
from rowbook.runs.execute.result import LedgerEntry, OutputResult, RunResult
from rowbook.runs.execute.run_figures import Figures
from rowbook.runs.execute.run_ledger import ledger
from rowbook.runs.execute.run_reader import RunReader
from rowbook.runs.execute.run_writer import OutputWriter
from rowbook.runs.execute.table_turns import TableTurns
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.clock import new_run_id
from rowbook.runs.prepare.engine_settings import engine_settings
from rowbook.runs.prepare.lease_clock import at_present, lease_time
from rowbook.runs.prepare.new_run import new_run, run_refusals
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import ResolvedRun, resolve_run
from rowbook.runs.prepare.run_checks import check_run, request_problems, run_warnings
from rowbook.runs.prepare.run_snapshot import (
    input_changes,
    input_records,
    request_again,
    snapshot_of,
    take_snapshot,
)
from rowbook.runs.prepare.sandbox import make_sandbox
from rowbook.sources.source import Extra, Keeping
from rowbook.store import JsonObject, Lease, LeaseLostError, from_this_machine, this_process

if TYPE_CHECKING:
    from rowbook.runs.checking.observing_pipeline import ObservingPipeline

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


def start_run(
    workspace: OpenWorkspace,
    request: Request,
    options: RunOptions,
    earlier: EarlierJudgement = NEVER_JUDGED,
) -> RunResult:
    """Runs. Refused, with nothing left behind, where another run of the project and period is
    alive (LeaseHeldError), or the period is closed or locked; and with all else that it would fail
    of. `earlier` is how the run was judged that this one repeats."""
    recover_dead_runs(workspace)
    given = new_waivers(request, options.waive)
    settings, store = options.settings(request.settings), workspace.store
    try:
        lease = store.leases.begin(
            new_run(request, settings.remote or settings.master, options.trigger),
            this_process(),
            at=at_present(),
            ttl=lease_time(),
            reopened=options.reopened,
            sight=from_this_machine(),
        )
    except RowbookError:
        found = run_refusals(request, store, options.reopened)
        found += request_problems(request, store) if found else ()
        if len(found) < 2:
            raise
        raise RowbookError(*found) from None
    given = (*earlier.waivers, *given)
    check = ExpectationCheck(workspace, request, lease, given, earlier.past)
    with ExitStack() as resources:
        return _Execution(workspace, request, options, settings, lease, resources, check).run()


def resume_run(
    workspace: OpenWorkspace, run_id: str, options: RunOptions, *, accept_changed_input: bool
) -> RunResult:
    """Goes on with a failed run: same snapshot, same clock, same row ids; outputs that it finished
    are not written again. Refused (RUN_008) where its input is not what it was: it is kept as it is
    and digested before the run is taken, and then read."""
    recover_dead_runs(workspace)
    store = workspace.store
    record = store.runs.record(run_id)
    snapshot = snapshot_of(store, run_id, "has nothing to resume")
    request = request_again(workspace, snapshot, run_id)
    given = new_waivers(request, options.waive)
    settings = options.settings(request.settings)
    with ExitStack() as resources:
        resolved, inputs = None, []
        if record.run.status == "failed":
            keeping = _keeping(request, settings, resources)
            resolved = resolve_run(request, None, keeping).with_fingerprints()
            inputs = input_records(resolved)
        changed = input_changes(snapshot["datasets"], inputs)
        if changed and not accept_changed_input:
            raise RowbookError.of("RUN_008", "; ".join(map(str, changed)))
        accepted = {"changed": [str(each) for each in changed], "datasets": inputs}
        lease = store.leases.resume(
            run_id,
            this_process(),
            at=at_present(),
            ttl=lease_time(),
            from_seq=max((each.seq for each in record.outputs), default=0),
            accepted_input=accepted if changed else None,
            reopened=options.reopened,
            sight=from_this_machine(),
        )
        known = None if changed else snapshot
        earlier = EarlierJudgement.of(record)
        check = ExpectationCheck(workspace, request, lease, given, earlier.past, earlier.waivers)
        return _Execution(
            workspace, request, options, settings, lease, resources, check, resolved, known
        ).run()


def repeat_run(workspace: OpenWorkspace, run_id: str, options: RunOptions) -> RunResult:
    recover_dead_runs(workspace)
    store = workspace.store
    record = store.runs.record(run_id)
    snapshot = snapshot_of(store, run_id, "has nothing to repeat")
    before = request_again(workspace, {**snapshot, "version": None}, run_id)
    context = replace(before.context, run_id=new_run_id(at_present()))
    earlier = EarlierJudgement.of(record)
    return start_run(workspace, replace(before, context=context), options, earlier)


@dataclass(slots=True)
class _Execution:
    workspace: OpenWorkspace
    request: Request
    options: RunOptions
    settings: EngineSettings
    lease: Lease
    resources: ExitStack
    """What must stay open while the input is read."""
    check: ExpectationCheck
    resumed: ResolvedRun | None = None
    """What a resumed run reads and writes; None for a run that begins."""
    _snapshot: JsonObject | None = None
    """What the digests of its input are added to; None where it reads other input than recorded."""
    _began: float = field(default_factory=time.monotonic)
    _step: AnyStep | None = None
    _pipeline: Pipeline | None = None
    _results: list[OutputResult] = field(default_factory=list)
    _warnings: list[str] = field(default_factory=list)

    def run(self) -> RunResult:
        with Heartbeat(self.workspace.store, self.lease) as beat:
            try:
                self._work(beat)
            except KeyboardInterrupt as interrupt:
                raise self._interrupted(interrupt) from None
            except LeaseLostError as lost:
                return self._result("failed", lost)
            except RowbookError as failure:
                try:
                    beat.check()
                except LeaseLostError as lost:
                    return self._result("failed", lost)
                except RowbookError as cancelled:
                    self._cancelled()
                    return self._result("cancelled", cancelled)
                refusal = self._failed(failure)
                if self.options.debug and failure.__cause__ is not None:
                    raise
                return self._result("failed", refusal or failure)
            except BaseException as fault:
                self._failed(RowbookError.of("INTERNAL", f"{type(fault).__name__}: {fault}"))
                raise
        remove_discarded(self.workspace)
        return self._result("completed", None)

    def _work(self, beat: Heartbeat) -> None:
        self.check.begin()
        left = settle_publications(self.workspace, self.lease)
        with self.resources:
            resolved = self.resumed or self._resolve()
            self._warn(left)
            for finding in run_warnings(resolved):
                self._warn_once(finding.message)
            if self.request.is_draft:
                make_sandbox(self.request)
            try:
                self._execute(resolved, beat)
            except LostRowsError as lost:
                if not self._may_compute_again(resolved):
                    raise
                beat.check()
                self._compute_again(lost)
                self._execute(resolved, beat)
        self._step = None
        beat.check()
        with self.workspace.store.writing_as(self.lease, at=at_present()) as writes:
            for entry in self._ledger():
                writes.record_step(entry.seq, entry.as_json())
            writes.complete(self._timings())

    def _may_compute_again(self, resolved: ResolvedRun) -> bool:
        """Not where an output has replaced what was read."""
        published = [each.seq for each in self._results]
        tables = [each.table for each in resolved.tables if each.table is not None]
        return len(resolved.untouched_tables(published)) == len(tables)

    def _compute_again(self, lost: LostRowsError) -> None:
        """From the beginning, with the same clock, as a run that is resumed."""
        settle_publications(self.workspace, self.lease)
        self._results.clear()
        self._warn([f"computed again: {as_one(lost).message}"])

    def _warn_once(self, message: str) -> None:
        if message not in self._warnings:
            self._warn([message])

    def _warn(self, messages: Sequence[str]) -> None:
        for message in messages:
            with self.workspace.store.writing_as(self.lease, at=at_present()) as writes:
                writes.warn({"message": message})
            self._warnings.append(message)

    def _resolve(self) -> ResolvedRun:
        store, request = self.workspace.store, self.request
        resolved = resolve_run(request, store, _keeping(request, self.settings, self.resources))
        self._snapshot = take_snapshot(resolved)
        with store.writing_as(self.lease, at=at_present()) as writes:
            writes.start(self._snapshot)
        return resolved

    def _finished(self) -> tuple[OutputResult, ...]:
        """The outputs of earlier attempts, also those that were found to be published just now."""
        record = self.workspace.store.runs.record(self.request.context.run_id)
        return tuple(OutputResult.from_json(each.output) for each in record.outputs)

    def _execute(self, resolved: ResolvedRun, beat: Heartbeat) -> None:
        watch = InputWatch(resolved, self._results, self._record_input)
        publications = Publications(self.workspace, beat, watch, self.request, self._warnings)
        turns = TableTurns(self.workspace, beat, self.options.on_wait)
        writer = OutputWriter(
            resolved, publications.announce, publications.record, self._results, turns
        )
        outputs = {each.step.seq: each for each in resolved.outputs}
        for result in self._finished():
            self._results.append(publications.register(outputs[result.seq], result))
        finished = frozenset(each.seq for each in self._results)
        check_run(resolved)
        session = self.options.open_session(self.settings, resolved.volume, resolved.extras)
        with (
            session as engine,
            watch,
            executors_awaited(engine.spark, self.options.on_wait),
            losses_explained(),
        ):
            beat.stops(engine.cancel)
            figures = self.options.figures
            if figures is not None and not figures.found:
                reader = RunReader(engine.spark, resolved, self.resources)
                figures.take(self.request, reader, engine.executors, beat.check)
            self._pipeline = Pipeline(
                self.request.plan,
                self.request.context,
                RunReader(
                    engine.spark,
                    resolved,
                    self.resources,
                    self._results,
                    warn=self._warn_once,
                ),
                writer,
                lambda step: self._next(step, beat),
                options=resolved.options(self.settings),
                written=finished,
                rewriting=resolved.rewrites,
                executors=engine.executors,
            )
            self._pipeline.run()
            self._may_publish(resolved)

    def _may_publish(self, resolved: ResolvedRun) -> None:
        """EXPECT_101 where an expectation stops the run."""
        if not self.request.plan.expectations:
            return
        self._step = None  # what stops it is no fault of the last operation
        pipeline = cast("ObservingPipeline", self._pipeline)
        self._warnings += self.check.judge(pipeline.observations)
        published = [each.destination for each in self._results]
        labels = [each.target.label for each in resolved.outputs]
        self.check.decide(published, [each for each in labels if each not in published])

    def _record_input(self, resolved: ResolvedRun) -> None:
        if self._snapshot is not None:
            known = {**self._snapshot, "datasets": input_records(resolved)}
            with self.workspace.store.writing_as(self.lease, at=at_present()) as writes:
                writes.record_snapshot(known)

    def _next(self, step: AnyStep, beat: Heartbeat) -> None:
        beat.check()
        self._step = step
        self.options.on_step(step)

    def _failed(self, failure: RowbookError) -> LeaseLostError | None:
        """Recorded with the operation that failed, else the one at work: rows are computed where
        they are written, which may be later."""
        first = as_one(failure)
        step = first.operation or self._step
        details = {
            "seq": step.seq if step else None,
            "operation": step.name if step else None,
            "code": first.code,
            "message": first.message,
            "hint": first.hint,
        }
        return self._end(lambda writes: writes.fail(details, self._timings()))

    def _interrupted(self, interrupt: KeyboardInterrupt) -> RunInterruptedError:
        """Who says Ctrl-C does not want the run; who ends the process may want it later."""
        run_id, announced = self.request.context.run_id, []
        with suppress(RowbookError):
            unsettled = self.workspace.store.journal.unsettled(self.lease)
            announced = [each.seq for each in unsettled if each.run_id == run_id]
        is_resumable = isinstance(interrupt, TerminationError)
        if is_resumable:
            self._failed(RowbookError.of("RUN_007", "the process of the run was asked to end"))
        else:
            self._cancelled()
        left = Interruption(
            self.request.plan.steps,
            self._step,
            [each.seq for each in self._results],
            announced,
            run_id if is_resumable else None,
            self.request.is_draft,
        )
        return RunInterruptedError(str(left))

    def _cancelled(self) -> None:
        self._end(lambda writes: writes.cancel(self._timings()))

    def _end(self, ending: Callable[[Any], None]) -> LeaseLostError | None:
        """Records how the run ended, if it still may; gives why it may not. Spark may not have
        noticed yet: what it leaves of a cancelled run is removed by the next command."""
        try:
            with self.workspace.store.writing_as(self.lease, at=at_present()) as writes:
                for entry in self._ledger():
                    writes.record_step(entry.seq, entry.as_json())
                ending(writes)
        except RowbookError as error:
            self.workspace.store.leases.release(self.lease, at=at_present())
            return error if isinstance(error, LeaseLostError) else None
        remove_staged(self.workspace, self.request.context.run_id)
        return None

    def _ledger(self) -> tuple[LedgerEntry, ...]:
        pipeline = self._pipeline
        if pipeline is None:
            return ()
        taken = None
        if self.request.plan.expectations:
            taken = cast("ObservingPipeline", pipeline).quarantined
        return ledger(pipeline.done, pipeline.counts, self._results, taken)

    def _timings(self) -> dict[str, Any]:
        return {"total_ms": int((time.monotonic() - self._began) * 1000)}

    def _result(self, status: Any, error: RowbookError | None) -> RunResult:
        return RunResult(
            self.request.context.run_id,
            status,
            self._ledger(),
            tuple(self._results),
            error.diagnostics if error else (),
            tuple(self._warnings),
            self.check.verdicts,
        )


def as_one(error: RowbookError) -> Diagnostic:
    """The first finding; further ones are in its message."""
    first, *rest = error.diagnostics
    if not rest:
        return first
    more = "; ".join(d.text for d in rest)
    return replace(first, message=f"{first.message}; {more}")


def _keeping(request: Request, settings: EngineSettings, resources: ExitStack) -> Keeping:
    return Keeping(resources, request.kept_input if settings.sees_this_disk else None)
