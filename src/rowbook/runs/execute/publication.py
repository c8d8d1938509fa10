"""What a run that holds its lease records of its outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from rowbook.errors import OperationRef, RowbookError
from rowbook.runs.evidence.kept_input import keeps_evidence
from rowbook.runs.execute.heartbeat import Heartbeat
from rowbook.runs.execute.input_watch import InputWatch
from rowbook.runs.execute.registration import (
    describes,
    production_data,
    registration,
    registration_conflicts,
)
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.execute.staged.staged_outputs import StagedResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import ResolvedOutput
from rowbook.sources import registry
from rowbook.sources.source import Publishing, Target
from rowbook.sources.source_errors import UnreachableError
from rowbook.store import Lease, RunWrites
from rowbook.write_points import write_point

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.runs.execute.table_turns import TableTurns

_RESUME = "`rowbook runs resume` publishes what is staged"

Written: TypeAlias = Sequence[tuple[ResolvedOutput, OutputResult]]
"""Outputs that are published in one step, and what is or will be there of each."""


@dataclass(slots=True)
class Publications:
    """The store refuses to announce a publication of a run that lost its lease. Without a `watch`
    nothing is read."""

    workspace: OpenWorkspace
    lease: Lease
    request: Request
    warnings: list[str]
    beat: Heartbeat | None = None
    watch: InputWatch | None = None
    _intents: list[int] = field(default_factory=list)

    def check(self) -> None:
        """Raises where nothing may be published: the input changed, the run was cancelled."""
        if self.watch is not None:
            self.watch.decide()
        if self.beat is not None:
            self.beat.check()

    def record_staged(self, output: StagedResult) -> None:
        write_point("before an output is recorded as staged")
        with self._writing() as writes:
            writes.record_staged(output.seq, output.as_json())
        write_point("an output is staged")

    def publish(
        self,
        outputs: Sequence[StagedResult],
        turns: TableTurns,
        spark: Callable[[], SparkSession],
        on_publish: Callable[[OutputResult], None],
        on_decision: Callable[[], None] = lambda: None,
    ) -> None:
        """Decides that staged outputs are published, all in one transaction of the store, and then
        exchanges the tables in order. From the decision on nobody takes it back: if this process
        dies, whoever comes next goes on. `on_publish` is told of each. OUTPUT_006 where a table
        does not take its rows: they stay staged, for who resumes the run."""
        targets = {each.staged.target.key: each.staged.target for each in outputs}
        with ExitStack() as held:
            for _, target in sorted(targets.items()):
                held.enter_context(turns.turn(target))
            self.check()
            intents = self._decide(outputs)
            on_decision()
            write_point("decided")
            publishing = Publishing(
                has_turn=True,
                on_wait=turns.on_wait,
                writer=turns.writer,
                spark=spark,
                keeps_replaced=keeps_evidence(self.workspace.settings),
            )
            by_seq = {each.seq: each for each in outputs}
            for step in registry.publication_steps([each.staged for each in outputs]):
                if self.beat is not None:
                    self.beat.check_lease()
                try:
                    written = registry.publish(step, publishing)
                except (RowbookError, UnreachableError) as refusal:
                    self._take_back(intents)
                    raise self._refused(refusal, step[0].seq) from refusal
                results = [
                    by_seq[each.seq].published(found)
                    for each, found in zip(step, written, strict=True)
                ]
                with self._writing() as writes:
                    for result in results:
                        writes.settle(intents.pop(result.seq), "done")
                        writes.record_output(result.seq, result.as_json())
                for result in results:
                    on_publish(result)
                write_point("between two publications")

    def _decide(self, outputs: Sequence[StagedResult]) -> dict[int, int]:
        with self._writing() as writes:
            return {each.seq: _intend(writes, each.staged.target, each.result) for each in outputs}

    def _take_back(self, intents: Mapping[int, int]) -> None:
        """So that nobody waits for them; resuming the run decides them again."""
        with self._writing() as writes:
            for intent in intents.values():
                writes.settle(intent, "undone")

    def _refused(self, refusal: RowbookError | UnreachableError, seq: int) -> RowbookError:
        outputs = self.request.plan.outputs
        done = len(self.workspace.store.runs.record(self.lease.run_id).outputs)
        if isinstance(refusal, UnreachableError):
            refusal = RowbookError.of("OUTPUT_006", str(refusal))
        first, *others = refusal.diagnostics
        said = f"decided, {done} of {len(outputs)} published: {first.message}"
        hint = f"{first.hint}; then {_RESUME}" if first.hint else _RESUME
        at = next(OperationRef(each.seq, each.name) for each in outputs if each.seq == seq)
        return RowbookError(replace(first, message=said, hint=hint, operation=at), *others)

    def _writing(self) -> AbstractContextManager[RunWrites]:
        return self.workspace.store.writing_as(self.lease, at=at_present())

    def announce(self, written: Written) -> None:
        """Of outputs that are published as they are written."""
        self.check()
        self._intents.clear()
        with self._writing() as writes:
            for output, result in written:
                self._intents.append(_intend(writes, output.target, result))

    def record(self, written: Written) -> list[OutputResult]:
        with self._writing() as writes:
            for intent, (output, result) in zip(self._intents, written, strict=True):
                writes.settle(intent, "done")
                writes.record_output(output.step.seq, result.as_json())
        return [self.register(output, result) for output, result in written]

    def register(self, output: ResolvedOutput, result: OutputResult) -> OutputResult:
        """The data is written: if this fails, it is a warning."""
        step = output.step
        if step.register_as is None or self.request.is_draft:
            return result
        try:
            return self._register(output, result)
        except (RowbookError, OSError) as error:
            message = f"output {step.seq} was written, but not registered as '{step.register_as}'"
            warning = f"{message}: {error}"
            self.warnings.append(warning)
            with self._writing() as writes:
                writes.warn({"seq": step.seq, "message": warning})
            return result

    def _register(self, output: ResolvedOutput, result: OutputResult) -> OutputResult:
        seq = output.step.seq
        dataset, *found_by = registration(output.step, self.request.definitions)
        latest = self.workspace.store.definitions.get("dataset", dataset.id)
        if latest is not None and describes(latest, output, self.request):
            dataset, found_by = replace(dataset, name=latest.name, content=latest.content), []
        data = production_data(output.target, self.request.context.run_id)
        conflicts = registration_conflicts(self.workspace, dataset)
        with self._writing() as writes:
            recorded = writes.register(
                (*found_by, dataset), dataset_id=dataset.id, seq=seq, data=data, conflicts=conflicts
            )
            version = next(r.version for r in recorded if r.version.kind == "dataset")
            registered = replace(result, dataset=dataset.id, dataset_version=version.version)
            writes.record_output(seq, registered.as_json())
        return registered


def _intend(writes: RunWrites, target: Target, result: OutputResult) -> int:
    details = {"target": target.as_json(), "output": result.as_json()}
    return writes.intend(result.seq, target.label, target.key, details)
