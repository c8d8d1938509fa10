"""Writing for a run: every output all or nothing, to where it belongs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from rowbook.planning.columns import PERIOD
from rowbook.planning.steps import OutputStep
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.prepare.resolve import ResolvedOutput, ResolvedRun
from rowbook.sources.registry import write
from rowbook.sources.source import WriteRequest, WriteResult

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Announce: TypeAlias = Callable[[ResolvedOutput, OutputResult], None]
"""Called when all is staged; what it raises keeps it from being published."""
Record: TypeAlias = Callable[[ResolvedOutput, OutputResult], OutputResult]
"""Called when it is published; gives what became of it."""


class OutputWriter:
    """Writes outputs to their targets; `results` gets those that are there."""

    def __init__(
        self,
        resolved: ResolvedRun,
        announce: Announce,
        record: Record,
        results: list[OutputResult],
    ) -> None:
        self._resolved = resolved
        self._announce = announce
        self._record = record
        self._results = results

    def write(self, step: OutputStep, frame: DataFrame) -> None:
        output = self._resolved.output(step)
        context = self._resolved.request.context

        def result(written: WriteResult) -> OutputResult:
            return OutputResult(
                step.seq,
                output.target.label,
                written.rows,
                step.written,
                written.files,
                written.bytes,
                written.duration_ms,
            )

        request = WriteRequest(
            step.mode,
            context.periods if PERIOD.name in step.written else None,
            context.run_id,
            step.seq,
            lambda staged: self._announce(output, result(staged)),
        )
        written = write(frame, output.target, request)
        self._results.append(self._record(output, result(written)))
