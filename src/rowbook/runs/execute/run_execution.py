"""The life of a run that holds its lease: resolved, computed, staged, decided, published, ended."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rowbook.engine.execution.failures.explain_failure import LostRowsError, losses_explained
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.session.executors import executors_awaited
from rowbook.engine.session.settings import EngineSettings
from rowbook.engine.session.sizing import Volume
from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import Executors
from rowbook.errors import Diagnostic, RowbookError
from rowbook.errors.termination import RunInterruptedError, TerminationError
from rowbook.planning.steps import AnyStep
from rowbook.runs.checking.expectation_check import ExpectationCheck
from rowbook.runs.events.run_events import run_and_tell
from rowbook.runs.evidence.kept_input import KeptInput
from rowbook.runs.execute.dead_runs import (
    remove_discarded,
    remove_unrecorded,
    settle_publications,
)
from rowbook.runs.execute.heartbeat import Heartbeat
from rowbook.runs.execute.input_watch import InputWatch
from rowbook.runs.execute.interruption import Interruption
from rowbook.runs.execute.publication import Publications
from rowbook.runs.execute.result import LedgerEntry, OutputResult, RunResult
from rowbook.runs.execute.run_ledger import ledger, recorded_ledger
from rowbook.runs.execute.run_options import RunOptions, RunSession
from rowbook.runs.execute.run_reader import RunReader
from rowbook.runs.execute.run_writer import OutputWriter, PassingOutputs, StagingWriter
from rowbook.runs.execute.staged.staged_outputs import (
    StagedResult,
    destination_contents,
    published_before,
)
from rowbook.runs.execute.table_turns import TableTurns
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import ResolvedRun, asks_spark, extras_of, resolve_run
from rowbook.runs.prepare.run_checks import check_run, run_warnings
from rowbook.runs.prepare.run_snapshot import input_records, take_snapshot
from rowbook.runs.prepare.sandbox import make_sandbox
from rowbook.sources.contents import Keeping
from rowbook.store import JsonObject, Lease, LeaseLostError, RunWrites
from rowbook.write_points import write_point

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(slots=True)
class Execution:
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
    staged: Sequence[StagedResult] = ()
    """Outputs of earlier attempts that are computed and not published."""
    lost: Sequence[StagedResult] = ()
    """Those that are staged no longer: maybe as they were published, and nobody could say so."""
    is_computed: bool = False
    """Nothing is left to do but to publish what is staged."""
    is_approved: bool = False
    _on_resolved: Callable[[ResolvedRun], None] = lambda _: None
    _began: float = field(default_factory=time.monotonic)
    _step: AnyStep | None = None
    _pipeline: Pipeline | None = None
    _results: list[OutputResult] = field(default_factory=list)
    _staged: dict[int, StagedResult] = field(default_factory=dict)
    _is_through: bool = False
    """All operations were done: what fails then fails at none of them."""
    _is_decided: bool = False
    _is_waiting: bool = False
    _warnings: list[str] = field(default_factory=list)

    def run(self) -> RunResult:
        """Who follows lineage is told of it; see `runs/events`."""
        parent, is_new = self.options.parent, self.resumed is None
        return run_and_tell(self.workspace, self.request, parent, self._run, is_new=is_new)

    def _run(self, on_resolved: Callable[[ResolvedRun], None]) -> RunResult:
        self._on_resolved = on_resolved
        with Heartbeat(self.workspace.store, self.lease) as beat:
            try:
                self._work(beat)
            except KeyboardInterrupt as interrupt:
                raise self._interrupted(interrupt) from None
            except LeaseLostError as lost:
                return self._result("failed", lost)
            except RowbookError as failure:
                try:
                    self._check(beat)
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
        return self._result("waiting" if self._is_waiting else "completed", None)

    def _work(self, beat: Heartbeat) -> None:
        with self.resources:
            left = settle_publications(self.workspace, self.lease, spark=self._own_session)
            resolved = self.resumed or self._resolve()
            self._on_resolved(resolved)
            self._warn(left)
            self.check.begin()
            self._take_staged()
            if self.is_computed:
                self._publish(resolved, self._publications(beat), self._own_session)
            else:
                self._compute(resolved, beat)
        self._step = None
        if self._is_waiting:
            self._wait(resolved)
            return
        self._check(beat)
        self._record_ledger(lambda writes: writes.complete(self._timings()))

    def _check(self, beat: Heartbeat) -> None:
        """Nobody cancels what is decided."""
        if self._is_decided:
            beat.check_lease()
        else:
            beat.check()

    def _compute(self, resolved: ResolvedRun, beat: Heartbeat) -> None:
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

    def _take_staged(self) -> None:
        """What earlier attempts staged of other input, or lost since, is forgotten; but what was
        published is not written again."""
        self._staged = {each.seq: each for each in self.staged}
        for lost in self.lost:
            if (result := published_before(lost)) is not None:
                with self.workspace.store.writing_as(self.lease, at=at_present()) as writes:
                    writes.record_output(lost.seq, result.as_json())
        run_id = self.request.context.run_id
        for each in self.workspace.store.runs.record(run_id).unpublished:
            if each.seq not in self._staged:
                with self.workspace.store.writing_as(self.lease, at=at_present()) as writes:
                    writes.forget_staged(each.seq)

    def _own_session(self) -> SparkSession:
        """For what only Spark can publish, where it was not needed until then."""
        extras = extras_of(self.request)
        session = self.options.open_session(self.settings, Volume.of(()), extras)
        return self.resources.enter_context(session).spark

    def _publications(self, beat: Heartbeat, watch: InputWatch | None = None) -> Publications:
        return Publications(self.workspace, self.lease, self.request, self._warnings, beat, watch)

    def _may_publish(self, resolved: ResolvedRun) -> None:
        """The one place where a run is stopped that was computed as a whole: EXPECT_101 fails it
        before anything is decided. What is staged stays, and resuming the run publishes it."""
        if not self.request.plan.expectations:
            return
        if self._pipeline is None:
            self._warnings += self.check.judge_again()
        else:
            self._warnings += self.check.judge(self._pipeline.observations)
        published = [each.destination for each in self._results]
        labels = [each.target.label for each in resolved.outputs]
        self.check.decide(published, [each for each in labels if each not in published])

    def _publish(
        self,
        resolved: ResolvedRun,
        publications: Publications,
        spark: Callable[[], SparkSession],
    ) -> None:
        """All that is staged, unless somebody is to approve it before."""
        if self.is_computed:
            self._take_finished(resolved, publications)
        self._record_ledger()
        write_point("all outputs are staged")
        self._may_publish(resolved)
        publications.check()
        if self.request.is_approved_first and not self.is_approved:
            self._is_waiting = True
            return
        beat = publications.beat
        assert beat is not None
        turns = TableTurns(self.workspace, beat, self.options.on_wait, spark)
        waiting = [self._staged[seq] for seq in sorted(self._staged)]
        before = len(self._results)
        publications.publish(waiting, turns, spark, self._results.append, self._decided)
        outputs = {each.step.seq: each for each in resolved.outputs}
        published = sorted(self._results[before:], key=lambda result: result.seq)
        self._results[before:] = [
            publications.register(outputs[result.seq], result) for result in published
        ]

    def _decided(self) -> None:
        self._is_decided = True

    def _wait(self, resolved: ResolvedRun) -> None:
        found = destination_contents(resolved.outputs)
        self._record_ledger(lambda writes: writes.wait(found, self._timings()))

    def _record_ledger(self, ending: Callable[[RunWrites], None] = lambda _: None) -> None:
        entries = self._ledger()
        with self.workspace.store.writing_as(self.lease, at=at_present()) as writes:
            for entry in entries:
                writes.record_step(entry.seq, entry.as_json())
            ending(writes)

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
        self.options = options_for(request, self.options, self.resources)
        keeping = keeping_for(request, self.settings, self.options, self.resources)
        resolved = resolve_run(request, store, keeping)
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
        publications = self._publications(beat, watch)
        self._take_finished(resolved, publications)
        finished = frozenset((*(each.seq for each in self._results), *self._staged))
        check_run(resolved)
        options = resolved.options(self.settings)
        late = self.options.late_session(self.settings, resolved.volume, resolved.extras)
        with (
            late as session,
            watch,
            self._executors(session, options) as executors,
            losses_explained(),
        ):
            beat.stops(session.cancel)
            turns = TableTurns(self.workspace, beat, self.options.on_wait, lambda: session.spark)
            passing = PassingOutputs(resolved)
            writer = self._writer(resolved, publications, turns, passing)
            figures = self.options.figures
            if figures is not None and not figures.found:
                spark = session.spark
                reader = RunReader(lambda: spark, resolved, self.resources)
                figures.take(self.request, reader, executors, beat.check)
            self._pipeline = Pipeline(
                self.request.plan,
                self.request.context,
                RunReader(
                    lambda: session.spark,
                    resolved,
                    self.resources,
                    self._results,
                    warn=self._warn_once,
                ),
                writer,
                lambda step: self._next(step, beat),
                options=options,
                written=finished,
                rewriting=resolved.rewrites,
                executors=executors,
                write_here=writer.write_here,
                passing=passing if passing.is_possible(lambda: session.spark) else None,
            )
            self._pipeline.write_outputs()
            self._is_through = True
            beat.check()
            if self.request.publishes_together:
                self.is_approved = False
                self._publish(resolved, publications, lambda: session.spark)
            else:
                self._may_publish(resolved)

    @contextmanager
    def _executors(self, session: RunSession, options: Options) -> Iterator[Executors]:
        """Where rows are computed. Few rows may all be computed here: Spark then starts where it is
        needed after all."""
        if options.local_rows:
            yield Executors()
            return
        with executors_awaited(session.spark, self.options.on_wait):
            yield session.engine.executors

    def _take_finished(self, resolved: ResolvedRun, publications: Publications) -> None:
        outputs = {each.step.seq: each for each in resolved.outputs}
        for result in self._finished():
            self._staged.pop(result.seq, None)
            self._results.append(publications.register(outputs[result.seq], result))

    def _writer(
        self,
        resolved: ResolvedRun,
        publications: Publications,
        turns: TableTurns,
        passing: PassingOutputs,
    ) -> StagingWriter | OutputWriter:
        if not self.request.publishes_together:
            return OutputWriter(
                resolved, publications.announce, publications.record, self._results, turns, passing
            )

        def record(output: StagedResult) -> None:
            beat = publications.beat
            if beat is not None:
                beat.check()
            publications.record_staged(output)
            self._staged[output.seq] = output

        return StagingWriter(resolved, record, turns, passing)

    def _record_input(self, kept: KeptInput) -> None:
        for warning in kept.warnings:
            self._warn_once(warning)
        resolved = kept.resolved
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
        step = first.operation or (None if self._is_through else self._step)
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
        is_resumable = isinstance(interrupt, TerminationError) or self._is_decided
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

    def _end(self, ending: Callable[[RunWrites], None]) -> LeaseLostError | None:
        """Records how the run ended, if it still may; gives why it may not. Spark may not have
        noticed yet: what it leaves of a cancelled run is removed by the next command. What a failed
        one staged stays, for resuming."""
        try:
            self._record_ledger(ending)
        except RowbookError as error:
            self.workspace.store.leases.release(self.lease, at=at_present())
            return error if isinstance(error, LeaseLostError) else None
        remove_unrecorded(self.workspace, self.request.context.run_id)
        return None

    def _ledger(self) -> tuple[LedgerEntry, ...]:
        """Of what this attempt computed; or what is recorded, where it computed nothing."""
        if (pipeline := self._pipeline) is not None:
            taken = pipeline.quarantined
            return ledger(pipeline.done, pipeline.counts, self._all_outputs(), taken)
        if not self.is_computed:
            return ()
        record = self.workspace.store.runs.record(self.request.context.run_id)
        return recorded_ledger(record.steps, self._all_outputs())

    def _all_outputs(self) -> tuple[OutputResult, ...]:
        """Those that are published, and those that are staged."""
        published = {each.seq: each for each in self._results}
        staged = {seq: each.result for seq, each in self._staged.items()}
        return tuple(each for _, each in sorted((staged | published).items()))

    def _timings(self) -> dict[str, Any]:
        return {"total_ms": int((time.monotonic() - self._began) * 1000)}

    def _result(self, status: Any, error: RowbookError | None) -> RunResult:
        return RunResult(
            self.request.context.run_id,
            status,
            self._ledger(),
            self._all_outputs() if self._is_waiting else tuple(self._results),
            error.diagnostics if error else (),
            tuple(self._warnings),
            self.check.verdicts,
            self._seal(),
        )

    def _seal(self) -> str | None:
        try:
            head = self.workspace.store.seals.head_of_run(self.request.context.run_id)
        except RowbookError:
            return None
        return str(head) if head else None


def as_one(error: RowbookError) -> Diagnostic:
    """The first finding; further ones are in its message."""
    first, *rest = error.diagnostics
    if not rest:
        return first
    more = "; ".join(d.text for d in rest)
    return replace(first, message=f"{first.message}; {more}")


def options_for(request: Request, options: RunOptions, resources: ExitStack) -> RunOptions:
    """Where Spark is asked about the input, the same session computes it."""
    return options.with_one_session(resources) if asks_spark(request) else options


def keeping_for(
    request: Request, settings: EngineSettings, options: RunOptions, resources: ExitStack
) -> Keeping:
    return Keeping(
        resources,
        request.kept_input if settings.sees_this_disk else None,
        lambda: options.asking_session(settings, extras_of(request)),
        not settings.sees_this_disk,
    )
