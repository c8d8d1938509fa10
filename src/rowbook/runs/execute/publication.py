"""What a run that holds its lease records of its outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from rowbook.errors import RowbookError
from rowbook.runs.execute.heartbeat import Heartbeat
from rowbook.runs.execute.input_watch import InputWatch
from rowbook.runs.execute.registration import (
    describes,
    production_data,
    registration,
    registration_conflicts,
)
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import ResolvedOutput

Written: TypeAlias = Sequence[tuple[ResolvedOutput, OutputResult]]
"""Outputs that are published in one step, and what is or will be there of each."""


@dataclass(slots=True)
class Publications:
    """The store refuses to announce a publication of a run that lost its lease."""

    workspace: OpenWorkspace
    beat: Heartbeat
    watch: InputWatch
    request: Request
    warnings: list[str]
    _intents: list[int] = field(default_factory=list)

    def announce(self, written: Written) -> None:
        self.watch.decide()
        self.beat.check()
        self._intents.clear()
        with self.workspace.store.writing_as(self.beat.lease, at=at_present()) as writes:
            for output, result in written:
                target, seq = output.target, output.step.seq
                details = {"target": target.as_json(), "output": result.as_json()}
                self._intents.append(writes.intend(seq, target.label, target.key, details))

    def record(self, written: Written) -> list[OutputResult]:
        with self.workspace.store.writing_as(self.beat.lease, at=at_present()) as writes:
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
            with self.workspace.store.writing_as(self.beat.lease, at=at_present()) as writes:
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
        with self.workspace.store.writing_as(self.beat.lease, at=at_present()) as writes:
            recorded = writes.register(
                (*found_by, dataset), dataset_id=dataset.id, seq=seq, data=data, conflicts=conflicts
            )
            version = next(r.version for r in recorded if r.version.kind == "dataset")
            registered = replace(result, dataset=dataset.id, dataset_version=version.version)
            writes.record_output(seq, registered.as_json())
        return registered
