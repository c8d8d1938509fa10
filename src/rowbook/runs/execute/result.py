"""What a run leaves behind: its ledger, its outputs, its error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rowbook.errors import Diagnostic
from rowbook.expectations.verdict import Verdict
from rowbook.reference.evidence.row_evidence import RowEvidence


@dataclass(frozen=True, slots=True)
class OutputResult:
    """What an output wrote; `dataset` is the one it was registered as. `digests` are the SHA-256 of
    its files as they were staged, `evidence` is the fingerprint of its rows, with control totals,
    where it was taken (reference/evidence)."""

    seq: int
    destination: str
    rows: int
    columns: tuple[str, ...]
    files: int
    bytes: int
    duration_ms: int
    dataset: str | None = None
    dataset_version: int | None = None
    digests: Mapping[str, str] = field(default_factory=dict)
    evidence: Mapping[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @property
    def row_evidence(self) -> RowEvidence | None:
        """None where it was not taken of the rows that were written in the end."""
        taken = self.evidence
        is_of_these = taken is not None and taken["rows"] == self.rows
        return RowEvidence.from_json(taken) if taken is not None and is_of_these else None

    @classmethod
    def from_json(cls, recorded: dict[str, Any]) -> OutputResult:
        return cls(**{**recorded, "columns": tuple(recorded["columns"])})


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """What one operation did. `rows_in` and `rows_out` count visible rows, `matched` the rows it
    acted on, `quarantined` those that expectations took out after it; a count that does not apply
    is 0."""

    seq: int
    name: str
    type: str
    rows_in: int
    matched: int
    added: int
    deleted: int
    rows_out: int
    duration_ms: int
    outputs: tuple[OutputResult, ...] = ()
    quarantined: int = 0

    @classmethod
    def from_json(cls, recorded: Mapping[str, Any]) -> LedgerEntry:
        outputs = tuple(OutputResult.from_json(each) for each in recorded["outputs"])
        return cls(**{**recorded, "outputs": outputs})

    def as_json(self) -> dict[str, Any]:
        counts = {name: getattr(self, name) for name in self.__slots__ if name != "outputs"}
        return {**counts, "outputs": [o.as_json() for o in self.outputs]}


@dataclass(frozen=True, slots=True)
class RunResult:
    """Of a run that is `waiting` for approval, `outputs` are staged, and nothing is published."""

    run_id: str
    status: Literal["completed", "failed", "cancelled", "waiting"]
    ledger: tuple[LedgerEntry, ...]
    outputs: tuple[OutputResult, ...]
    errors: tuple[Diagnostic, ...] = ()
    warnings: tuple[str, ...] = ()
    expectations: tuple[Verdict, ...] = ()
    """What became of each, in the order of the plan."""
    seal: str | None = None
    """The number of the newest seal over the run and the beginning of its hash: `12:0123…`, None
    where the store does not say."""

    @property
    def unmatched(self) -> tuple[LedgerEntry, ...]:
        """Operations that matched no row, and of which no expectation says so; an output says what
        it wrote."""
        return unmatched(self.ledger, self.expectations)

    @property
    def error(self) -> Diagnostic | None:
        return self.errors[0] if self.errors else None


def unmatched(
    ledger: Sequence[LedgerEntry], expectations: Sequence[Verdict]
) -> tuple[LedgerEntry, ...]:
    said = {each.name for each in expectations if each.unit == "operations"}
    return tuple(
        each
        for each in ledger
        if not each.matched and each.type != "output" and each.name not in said
    )
