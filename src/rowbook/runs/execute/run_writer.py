"""Writing for a run: every output all or nothing, to where it belongs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from rowbook.errors import RowbookError
from rowbook.expressions.values import Value
from rowbook.planning.columns import PERIOD
from rowbook.planning.steps import OutputStep
from rowbook.reference.evidence.row_evidence import RowEvidence, row_evidence
from rowbook.runs.evidence.kept_input import keeps_evidence
from rowbook.runs.execute.publication import Written
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.execute.staged.staged_outputs import StagedResult
from rowbook.runs.execute.table_turns import TableTurns
from rowbook.runs.prepare.resolve import ResolvedOutput, ResolvedRun
from rowbook.sources.plain_output import PlainOutput
from rowbook.sources.registry import (
    begin,
    discard,
    stage,
    stage_plain,
    write,
    write_plain,
    write_refusal,
)
from rowbook.sources.source import BegunOutput, StagedOutput, WriteRequest, WriteResult
from rowbook.spark.evidence_metrics import ObservedEvidence
from rowbook.spark.row_pass import has_workers

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Announce: TypeAlias = Callable[[Written], None]
"""Called when all is staged; what it raises keeps it from being published."""
Record: TypeAlias = Callable[[Written], list[OutputResult]]
"""Called when it is published; gives what became of it."""


@dataclass(frozen=True, slots=True)
class PassingOutputs:
    """Outputs of which some rows are written as they pass, before others of them."""

    resolved: ResolvedRun
    begun: dict[int, BegunOutput] = field(default_factory=dict)

    @property
    def seqs(self) -> frozenset[int]:
        return self.resolved.passing

    def is_possible(self, session: Callable[[], SparkSession]) -> bool:
        """Whether rows pass at all: for few of them no session is asked for."""
        return not self.resolved.volume.is_small and has_workers(session())

    def begin(self, step: OutputStep) -> BegunOutput:
        output = self.resolved.output(step)
        order = _request(self.resolved, output, local=False)
        self.begun[step.seq] = found = begin(output.target, order, step.written)
        return found

    def written(self, step: OutputStep, rows: int) -> None:
        self.begun[step.seq] = replace(self.begun[step.seq], rows=rows)

    def refusal(self, step: OutputStep, error: Exception) -> RowbookError | None:
        return write_refusal(self.resolved.output(step).target, error)


@dataclass(frozen=True, slots=True)
class StagingWriter:
    """Stages outputs, for the run to publish them together; `record` is told of each."""

    resolved: ResolvedRun
    record: Callable[[StagedResult], None]
    turns: TableTurns
    passing: PassingOutputs

    def write(self, step: OutputStep, frame: DataFrame, *, local: bool) -> None:
        output = self.resolved.output(step)
        observed = ObservedEvidence(frame, step.fields, few=self.resolved.volume.is_small)
        staged = stage(observed.frame, output.target, self._request(output, local=local))
        self._record(output, staged, observed.found(staged.written.rows))

    def write_here(self, step: OutputStep, rows: Sequence[Mapping[str, Value]]) -> bool:
        """See WriteHere."""
        output = self.resolved.output(step)
        plain = PlainOutput(step.fields, rows)
        staged = stage_plain(plain, output.target, self._request(output, local=True))
        if staged is not None:
            self._record(output, staged, row_evidence(rows, step.fields))
        return staged is not None

    def _request(self, output: ResolvedOutput, *, local: bool) -> WriteRequest:
        *earlier, last = self.resolved.published_with(output)
        return replace(
            _request(self.resolved, output, local=local),
            begun=self.passing.begun.get(output.step.seq),
            on_wait=self.turns.wait,
            writer=self.turns.writer,
            is_last=output is last,
            sheets=_sheets(earlier) if output is last else (),
        )

    def _record(
        self, output: ResolvedOutput, staged: StagedOutput, evidence: RowEvidence | None
    ) -> None:
        try:
            self.record(StagedResult(staged, _result(output, staged.written, evidence)))
        except BaseException:
            with suppress(OSError):
                discard(staged)
            raise


@dataclass(frozen=True, slots=True)
class OutputWriter:
    """Publishes outputs as they are written; `results` gets those that are there. Without `turns`
    other runs of the store are not waited for. Outputs that are sheets of one workbook are `staged`
    until the last of them is written, and are there with it."""

    resolved: ResolvedRun
    announce: Announce
    record: Record
    results: list[OutputResult]
    turns: TableTurns | None = None
    passing: PassingOutputs | None = None
    staged: dict[int, OutputResult] = field(default_factory=dict)

    def write(self, step: OutputStep, frame: DataFrame, *, local: bool) -> None:
        output = self.resolved.output(step)
        observed = ObservedEvidence(frame, step.fields, few=self.resolved.volume.is_small)
        *earlier, last = self.resolved.published_with(output)
        if output is not last:
            early = replace(self._request(output, local=local), is_last=False)
            written = stage(observed.frame, output.target, early).written
            self.staged[step.seq] = _result(output, written, observed.found(written.rows))
            return

        def results(written: WriteResult) -> list[tuple[ResolvedOutput, OutputResult]]:
            before = [
                replace(self.staged[each.step.seq], files=written.files, bytes=written.bytes)
                for each in earlier
            ]
            found = (*before, _result(output, written, observed.found(written.rows)))
            return list(zip((*earlier, last), found, strict=True))

        request = replace(
            self._request(output, local=local),
            announce=lambda staged: self.announce(results(staged)),
            sheets=_sheets(earlier),
        )
        self.results.extend(self.record(results(write(observed.frame, output.target, request))))

    def write_here(self, step: OutputStep, rows: Sequence[Mapping[str, Value]]) -> bool:
        """See WriteHere."""
        output = self.resolved.output(step)
        evidence = row_evidence(rows, step.fields)

        def results(written: WriteResult) -> list[tuple[ResolvedOutput, OutputResult]]:
            return [(output, _result(output, written, evidence))]

        request = replace(
            self._request(output, local=True),
            announce=lambda staged: self.announce(results(staged)),
        )
        plain = PlainOutput(step.fields, rows)
        spark = None if self.turns is None else self.turns.spark
        written = write_plain(plain, output.target, request, spark)
        if written is not None:
            self.results.extend(self.record(results(written)))
        return written is not None

    def _request(self, output: ResolvedOutput, *, local: bool) -> WriteRequest:
        request = _request(self.resolved, output, local=local)
        if self.passing is not None:
            request = replace(request, begun=self.passing.begun.get(output.step.seq))
        if not (turns := self.turns):
            return request
        return replace(
            request,
            turn=lambda: turns.turn(output.target),
            on_wait=turns.wait,
            writer=turns.writer,
        )


def _request(resolved: ResolvedRun, output: ResolvedOutput, *, local: bool) -> WriteRequest:
    step, context = output.step, resolved.request.context
    return WriteRequest(
        step.mode,
        context.periods if PERIOD.name in step.written else None,
        context.run_id,
        step.seq,
        ordered=bool(step.order_by),
        local=local,
        keeps_replaced=keeps_evidence(resolved.request.settings),
        passes=not resolved.volume.is_small,
    )


def _sheets(earlier: list[ResolvedOutput]) -> tuple[tuple[int, str], ...]:
    return tuple((each.step.seq, each.sheet or "") for each in earlier)


def _result(
    output: ResolvedOutput, written: WriteResult, evidence: RowEvidence | None
) -> OutputResult:
    return OutputResult(
        output.step.seq,
        output.target.label,
        written.rows,
        output.step.written,
        written.files,
        written.bytes,
        written.duration_ms,
        digests=written.digests,
        evidence=evidence.as_json() if evidence else None,
    )
