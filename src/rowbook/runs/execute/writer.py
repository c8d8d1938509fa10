"""Writing for a run: every output all or nothing, to where it belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rowbook.planning.columns import PERIOD
from rowbook.planning.steps import OutputStep
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.targets import target
from rowbook.sources.registry import write
from rowbook.sources.source import Target, WriteRequest, WriteResult

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class Witness(Protocol):
    """Who is told about publications."""

    def before(self, step: OutputStep, target: Target, result: OutputResult) -> None:
        """All is staged; what this raises keeps it from being published."""
        ...

    def after(self, step: OutputStep, target: Target, result: OutputResult) -> OutputResult:
        """It is published; gives what became of it."""
        ...


class Unwitnessed:
    """Nobody is told."""

    def before(self, step: OutputStep, target: Target, result: OutputResult) -> None:
        """See Witness."""

    def after(self, step: OutputStep, target: Target, result: OutputResult) -> OutputResult:
        """See Witness."""
        return result


class OutputWriter:
    """Writes outputs to their targets; `results` are those that are there."""

    def __init__(self, request: Request, witness: Witness | None = None) -> None:
        self._request = request
        self._witness = witness or Unwitnessed()
        self.results: list[OutputResult] = []

    def write(self, step: OutputStep, frame: DataFrame) -> None:
        """See Writer."""
        goes_to = target(step, self._request)
        context = self._request.context

        def result(written: WriteResult) -> OutputResult:
            return OutputResult(
                step.seq,
                goes_to.label,
                written.rows,
                step.written,
                written.files,
                written.bytes,
                written.duration_ms,
            )

        order = WriteRequest(
            step.mode,
            context.periods if PERIOD.name in step.written else None,
            context.run_id,
            step.seq,
            lambda staged: self._witness.before(step, goes_to, result(staged)),
        )
        written = write(frame, goes_to, order)
        self.results.append(self._witness.after(step, goes_to, result(written)))
