"""What verbs give back that no lower layer has a value for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.api.path_choice import is_within, within
from rowbook.errors import Diagnostic, in_order
from rowbook.value_class import dataclass

if TYPE_CHECKING:
    from rowbook.expectations.verdict import Verdict, Waiver
    from rowbook.runs.execute.result import LedgerEntry, OutputResult
    from rowbook.runs.open_workspace import OpenWorkspace
    from rowbook.runs.prepare.request import Request
    from rowbook.runs.run_plan.plan_model import RunParameter
    from rowbook.runs.versions.application import ProjectConflict
    from rowbook.runs.versions.changes import Change
    from rowbook.runs.versions.version_drift import VersionDrift
    from rowbook.store import (
        Approval,
        JsonObject,
        Project,
        Resumption,
        Run,
        RunRecord,
        SealHead,
        VerificationRecord,
    )

_KINDS = ("dataset", "datasource", "resolver", "calendar", "project", "scenario")


@dataclass(frozen=True, slots=True)
class Validation:
    """What is wrong with a workspace's definitions, in the order of files and lines, and how many
    of each kind there are. `notes` are no findings: active projects whose files are not what
    runs."""

    errors: tuple[Diagnostic, ...]
    warnings: tuple[Diagnostic, ...]
    definitions: Mapping[str, int] = field(default_factory=dict, repr=False)
    notes: tuple[VersionDrift, ...] = field(default=(), repr=False)

    @property
    def ok(self) -> bool:
        return not self.errors

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        return in_order((*self.errors, *self.warnings))

    @classmethod
    def of(cls, workspace: OpenWorkspace, parts: Sequence[Path]) -> Validation:
        from rowbook.runs.versions.version_drift import drifts

        checked, files = workspace.checked, workspace.files
        return cls(
            within(checked.errors, files.root, parts),
            within(checked.warnings, files.root, parts),
            {kind: len(getattr(files, f"{kind}s")) for kind in _KINDS},
            tuple(each for each in drifts(workspace) if is_within(files.root / each.file, parts)),
        )


@dataclass(frozen=True, slots=True)
class Applied:
    changes: tuple[Change, ...]
    conflicts: tuple[ProjectConflict, ...]


@dataclass(frozen=True, slots=True)
class Deactivation:
    project: Project
    was_running: bool


@dataclass(frozen=True, slots=True)
class RunStart:
    """A run that is about to begin; `version` is None for a draft. `drift` says where the files are
    not what runs."""

    run_id: str
    project: str
    version: int | None
    period: str
    drift: VersionDrift | None = None

    @classmethod
    def of(cls, request: Request, drift: VersionDrift | None) -> RunStart:
        context = request.context
        period = context.period.identifier
        return cls(context.run_id, request.project_name, request.version, period, drift)


@dataclass(frozen=True, slots=True)
class RunDetails:
    """A run as the store has it: what it was, its ledger, what it wrote, what it got over, when it
    was resumed, and what became of its expectations. `run.failure` says why it failed; `waivers`
    are all that were given, also such that nothing needed."""

    run: Run
    ledger: tuple[LedgerEntry, ...]
    outputs: tuple[OutputResult, ...]
    warnings: tuple[str, ...]
    resumptions: tuple[Resumption, ...]
    warning_records: tuple[JsonObject, ...] = field(default=(), repr=False)
    """The warnings with their codes."""
    parameters: tuple[RunParameter, ...] = ()
    expectations: tuple[Verdict, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    staged: tuple[OutputResult, ...] = ()
    """Outputs that are computed and not published: for resuming, or for somebody to approve."""
    approval: Approval | None = None
    verifications: tuple[VerificationRecord, ...] = ()
    seal: SealHead | None = None
    """The newest over the run."""

    @property
    def unmatched(self) -> tuple[LedgerEntry, ...]:
        """As that of a `RunResult`."""
        from rowbook.runs.execute.result import unmatched

        return unmatched(self.ledger, self.expectations)

    @classmethod
    def of(cls, record: RunRecord, snapshot: JsonObject | None) -> RunDetails:
        from rowbook.expectations.verdict import Verdict, Waiver
        from rowbook.runs.execute.result import LedgerEntry, OutputResult
        from rowbook.runs.run_plan.plan_model import RunParameter

        return cls(
            record.run,
            tuple(LedgerEntry.from_json(each.entry) for each in record.steps),
            tuple(OutputResult.from_json(each.output) for each in record.outputs),
            tuple(str(each.warning["message"]) for each in record.warnings),
            record.resumptions,
            tuple(each.warning for each in record.warnings),
            tuple(RunParameter(**each) for each in (snapshot or {}).get("parameters", ())),
            tuple(Verdict.from_json(each.verdict) for each in record.expectations),
            tuple(Waiver(**each.waiver) for each in record.waivers),
            tuple(OutputResult.from_json(each.staged["output"]) for each in record.unpublished),
            record.approval,
            record.verifications,
            record.seal,
        )
