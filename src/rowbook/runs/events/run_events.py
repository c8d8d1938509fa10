"""A run tells a lineage server that it began, what it reads, and how it ended; where there is one.
Nothing of it fails or delays the run."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from rowbook.errors import Diagnostic, RowbookError
from rowbook.lineage.events.client_configuration import is_configured, open_delivery
from rowbook.lineage.events.event_sender import EventSender
from rowbook.lineage.events.run_facts import EventKind, ParentRun, RunMoment
from rowbook.runs.events import event_facts as facts
from rowbook.runs.execute.result import RunResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import ResolvedRun

if TYPE_CHECKING:
    from openlineage.client.event_v2 import RunEvent

_ENDS: dict[str, EventKind] = {"completed": "COMPLETE", "failed": "FAIL", "cancelled": "ABORT"}


def run_and_tell(
    workspace: OpenWorkspace,
    request: Request,
    parent: ParentRun | None,
    run: Callable[[Callable[[ResolvedRun], None]], RunResult],
    *,
    is_new: bool,
) -> RunResult:
    """Runs, and tells of it. `run` calls what it is given when it has resolved what it reads and
    writes. A run that goes on with another attempt of its own has begun before."""
    if not is_configured():
        return run(lambda _: None)
    events = RunEvents(workspace, request, parent)
    events.begin("START" if is_new else "RUNNING")
    try:
        result = run(events.resolved)
    except BaseException as interruption:
        events.interrupted(interruption)
        events.close()
        raise
    events.end(result)
    failure = events.close()
    if failure is None:
        return result
    warning = f"lineage events were not delivered: {failure}"
    return replace(result, warnings=(*result.warnings, warning))


@dataclass(slots=True)
class RunEvents:
    """Events are made where they are sent, so that what goes wrong with one stays there."""

    workspace: OpenWorkspace
    request: Request
    parent: ParentRun | None
    _resolved: ResolvedRun | None = None
    _sender: EventSender[RunEvent] = field(default_factory=lambda: EventSender(open_delivery))

    def begin(self, kind: EventKind) -> None:
        self._send(kind)

    def resolved(self, resolved: ResolvedRun) -> None:
        self._resolved = resolved
        self._send("RUNNING")

    def end(self, result: RunResult) -> None:
        """One that waits for approval goes on later."""
        self._send(_ENDS.get(result.status, "RUNNING"), result)

    def interrupted(self, interruption: BaseException) -> None:
        """The store says how a run was recorded that does not return."""
        run_id, kind = self.request.context.run_id, _ENDS["failed"]
        with suppress(RowbookError):
            kind = _ENDS.get(self.workspace.store.runs.get(run_id).status, kind)
        error = Diagnostic("INTERNAL", str(interruption) or type(interruption).__name__)
        if isinstance(interruption, RowbookError):
            error = interruption.diagnostics[0]
        self._send(kind, RunResult(run_id, "failed", (), (), (error,)))

    def close(self) -> str | None:
        return self._sender.close()

    def _send(self, kind: EventKind, result: RunResult | None = None) -> None:
        at, resolved = at_present(), self._resolved

        def make() -> RunEvent:
            from rowbook.lineage.events.run_event import run_event

            return run_event(self._moment(kind, at, resolved, result))

        self._sender.send(make)

    def _moment(
        self,
        kind: EventKind,
        at: datetime,
        resolved: ResolvedRun | None,
        result: RunResult | None,
    ) -> RunMoment:
        request, run = self.request, facts.run_facts(self.request, self.parent)
        inputs, outputs = facts.planned_inputs(request), facts.planned_outputs(request)
        if resolved is not None:
            inputs = facts.resolved_inputs(inputs, resolved)
            outputs = facts.resolved_outputs(outputs, resolved)
        if result is not None:
            inputs = facts.ended_inputs(inputs, result)
            outputs = facts.ended_outputs(outputs, request, result)
            run = facts.ended_run(run, result)
        return RunMoment(kind, at, facts.job_facts(request), run, inputs, outputs)
