"""What verbs give back that no lower layer has a value for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rowbook.errors import Diagnostic
from rowbook.runs.execute.result import LedgerEntry, OutputResult
from rowbook.runs.versions.application import ProjectConflict
from rowbook.runs.versions.changes import Change
from rowbook.store import Resumption, Run, RunRecord


@dataclass(frozen=True, slots=True)
class Validation:
    """What is wrong with a workspace's definitions, in the order of files and lines."""

    errors: tuple[Diagnostic, ...]
    warnings: tuple[Diagnostic, ...]

    @property
    def ok(self) -> bool:
        """There are no errors."""
        return not self.errors


@dataclass(frozen=True, slots=True)
class Applied:
    """The definitions that got a new version, and the projects that are in conflict by that."""

    changes: tuple[Change, ...]
    conflicts: tuple[ProjectConflict, ...]


@dataclass(frozen=True, slots=True)
class RunDetails:
    """A run as the store has it: what it was, its ledger, what it wrote, what it got over, and when
    it was resumed. `run.failure` says why it failed."""

    run: Run
    ledger: tuple[LedgerEntry, ...]
    outputs: tuple[OutputResult, ...]
    warnings: tuple[str, ...]
    resumptions: tuple[Resumption, ...]

    @classmethod
    def of(cls, record: RunRecord) -> RunDetails:
        """From what the store keeps as JSON."""
        return cls(
            record.run,
            tuple(_entry(each.entry) for each in record.steps),
            tuple(OutputResult.from_json(each.output) for each in record.outputs),
            tuple(str(each.warning["message"]) for each in record.warnings),
            record.resumptions,
        )


def _entry(recorded: Mapping[str, Any]) -> LedgerEntry:
    outputs = tuple(OutputResult.from_json(each) for each in recorded["outputs"])
    return LedgerEntry(**{**recorded, "outputs": outputs})
