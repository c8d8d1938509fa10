"""The life of a run: lease, snapshot, work, end. What goes wrong is in the result and the store."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rowbook.definitions.workspace_files import read_workspace
from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.session.session import Engine
from rowbook.errors import Diagnostic, RowbookError
from rowbook.planning.steps import AnyStep
from rowbook.runs.execute.heartbeat import Heartbeat
from rowbook.runs.execute.ledger import ledger
from rowbook.runs.execute.publication import StoreWitness
from rowbook.runs.execute.reader import WorkspaceReader
from rowbook.runs.execute.recovery import (
    recover_dead_runs,
    remove_discarded,
    remove_staged,
    settle_publications,
)
from rowbook.runs.execute.result import OutputResult, RunResult
from rowbook.runs.execute.run_figures import Figures
from rowbook.runs.execute.sized_session import open_sized
from rowbook.runs.execute.writer import OutputWriter
from rowbook.runs.prepare.engine_settings import engine_settings
from rowbook.runs.prepare.extras import extras_of
from rowbook.runs.prepare.lease_clock import at_present, lease_time
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.run_ids import new_run_id
from rowbook.runs.prepare.snapshot import changed_input, input_bytes, request_again, take_snapshot
from rowbook.runs.prepare.table_versions import with_tables
from rowbook.runs.prepare.targets import rewriting, targets_of
from rowbook.runs.versions.calendar_identity import calendar_identity
from rowbook.store import (
    JsonObject,
    Lease,
    LeaseLostError,
    NewRun,
    Store,
    is_gone,
    this_process,
)

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


def start_run(request: Request, store: Store, manner: RunOptions) -> RunResult:
    """Runs. Refused, with nothing left behind, where another run of the project and period is
    alive (LeaseHeldError), or the period is closed or locked."""
    recover_dead_runs(store, request.root)
    lease = store.leases.begin(
        _new_run(request, manner),
        this_process(),
        at=at_present(),
        ttl=lease_time(),
        reopened=manner.reopened,
        is_gone=is_gone,
    )
    return _Life(request, store, manner, lease).run()


def resume_run(
    root: Path, store: Store, run_id: str, manner: RunOptions, *, accept_changed_input: bool
) -> RunResult:
    """Goes on with a failed run: same snapshot, same clock, same row ids; outputs that it finished
    are not written again. Refused (RUN_008) where its input is not what it was."""
    recover_dead_runs(store, root)
    record = store.runs.record(run_id)
    snapshot = store.runs.snapshot(run_id)
    if snapshot is None:
        message = f"run {run_id} ended before it began, and has nothing to resume"
        raise RowbookError.of("RUN_005", message)
    request = request_again(read_workspace(root), snapshot, run_id)
    finished = [OutputResult.from_json(each.output) for each in record.outputs]
    changed = changed_input(request, snapshot) if record.run.status == "failed" else ()
    if changed and not accept_changed_input:
        raise RowbookError.of("RUN_008", "; ".join(map(str, changed)))
    lease = store.leases.resume(
        run_id,
        this_process(),
        at=at_present(),
        ttl=lease_time(),
        from_seq=max((each.seq for each in finished), default=0),
        accepted_input={"changed": [str(each) for each in changed]} if changed else None,
        reopened=manner.reopened,
        is_gone=is_gone,
    )
    return _Life(request, store, manner, lease, finished, snapshot).run()


def repeat_run(root: Path, store: Store, run_id: str, manner: RunOptions) -> RunResult:
    """Runs again what a run ran, from its snapshot, as a draft of its own."""
    recover_dead_runs(store, root)
    snapshot = store.runs.snapshot(store.runs.get(run_id).id)
    if snapshot is None:
        message = f"run {run_id} ended before it began, and has nothing to repeat"
        raise RowbookError.of("RUN_005", message)
    before = request_again(read_workspace(root), {**snapshot, "version": None}, run_id)
    context = replace(before.context, run_id=new_run_id(at_present()))
    return start_run(replace(before, context=context), store, manner)


@dataclass(slots=True)
class _Life:
    request: Request
    store: Store
    manner: RunOptions
    lease: Lease
    finished: Iterable[OutputResult] | None = None
    """Outputs of an earlier attempt; None for a run that begins."""
    snapshot: JsonObject = field(default_factory=dict)
    _began: float = field(default_factory=time.monotonic)
    _step: AnyStep | None = None
    _pipeline: Pipeline | None = None
    _writer: OutputWriter = field(init=False)
    _witness: StoreWitness = field(init=False)

    def run(self) -> RunResult:
        """The whole of it."""
        with Heartbeat(self.store, self.lease) as beat:
            self._witness = StoreWitness(self.store, beat, self.request)
            self._writer = OutputWriter(self.request, self._witness)
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
                if self.manner.debug and failure.__cause__ is not None:
                    raise
                return self._result("failed", refusal or failure)
            except BaseException as fault:
                self._failed(RowbookError.of("INTERNAL", f"{type(fault).__name__}: {fault}"))
                raise
        remove_discarded(self.store, self.request.root)
        return self._result("completed", None)

    def _work(self, beat: Heartbeat) -> None:
        settle_publications(self.store, self.lease, self.request.root)
        done = self._finished_outputs()
        if self.finished is None:
            self.request = with_tables(self.request, self.store)
            self.snapshot = take_snapshot(self.request)
            with self.store.writing_as(self.lease, at=at_present()) as writes:
                writes.start(self.snapshot)
        with self._session() as engine, ExitStack() as held:
            beat.stops(engine.cancel)
            if self.manner.figures is not None:
                reader = WorkspaceReader(engine.spark, self.request, held)
                self.manner.figures.take(self.request, reader, beat.check)
            self._pipeline = Pipeline(
                self.request.plan,
                self.request.context,
                WorkspaceReader(engine.spark, self.request, held),
                self._writer,
                lambda step: self._next(step, beat),
                written=frozenset(done),
                rewriting=rewriting(self.request),
            )
            self._pipeline.run()
        self._step = None
        beat.check()
        with self.store.writing_as(self.lease, at=at_present()) as writes:
            for entry in self._ledger():
                writes.record_step(entry.seq, entry.as_json())
            writes.complete(self._timings())

    def _session(self) -> AbstractContextManager[Engine]:
        if self.manner.session is not None:
            return self.manner.session()
        return open_sized(
            self.request.settings,
            self.manner.engine,
            size=input_bytes(self.snapshot),
            extras=extras_of(self.request),
            debug=self.manner.debug,
        )

    def _finished_outputs(self) -> set[int]:
        """The outputs of an earlier attempt are this one's results too; whether they were
        registered is made sure of."""
        targets = {step.seq: (step, target) for step, target in targets_of(self.request)}
        for result in self.finished or ():
            step, target = targets[result.seq]
            self._writer.results.append(self._witness.registered(step, target, result))
        return {result.seq for result in self._writer.results}

    def _next(self, step: AnyStep, beat: Heartbeat) -> None:
        beat.check()
        self._step = step
        self.manner.on_step(step)

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
            with self.store.writing_as(self.lease, at=at_present()) as writes:
                for entry in self._ledger():
                    writes.record_step(entry.seq, entry.as_json())
                ending(writes)
        except RowbookError as error:
            self.store.leases.release(self.lease, at=at_present())
            return error if isinstance(error, LeaseLostError) else None
        remove_staged(self.store, self.request.context.run_id, self.request.root)
        return None

    def _ledger(self) -> tuple[Any, ...]:
        pipeline = self._pipeline
        if pipeline is None:
            return ()
        return ledger(pipeline.done, pipeline.counts, self._writer.results)

    def _timings(self) -> dict[str, Any]:
        return {"total_ms": int((time.monotonic() - self._began) * 1000)}

    def _result(self, status: Any, error: RowbookError | None) -> RunResult:
        return RunResult(
            self.request.context.run_id,
            status,
            self._ledger(),
            tuple(self._writer.results),
            error.diagnostics if error else (),
            tuple(self._witness.warnings),
        )


def as_one(error: RowbookError) -> Diagnostic:
    """The first finding; further ones are in its message."""
    first, *rest = error.diagnostics
    if not rest:
        return first
    more = "; ".join(d.text for d in rest)
    return replace(first, message=f"{first.message}; {more}")


def _new_run(request: Request, manner: RunOptions) -> NewRun:
    context = request.context
    return NewRun(
        context.run_id,
        context.project_id,
        request.project_name,
        request.version,
        request.is_draft,
        calendar_identity(context.calendar.name, request.known),
        context.period.identifier,
        context.as_of.isoformat(),
        context.now,
        manner.trigger,
        _engine(request, manner.engine),
        this_process().user,
        _writes_into(request),
    )


def _engine(request: Request, override: str | None) -> str:
    settings = engine_settings(request.settings, override, profile="bulk")
    return settings.remote or settings.master


def _writes_into(request: Request) -> tuple[str, ...]:
    """The run's period, what is inside it, and what it is inside of."""
    context = request.context
    above = []
    parent = context.calendar.parent(context.period)
    while parent is not None:
        above.append(parent.identifier)
        parent = context.calendar.parent(parent)
    return (*context.periods, *above)
