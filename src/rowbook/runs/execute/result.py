"""What a run leaves behind: its ledger, its outputs, its error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from rowbook.errors import Diagnostic


@dataclass(frozen=True, slots=True)
class OutputResult:
    """What an output wrote; `dataset` is the one it was registered as."""

    seq: int
    destination: str
    rows: int
    columns: tuple[str, ...]
    files: int
    bytes: int
    duration_ms: int
    dataset: str | None = None
    dataset_version: int | None = None

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, recorded: dict[str, Any]) -> OutputResult:
        return cls(**{**recorded, "columns": tuple(recorded["columns"])})


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """What one operation did. `rows_in` and `rows_out` count visible rows, `matched` the rows it
    acted on; a count that does not apply is 0."""

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

    def as_json(self) -> dict[str, Any]:
        counts = {name: getattr(self, name) for name in self.__slots__ if name != "outputs"}
        return {**counts, "outputs": [o.as_json() for o in self.outputs]}


@dataclass(frozen=True, slots=True)
class RunResult:
    run_id: str
    status: Literal["completed", "failed", "cancelled"]
    ledger: tuple[LedgerEntry, ...]
    outputs: tuple[OutputResult, ...]
    errors: tuple[Diagnostic, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def error(self) -> Diagnostic | None:
        return self.errors[0] if self.errors else None
