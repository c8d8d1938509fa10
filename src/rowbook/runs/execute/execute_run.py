"""The life of a run: lease, snapshot, work, end. What goes wrong is in the result and the store."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.engine.execution.explain_failure import LostRowsError, losses_explained
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.session.endpoints import endpoint
from rowbook.engine.session.executors import executors_awaited, start_awaited
from rowbook.engine.session.session import Engine, open_session
from rowbook.engine.session.settings import ProfileName
from rowbook.engine.session.sizing import SMALL, size_shuffles
from rowbook.errors import Diagnostic, RowbookError
from rowbook.planning.steps import AnyStep
from rowbook.runs.execute.dead_runs import (
    recover_dead_runs,
    remove_discarded,
    remove_kept_input,
    remove_staged,
    settle_publications,
)
from rowbook.runs.execute.heartbeat import Heartbeat
from rowbook.runs.execute.input_watch import InputWatch
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
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import ResolvedRun, resolve_run
from rowbook.runs.prepare.run_snapshot import (
    input_changes,
    input_records,
    request_again,
    snapshot_of,
    take_snapshot,
)
from rowbook.runs.prepare.sandbox import make_sandbox
from rowbook.runs.versions.period_status import calendar_identity
from rowbook.sources.source import Extra, Keeping
from rowbook.store import JsonObject, Lease, LeaseLostError, NewRun, from_this_machine, this_process

OnStep = Callable[[AnyStep], None]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run is done: where Spark runs, who is told, and why a closed period is written to."""

    engine: str | None = None
    debug: bool = False
    on_step: OnStep = lambda _: None
    reopened: str | None = None
    trigger: str = "command"
    session: Callable[[], AbstractContextManager[Engine]] | None = None
    """Lends a session that is kept for several runs; None: each run opens one and closes it."""
    figures: Figures | None = None
    """Where what is measured of the run goes; None: nothing is."""
    on_session: Callable[[], None] = lambda: None
    """Called when the session is about to be opened or lent: starting Spark takes seconds. A run
    that is refused, or whose input is missing, ends before."""
    on_wait: Callable[[str], None] = lambda _: None
    """Told for whom the run waits: to write to a table, for executors of a cluster."""

    def open_session(
        self, workspace: WorkspaceDefinition | None, size: int, extras: frozenset[Extra]
    ) -> AbstractContextManager[Engine]:
        """The session that is lent, or a new one for work on `size` bytes."""
        self.on_session()
        if self.session is not None:
            return self.session()
        profile: ProfileName = "small" if size <= SMALL else "bulk"
        settings = engine_settings(workspace, self.engine, profile=profile, extras=extras)
        with ExitStack() as waiting:
            if not settings.sees_this_disk:
                where = endpoint(settings.remote or settings.master)
                waiting.enter_context(start_awaited(where, self.on_wait))
            engine = open_session(settings, debug=self.debug)
        size_shuffles(engine.spark, size, settings.cores, settings.conf)
        return engine


def start_run(workspace: OpenWorkspace, request: Request, options: RunOptions) -> RunResult:
    """Runs. Refused, with nothing left behind, where another run of the project and period is
    alive (LeaseHeldError), or the period is closed or locked."""
    recover_dead_runs(workspace)
    lease = workspace.store.leases.begin(
        _new_run(request, options),
        this_process(),
        at=at_present(),
        ttl=lease_time(),
        reopened=options.reopened,
        sight=from_this_machine(),
    )
    return _Execution(workspace, request, options, lease).run()


def resume_run(
    workspace: OpenWorkspace, run_id: str, options: RunOptions, *, accept_changed_input: bool
) -> RunResult:
    """Goes on with a failed run: same snapshot, same clock, same row ids; outputs that it finished
    are not written again. Refused (RUN_008) where its input is not what it was."""
    recover_dead_runs(workspace)
    store = workspace.store
    record = store.runs.record(run_id)
    snapshot = snapshot_of(store, run_id, "has nothing to resume")
    request = request_again(workspace, snapshot, run_id)
    finished = tuple(OutputResult.from_json(each.output) for each in record.outputs)
    failed = record.run.status == "failed"
    inputs = input_records(resolve_run(request).with_fingerprints()) if failed else []
    changed = input_changes(snapshot["datasets"], inputs)
    if changed and not accept_changed_input:
        raise RowbookError.of("RUN_008", "; ".join(map(str, changed)))
    accepted = {"changed": [str(each) for each in changed], "datasets": inputs}
    lease = store.leases.resume(
        run_id,
        this_process(),
        at=at_present(),
        ttl=lease_time(),
        from_seq=max((each.seq for each in finished), default=0),
        accepted_input=accepted if changed else None,
        reopened=options.reopened,
        sight=from_this_machine(),
    )
    known = None if changed else snapshot
    return _Execution(workspace, request, options, lease, finished, known).run()


def repeat_run(workspace: OpenWorkspace, run_id: str, options: RunOptions) -> RunResult:
    recover_dead_runs(workspace)
    store = workspace.store
    snapshot = snapshot_of(store, store.runs.get(run_id).id, "has nothing to repeat")
    before = request_again(workspace, {**snapshot, "version": None}, run_id)
    context = replace(before.context, run_id=new_run_id(at_present()))
    return start_run(workspace, replace(before, context=context), options)


@dataclass(slots=True)
class _Execution:
    workspace: OpenWorkspace
    request: Request
    options: RunOptions
    lease: Lease
    finished: Sequence[OutputResult] | None = None
    """Outputs of an earlier attempt; None for a run that begins."""
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
            except KeyboardInterrupt:
                self._cancelled()
                raise
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
        left = settle_publications(self.workspace, self.lease)
        with ExitStack() as resources:
            resolved = self._resolve(resources)
            self._warn(left)
            if self.request.is_draft:
                make_sandbox(self.request)
            try:
                self._execute(resolved, resources, beat)
            except LostRowsError as lost:
                if not self._may_compute_again(resolved):
                    raise
                beat.check()
                self._compute_again(lost)
                self._execute(resolved, resources, beat)
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
        record = self.workspace.store.runs.record(self.lease.run_id)
        self.finished = tuple(OutputResult.from_json(each.output) for each in record.outputs)
        self._results.clear()
        self._warn([f"computed again: {as_one(lost).message}"])

    def _warn(self, messages: Sequence[str]) -> None:
        for message in messages:
            with self.workspace.store.writing_as(self.lease, at=at_present()) as writes:
                writes.warn({"message": message})
            self._warnings.append(message)

    def _resolve(self, resources: ExitStack) -> ResolvedRun:
        """With its input kept as it is until `resources` are closed."""
        store, request = self.workspace.store, self.request
        keeping = Keeping(resources)
        if engine_settings(request.settings, self.options.engine, profile="bulk").sees_this_disk:
            keeping = Keeping(resources, request.kept_input)
            resources.callback(remove_kept_input, self.workspace, request.context.run_id)
        resolved = resolve_run(request, store if self.finished is None else None, keeping)
        if self.finished is None:
            self._snapshot = take_snapshot(resolved)
            with store.writing_as(self.lease, at=at_present()) as writes:
                writes.start(self._snapshot)
        return resolved

    def _execute(self, resolved: ResolvedRun, resources: ExitStack, beat: Heartbeat) -> None:
        watch = InputWatch(resolved, self._results, self._record_input)
        publications = Publications(self.workspace, beat, watch, self.request, self._warnings)
        turns = TableTurns(self.workspace, beat, self.options.on_wait)
        writer = OutputWriter(
            resolved, publications.announce, publications.record, self._results, turns
        )
        outputs = {each.step.seq: each for each in resolved.outputs}
        for result in self.finished or ():
            self._results.append(publications.register(outputs[result.seq], result))
        finished = frozenset(each.seq for each in self._results)
        resolved.check_found()
        session = self.options.open_session(
            self.request.settings, resolved.input_bytes, resolved.extras
        )
        with (
            session as engine,
            watch,
            executors_awaited(engine.spark, self.options.on_wait),
            losses_explained(),
        ):
            beat.stops(engine.cancel)
            figures = self.options.figures
            if figures is not None and not figures.found:
                reader = RunReader(engine.spark, resolved, resources)
                figures.take(self.request, reader, engine.executors, beat.check)
            self._pipeline = Pipeline(
                self.request.plan,
                self.request.context,
                RunReader(engine.spark, resolved, resources, self._results),
                writer,
                lambda step: self._next(step, beat),
                written=finished,
                rewriting=resolved.rewrites,
                executors=engine.executors,
            )
            self._pipeline.run()

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
        return ledger(pipeline.done, pipeline.counts, self._results) if pipeline else ()

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
        )


def as_one(error: RowbookError) -> Diagnostic:
    """The first finding; further ones are in its message."""
    first, *rest = error.diagnostics
    if not rest:
        return first
    more = "; ".join(d.text for d in rest)
    return replace(first, message=f"{first.message}; {more}")


def _new_run(request: Request, options: RunOptions) -> NewRun:
    context = request.context
    settings = engine_settings(request.settings, options.engine, profile="bulk")
    return NewRun(
        context.run_id,
        context.project_id,
        request.project_name,
        request.version,
        request.is_draft,
        calendar_identity(context.calendar.name, request.definitions),
        context.period.identifier,
        context.as_of.isoformat(),
        context.now,
        options.trigger,
        settings.remote or settings.master,
        this_process().user,
        _writes_into(request),
    )


def _writes_into(request: Request) -> tuple[str, ...]:
    context = request.context
    above = []
    parent = context.calendar.parent(context.period)
    while parent is not None:
        above.append(parent.identifier)
        parent = context.calendar.parent(parent)
    return (*context.periods, *above)
