"""What running a scenario's project gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rowbook.errors import Diagnostic
from rowbook.expectations.verdict import Verdict
from rowbook.reference.outputs import WrittenTable
from rowbook.runs.execute.result import LedgerEntry
from rowbook.scenarios.mismatch import Mismatch


@dataclass(frozen=True, slots=True)
class SampledVerdict:
    """What became of an expectation; its samples and its measures, one row, with their types."""

    verdict: Verdict
    samples: WrittenTable
    measures: WrittenTable


@dataclass(frozen=True, slots=True)
class Outcome:
    working: WrittenTable | None = None
    outputs: Mapping[str, WrittenTable] = field(default_factory=dict)
    """By table name, or by location.path as written; what a reader of the destination finds."""
    ledger: tuple[LedgerEntry, ...] = ()
    errors: tuple[Diagnostic, ...] = ()
    verdicts: tuple[SampledVerdict, ...] = ()
    quarantined: WrittenTable | None = None
    """Rows that expectations took out; None where none may."""
    unread_overflow: Diagnostic | None = None
    """A value that did not fit and that nothing read; Spark may fail on it all the same."""
    differences: tuple[Mismatch, ...] = ()
    """Where two engines computed it and do not agree."""
