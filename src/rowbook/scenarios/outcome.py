"""What running a scenario's project gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rowbook.errors import Diagnostic
from rowbook.expressions.evaluate import Value
from rowbook.expressions.scope import Field
from rowbook.runs.execute.result import LedgerEntry


@dataclass(frozen=True, slots=True)
class Rows:
    fields: tuple[Field, ...]
    rows: tuple[Mapping[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    working: Rows | None = None
    outputs: Mapping[str, Rows] = field(default_factory=dict)
    """By table name, or by location.path as written; what a reader of the destination finds."""
    ledger: tuple[LedgerEntry, ...] = ()
    errors: tuple[Diagnostic, ...] = ()
