"""What the store knows about a run, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from rowbook.store.database.json_documents import JsonObject
from rowbook.store.runs.holders import Holder
from rowbook.store.seals.seal import SealHead

RunStatus: TypeAlias = Literal["queued", "running", "completed", "failed", "cancelled", "waiting"]
FinalStatus: TypeAlias = Literal["completed", "failed", "cancelled"]
FINAL: tuple[FinalStatus, ...] = ("completed", "failed", "cancelled")

Staging: TypeAlias = Literal["kept", "discarding", "removed"]
"""Whether staged data may be used to resume (kept), is to be removed, or is gone."""

Outcome: TypeAlias = Literal["done", "undone"]
Verdict: TypeAlias = Literal["approved", "rejected"]


@dataclass(frozen=True, slots=True)
class NewRun:
    """A run that is asked for. `project_version` is None for a draft; `as_of` is a date or an
    instant as ISO text; `writes_into` are the identifiers of all periods whose status decides
    whether it may write: its own, and those above or below that share its rows."""

    id: str
    project_id: str
    project_name: str
    project_version: int | None
    draft: bool
    calendar_id: str
    period: str
    as_of: str
    clock: datetime
    trigger: str
    engine: str
    requested_by: str
    writes_into: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CancelRequest:
    at: datetime
    by: str


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it stands. `failure` has at least code and message; `reopened` is the reason for
    writing into a closed period."""

    id: str
    project_id: str
    project_name: str
    project_version: int | None
    draft: bool
    calendar_id: str
    period: str
    writes_into: tuple[str, ...]
    as_of: str
    clock: datetime
    trigger: str
    engine: str
    requested_by: str
    status: RunStatus
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    failure: JsonObject | None
    timings: JsonObject | None
    reopened: str | None
    cancel_requested: CancelRequest | None
    staging: Staging

    @property
    def duration_ms(self) -> int | None:
        """How long its last attempt took, by a clock that nobody sets; where the process could not
        say, by the times of the record, which may have been set back."""
        if self.timings is not None and "total_ms" in self.timings:
            return int(self.timings["total_ms"])
        if self.started_at is None or self.finished_at is None:
            return None
        return max(0, int((self.finished_at - self.started_at).total_seconds() * 1000))


@dataclass(frozen=True, slots=True)
class StepRecord:
    seq: int
    entry: JsonObject
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class OutputRecord:
    seq: int
    output: JsonObject
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class StagedRecord:
    """An output whose rows are computed and not published yet, with all that finds them again."""

    seq: int
    staged: JsonObject
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Approval:
    """A run that was computed, and waited for somebody to let it publish. `destinations` are what
    they held when it was asked; without a `verdict` nobody said anything yet."""

    asked_at: datetime
    destinations: JsonObject
    verdict: Verdict | None
    decided_at: datetime | None
    decided_by: str | None
    comment: str | None


@dataclass(frozen=True, slots=True)
class WarningRecord:
    number: int
    warning: JsonObject
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class ExpectationRecord:
    """What became of an expectation; `number` counts them in the order of the plan."""

    number: int
    verdict: JsonObject
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class WaiverRecord:
    """Who let the run publish although an expectation stops it, and why."""

    number: int
    waiver: JsonObject
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class PastExpectations:
    """What became of the expectations of the last run that was published for a period."""

    run_id: str
    period: str
    verdicts: tuple[JsonObject, ...]


@dataclass(frozen=True, slots=True)
class Resumption:
    """A failed run was continued after an operation (`from_seq`; 0: from its beginning).
    `accepted_input` says which changed inputs were accepted, `failure` why it had failed."""

    number: int
    resumed_at: datetime
    resumed_by: str
    from_seq: int
    accepted_input: JsonObject | None
    failure: JsonObject | None


@dataclass(frozen=True, slots=True)
class VerificationRecord:
    """What became of verifying the run, some time after it ended."""

    number: int
    verification: JsonObject
    recorded_at: datetime
    recorded_by: str


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run and all that it left; the snapshot aside, which is large."""

    run: Run
    steps: tuple[StepRecord, ...]
    outputs: tuple[OutputRecord, ...]
    warnings: tuple[WarningRecord, ...]
    resumptions: tuple[Resumption, ...]
    expectations: tuple[ExpectationRecord, ...] = ()
    waivers: tuple[WaiverRecord, ...] = ()
    staged: tuple[StagedRecord, ...] = ()
    approval: Approval | None = None
    verifications: tuple[VerificationRecord, ...] = ()
    seal: SealHead | None = None
    """The newest over the run."""

    @property
    def unpublished(self) -> tuple[StagedRecord, ...]:
        """What is staged for resuming, or for somebody to approve."""
        published = {each.seq for each in self.outputs}
        if self.run.staging != "kept":
            return ()
        return tuple(each for each in self.staged if each.seq not in published)


@dataclass(frozen=True, slots=True)
class Intent:
    """A publication that was announced before it was begun, so that a crash can be mended."""

    id: int
    run_id: str
    seq: int
    destination: str
    staging: str
    details: JsonObject
    state: Literal["intended", "done", "undone"]
    intended_at: datetime
    settled_at: datetime | None


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to run a project for a period. `token` is greater than that of any lease before:
    whoever holds an older one has lost it. `draft` is the run's id for a draft, which is in
    nobody's way, else empty. `uptime` is the last heartbeat in seconds since its machine's boot."""

    project_id: str
    period: str
    draft: str
    run_id: str
    token: int
    holder: Holder
    acquired_at: datetime
    heartbeat_at: datetime
    expires_at: datetime
    uptime: float | None = None

    @property
    def ttl(self) -> timedelta:
        return self.expires_at - self.heartbeat_at
