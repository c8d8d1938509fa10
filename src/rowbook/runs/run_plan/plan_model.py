"""What a run would do, as far as that is known without reading rows. Values, no behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, TypeAlias

from rowbook.definitions.models.entries import Unmatched
from rowbook.definitions.models.expectation import Otherwise
from rowbook.engine.strategy.describe import StageDescription
from rowbook.errors import Diagnostic
from rowbook.planning.steps import StepType
from rowbook.runs.versions.version_drift import VersionDrift
from rowbook.sources.source import Mode

Presence: TypeAlias = Literal["there", "missing", "absent", "unknown", "unasked"]
"""Whether a place holds data; absent where it need not, by what a view says; unknown where it
cannot be asked, or not be understood, unasked where that is a database, which a plan asks only if
it is told to."""
Use: TypeAlias = Literal["append", "join", "lookup"]


@dataclass(frozen=True, slots=True)
class PlannedColumn:
    """`type` as definitions write it."""

    name: str
    type: str
    nullable: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What is at a place now. `files` are those that a run would read, None where data is not in
    files; `version` is that of a table that counts its own; `reason` says why nothing is there, or
    why nothing can be said; `note` how what is there is read, where definitions leave that open."""

    presence: Presence
    files: int | None = None
    bytes: int = 0
    version: str | None = None
    reason: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class PlannedLocation:
    """A place that rows are read from: a path below the workspace, or a table of a data source."""

    location: str
    periods: tuple[str, ...]
    """The periods that it was resolved for."""
    found: Found
    undeclared: tuple[str, ...] = ()
    """Columns of the source that the dataset does not declare: they are not loaded."""
    lacking: tuple[str, ...] = ()
    """Physical columns that the dataset declares and the source does not have: a run would fail."""

    @property
    def is_sound(self) -> bool:
        return self.found.presence in ("there", "absent", "unasked") and not self.lacking


@dataclass(frozen=True, slots=True)
class PlannedUnpivot:
    """Physical columns that become rows: `name` and `value` are the columns made of them."""

    columns: tuple[str, ...]
    name: str
    value: str
    nulls: Literal["drop", "keep"]


@dataclass(frozen=True, slots=True)
class PlannedView:
    """Which periods of another dataset are read: as the definition says it, and what rows may have;
    none of them where all periods are read."""

    of: str
    said: str
    periods: tuple[str, ...]
    missing: Literal["error", "warn", "empty"]
    require: Literal["closed", "locked"] | None


@dataclass(frozen=True, slots=True)
class PlannedRead:
    """A dataset that is read, by which resolver and rule; none where it is a view of periods that
    its calendar does not have."""

    dataset: str
    version: int
    table: str
    temporal_mode: Literal["period", "bitemporal", "snapshot"]
    resolver: str | None
    rule: str | None
    datasource: str | None
    locations: tuple[PlannedLocation, ...]
    unpivot: PlannedUnpivot | None = None
    view: PlannedView | None = None

    @property
    def undeclared(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for each in self.locations for name in each.undeclared))

    @property
    def lacking(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for each in self.locations for name in each.lacking))


@dataclass(frozen=True, slots=True)
class PlannedUse:
    """A dataset that an operation reads; `on` is the condition of a join or lookup, as written.
    With `many` each match makes a row; `unmatched` is what becomes of a row without one."""

    dataset: str
    version: int
    use: Use
    alias: str | None = None
    on: str | None = None
    many: bool = False
    unmatched: Unmatched = "keep"


@dataclass(frozen=True, slots=True)
class PlannedValue:
    """A column that an operation gives values, by an expression as written; None where an append
    brings the source's column of that name."""

    column: str
    type: str
    expression: str | None
    is_new: bool


@dataclass(frozen=True, slots=True)
class PlannedWindow:
    """What rows know of their group, as written: names and expressions of its values."""

    alias: str
    by: tuple[str, ...]
    selector: str | None
    order_by: tuple[str, ...]
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PlannedSpread:
    """An amount that an append splits over the matches of a join."""

    column: str
    alias: str
    weight: str
    scale: int


@dataclass(frozen=True, slots=True)
class PlannedWrite:
    """What an output would write. A draft's is in the sandbox, below the id its run will have; what
    is at its destination now is not asked, and `found` is None."""

    destination: str
    mode: Mode
    columns: tuple[str, ...]
    by_period: bool
    """Replacing touches the rows of the run's period alone."""
    include_deleted: bool
    registered_as: str | None
    found: Found | None
    order_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlannedLevel:
    """One of the ways in which an aggregate groups; by nothing: over all rows."""

    name: str
    group_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """An operation as written, and the columns after it: those of the business first, then those of
    the system."""

    seq: int
    name: str
    type: StepType
    description: str | None
    selector: str | None
    """Which rows; an append's are those of its source."""
    named_selectors: Mapping[str, str]
    """Those that its expressions use, and the ones that these build on."""
    reads: tuple[PlannedUse, ...]
    group_by: tuple[str, ...]
    values: tuple[PlannedValue, ...]
    loosened: tuple[str, ...]
    """Columns that may hold NULL from here on."""
    columns: tuple[PlannedColumn, ...]
    writes: PlannedWrite | None
    windows: tuple[PlannedWindow, ...] = ()
    levels: tuple[PlannedLevel, ...] = ()
    from_working: bool = False
    """An append makes its rows from those of the working dataset."""
    spread: PlannedSpread | None = None
    left_out: tuple[str, ...] = ()
    """Columns of its source that an append leaves out."""


@dataclass(frozen=True, slots=True)
class PlannedExpectation:
    """What must hold of rows; `words` say all of it. Looked at where `point` says, of operation
    `seq` or of the dataset `owner`, whose definition says it; None: the project's."""

    name: str
    owner: str | None
    point: Literal["input", "after", "output", "end", "dataset"]
    seq: int | None
    at: str
    that: str
    otherwise: Otherwise
    words: str


@dataclass(frozen=True, slots=True)
class RunParameter:
    """A parameter of a run: `value` is its text, as it may be given again; `default`: none was."""

    name: str
    type: str
    value: str
    default: bool
    description: str | None = None


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run would do. `version` is the project's, None for a draft; `columns` are those that
    the working dataset starts with."""

    project: str
    version: int | None
    description: str | None
    period: str
    first_day: date
    last_day: date
    calendar: str
    as_of: date | datetime
    reads: tuple[PlannedRead, ...]
    """The input first."""
    columns: tuple[PlannedColumn, ...]
    steps: tuple[PlannedStep, ...]
    warnings: tuple[Diagnostic, ...]
    problems: tuple[Diagnostic, ...]
    """What the run would fail of, as things are now."""
    stages: tuple[StageDescription, ...]
    """How the steps would be computed, and why so."""
    drift: VersionDrift | None = None
    """Where the files are not the version that runs."""
    parameters: tuple[RunParameter, ...] = ()
    expectations: tuple[PlannedExpectation, ...] = ()
    """In the order in which they are looked at."""
    quarantine: PlannedWrite | None = None
    """Where rows go that expectations take out."""

    def read_of(self, use: PlannedUse) -> PlannedRead:
        wanted = use.dataset, use.version
        return next(each for each in self.reads if (each.dataset, each.version) == wanted)
