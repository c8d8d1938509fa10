"""Writing for a run: every output all or nothing, to where it belongs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from rowbook.planning.columns import PERIOD
from rowbook.planning.steps import OutputStep
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.execute.table_turns import TableTurns
from rowbook.runs.prepare.resolve import ResolvedOutput, ResolvedRun
from rowbook.sources.registry import write
from rowbook.sources.source import WriteRequest, WriteResult

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Announce: TypeAlias = Callable[[ResolvedOutput, OutputResult], None]
"""Called when all is staged; what it raises keeps it from being published."""
Record: TypeAlias = Callable[[ResolvedOutput, OutputResult], OutputResult]
"""Called when it is published; gives what became of it."""


@dataclass(frozen=True, slots=True)
class OutputWriter:
    """Writes outputs to their targets; `results` gets those that are there. Without `turns` other
    runs of the store are not waited for."""

    resolved: ResolvedRun
    announce: Announce
    record: Record
    results: list[OutputResult]
    turns: TableTurns | None = None

    def write(self, step: OutputStep, frame: DataFrame) -> None:
        output = self.resolved.output(step)
        context = self.resolved.request.context

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
            lambda staged: self.announce(output, result(staged)),
            ordered=bool(step.order_by),
        )
        if turns := self.turns:
            request = replace(
                request,
                turn=lambda: turns.turn(output.target),
                on_wait=turns.wait,
                writer=turns.writer,
            )
        written = write(frame, output.target, request)
        self.results.append(self.record(output, result(written)))
