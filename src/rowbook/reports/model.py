"""What a report says of a run. Values, no behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from rowbook.engine.measure.figures import Moved, Number, Sample
from rowbook.expectations.verdict import Verdict
from rowbook.planning.steps import StepType
from rowbook.runs.proof.largest_figures import RunFigure
from rowbook.runs.run_plan.plan_model import RunParameter


@dataclass(frozen=True, slots=True)
class ReportRule:
    """A column that an operation sets, in English and as written; `expression` is None where an
    append brings the source's column of that name."""

    column: str
    type: str
    is_new: bool
    english: str
    expression: str | None


@dataclass(frozen=True, slots=True)
class Lookup:
    alias: str
    dataset: str
    version: int
    english: str
    condition: str


@dataclass(frozen=True, slots=True)
class ReportWindow:
    """What rows know of their group, in English and as written."""

    alias: str
    english: str
    written: str


@dataclass(frozen=True, slots=True)
class Counts:
    rows_in: int
    matched: int
    added: int
    deleted: int
    rows_out: int
    duration_ms: int
    quarantined: int = 0


@dataclass(frozen=True, slots=True)
class ReportStep:
    """An operation: what it does, and what it did. `counts` is None where it did not come to it;
    `total` is the followed column's after it, None where that was not measured; `moved` is None
    where the operation cannot change it."""

    seq: int
    name: str
    type: StepType
    description: str | None
    english: str
    where: str | None
    """Which rows, in English."""
    selector: str | None
    """Which rows, as written."""
    lookups: tuple[Lookup, ...]
    rules: tuple[ReportRule, ...]
    counts: Counts | None
    total: Number | None = None
    moved: Moved | None = None
    counted: int | None = None
    """Visible rows after it, counted a second time."""
    sample: Sample | None = None
    failed: bool = False
    writes_all: bool = False
    """It is an output of all visible rows."""
    windows: tuple[ReportWindow, ...] = ()


@dataclass(frozen=True, slots=True)
class Followed:
    """The column whose total the report follows, and its total before the first operation: None
    where an operation makes the column."""

    column: str
    opening: Number | None
    counted: int | None
    """Visible rows of the input, counted a second time."""
    others: tuple[str, ...] = ()
    """Those that might be followed instead, where nobody asked for one."""


@dataclass(frozen=True, slots=True)
class NamedSelector:
    name: str
    expression: str
    used_by: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class InputFile:
    name: str
    size: int
    modified: datetime | None
    version: str | None


@dataclass(frozen=True, slots=True)
class InputPlace:
    location: str
    periods: tuple[str, ...]
    files: tuple[InputFile, ...]
    missing: str | None


@dataclass(frozen=True, slots=True)
class InputDataset:
    name: str
    version: int
    resolver: str | None
    rule: str | None
    places: tuple[InputPlace, ...]


@dataclass(frozen=True, slots=True)
class ReportOutput:
    """What an output wrote; `dataset` is what it was registered as."""

    seq: int
    name: str
    destination: str
    rows: int
    columns: tuple[str, ...]
    files: int
    bytes: int
    duration_ms: int
    dataset: str | None
    dataset_version: int | None


@dataclass(frozen=True, slots=True)
class Failure:
    seq: int | None
    operation: str | None
    code: str
    meaning: str | None
    message: str
    hint: str | None


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    passed: bool
    said: str


@dataclass(frozen=True, slots=True)
class ExpectationHistory:
    """What became of expectations in the last published run of a period, by owner and name."""

    period: str
    verdicts: Mapping[tuple[str | None, str], Verdict]


@dataclass(frozen=True, slots=True)
class RunReport:
    project: str
    description: str | None
    owner: str | None
    version: int | None
    run_id: str
    status: str
    period: str
    as_of: str
    clock: datetime
    started: datetime | None
    duration_ms: int | None
    requested_by: str
    trigger: str
    engine: str
    rowbook: str | None
    spark: str | None
    notes: tuple[str, ...]
    """What happened beside: a closed period that was reopened, a run that was resumed."""
    failure: Failure | None
    warnings: tuple[str, ...]
    followed: Followed | None
    figures: str | None
    """Why figures are missing, if they are."""
    steps: tuple[ReportStep, ...]
    checks: tuple[Check, ...]
    selectors: tuple[NamedSelector, ...]
    inputs: tuple[InputDataset, ...]
    outputs: tuple[ReportOutput, ...]
    parameters: tuple[RunParameter, ...] = ()
    expectations: tuple[Verdict, ...] = ()
    history: tuple[ExpectationHistory, ...] = ()
    """Of periods before, the oldest first."""
    unmatched: tuple[str, ...] = ()
    """Operations that matched no rows."""
    seal: str | None = None
    """The newest over the run."""
    largest: tuple[RunFigure, ...] = ()
    """Figures that are explained in place."""
