"""A run as it holds its lease: what it records on the way."""

from __future__ import annotations

from dataclasses import replace

from rowbook.errors import RowbookError
from rowbook.planning.steps import OutputStep
from rowbook.runs.execute.heartbeat import Heartbeat
from rowbook.runs.execute.registration import registration, registration_conflicts, written_data
from rowbook.runs.execute.result import OutputResult
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.request import Request
from rowbook.sources.source import Target
from rowbook.store import Store


class StoreWitness:
    """Announces every publication in the store, which refuses it to a run that lost its lease, and
    records what became of it."""

    def __init__(self, store: Store, beat: Heartbeat, request: Request) -> None:
        self._store = store
        self._beat = beat
        self._request = request
        self._intent = 0
        self.warnings: list[str] = []

    def before(self, step: OutputStep, target: Target, result: OutputResult) -> None:
        """See Witness."""
        self._beat.check()
        details = {"target": target.as_json(), "output": result.as_json()}
        with self._store.writing_as(self._beat.lease, at=at_present()) as writes:
            self._intent = writes.intend(step.seq, target.label, target.key, details)

    def after(self, step: OutputStep, target: Target, result: OutputResult) -> OutputResult:
        """See Witness."""
        with self._store.writing_as(self._beat.lease, at=at_present()) as writes:
            writes.settle(self._intent, "done")
            writes.record_output(step.seq, result.as_json())
        return self.registered(step, target, result)

    def registered(self, step: OutputStep, target: Target, result: OutputResult) -> OutputResult:
        """With the dataset that it is registered as. The data is written: if this fails, it is a
        warning."""
        if step.register_as is None or self._request.is_draft:
            return result
        try:
            return self._register(step, target, result)
        except (RowbookError, OSError) as error:
            message = f"output {step.seq} was written, but not registered as '{step.register_as}'"
            reason = str(error)
            self.warnings.append(f"{message}: {reason}")
            with self._store.writing_as(self._beat.lease, at=at_present()) as writes:
                writes.warn({"seq": step.seq, "message": f"{message}: {reason}"})
            return result

    def _register(self, step: OutputStep, target: Target, result: OutputResult) -> OutputResult:
        dataset, resolver = registration(step)
        data = written_data(target, self._request.context.run_id)
        conflicts = registration_conflicts(self._store, self._request.root, dataset)
        with self._store.writing_as(self._beat.lease, at=at_present()) as writes:
            recorded = writes.register(
                (resolver, dataset),
                dataset_id=dataset.id,
                seq=step.seq,
                data=data,
                conflicts=conflicts,
            )
            version = next(r.version for r in recorded if r.version.kind == "dataset")
            made = replace(result, dataset=dataset.id, dataset_version=version.version)
            writes.record_output(step.seq, made.as_json())
        return made
