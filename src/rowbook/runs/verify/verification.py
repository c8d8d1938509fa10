"""What verifying a run came to, in closed words; deciding them needs no engine, disk or store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from rowbook.reference.evidence.row_evidence import RowEvidence
from rowbook.runs.evidence.past_input import PastPlace
from rowbook.store import Run, RunSeal

Verdict: TypeAlias = Literal[
    "proved", "differs", "record changed", "cannot be recomputed", "refused"
]
OnDisk: TypeAlias = str
"""`as written`, `replaced by run …`, `changed` or `missing`."""


@dataclass(frozen=True, slots=True)
class OperationCheck:
    """What an operation counted then and now, by the names of the ledger's columns."""

    seq: int
    name: str
    recorded: Mapping[str, int]
    recomputed: Mapping[str, int] | None

    @property
    def is_same(self) -> bool:
        return self.recorded == self.recomputed


@dataclass(frozen=True, slots=True)
class OutputCheck:
    """`result` compares the rows that were recorded with those that were recomputed: by their
    evidence, by the number of rows where there is no other, or with --exact row by row. None where
    nothing was recomputed. `differences` say what is otherwise."""

    seq: int
    name: str
    table: str
    result: Literal["equal", "differs"] | None
    on_disk: OnDisk
    recorded: RowEvidence | None = None
    recomputed: RowEvidence | None = None
    differences: tuple[str, ...] = ()
    is_draft: bool = False

    @property
    def is_intact(self) -> bool:
        """Whether what is on disk is no reason for doubt. A draft's sandbox may be gone."""
        gone = self.on_disk == "missing" and self.is_draft
        return gone or self.on_disk == "as written" or self.on_disk.startswith("replaced by")


@dataclass(frozen=True, slots=True)
class InputEvidence:
    """The rows that were read of a dataset when the run was computed again."""

    dataset: str
    evidence: RowEvidence


@dataclass(frozen=True, slots=True)
class Verification:
    """`refusal` says why the run is none to verify, `obstacles` why it cannot be computed again."""

    run: Run
    record: RunSeal
    inputs: tuple[PastPlace, ...] = ()
    operations: tuple[OperationCheck, ...] = ()
    outputs: tuple[OutputCheck, ...] = ()
    rows_read: tuple[InputEvidence, ...] = ()
    engine: str | None = None
    refusal: str | None = None
    obstacles: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """A record that was changed proves nothing, whatever comes out of it."""
        record = self.record
        if record.record == "changed" or record.signature == "bad" or record.chain != "whole":
            return "record changed"
        if self.refusal is not None:
            return "refused"
        if self.obstacles:
            return "cannot be recomputed"
        same = all(each.is_same for each in self.operations)
        equal = all(each.result == "equal" and each.is_intact for each in self.outputs)
        return "proved" if same and equal else "differs"

    @property
    def first_difference(self) -> str | None:
        for step in self.operations:
            if not step.is_same:
                return f"operation {step.seq} '{step.name}'"
        for output in self.outputs:
            if output.result == "differs" or not output.is_intact:
                return f"output {output.seq} '{output.name}'"
        return None

    @property
    def all_notes(self) -> tuple[str, ...]:
        found = [*([self.refusal] if self.refusal else []), *self.obstacles]
        found += [
            f"{place.location}: taken from evidence" for place in self.inputs if place.from_evidence
        ]
        found += [
            f"output {each.seq}: {said}" for each in self.outputs for said in each.differences
        ]
        return (*found, *self.notes)

    def as_json(self) -> dict[str, Any]:
        different = [each.seq for each in self.operations if not each.is_same]
        return {
            "run_id": self.run.id,
            "verdict": self.verdict,
            "inputs": [{"place": p.location, "status": p.presence} for p in self.inputs],
            "operations": {
                "same": len(self.operations) - len(different),
                "different": different,
            },
            "outputs": [
                {"table": each.table, "result": each.result, "on_disk": each.on_disk}
                for each in self.outputs
            ],
            "record": {
                "seal": str(self.record.head) if self.record.head else None,
                "chain": self.record.chain,
                "signature": self.record.signature,
            },
            "notes": list(self.all_notes),
        }
