"""What events tell of a run: values, of which none is a secret or a row."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal, TypeAlias

from rowbook.expressions.scope import Field
from rowbook.lineage.column_lineage import OutputLineage
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class LineagePlace:
    """Where data is: a name for people, and a URI where it is a file. `kind` is that of the data
    source."""

    name: str
    uri: str | None
    kind: str


@dataclass(frozen=True, slots=True)
class DataAmount:
    """How much was read or written, as far as it is known."""

    rows: int | None = None
    size: int | None = None
    files: int | None = None


@dataclass(frozen=True, slots=True)
class Assertion:
    """What became of an expectation."""

    name: str
    text: str
    unit: str
    is_met: bool
    severity: Literal["error", "warn"]
    checked: int
    violated: int


@dataclass(frozen=True, slots=True)
class DatasetFacts:
    """A dataset that is read, or a table that is written, which is a dataset of its name where it
    is registered. What is None or empty is not known yet."""

    name: str
    fields: tuple[Field, ...]
    version: str | None = None
    description: str | None = None
    place: LineagePlace | None = None
    periods: tuple[str, ...] = ()
    amount: DataAmount | None = None
    assertions: tuple[Assertion, ...] = ()
    lineage: OutputLineage | None = None
    """Of an output."""


@dataclass(frozen=True, slots=True)
class JobFacts:
    namespace: str
    name: str
    definition: str
    description: str | None = None
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class ParentRun:
    """The chain that a run belongs to."""

    run_id: str
    name: str


@dataclass(frozen=True, slots=True)
class RunFacts:
    """`seal` and `fingerprints` are evidence that the run left, where it left any."""

    run_id: str
    first_day: date
    last_day: date
    period: str
    as_of: date | datetime
    project_version: int | None
    engine: tuple[str, str]
    """Its name and version."""
    rowbook: str
    parent: ParentRun | None = None
    error: str | None = None
    seal: str | None = None
    fingerprints: tuple[tuple[str, str], ...] = ()
    """By table."""


EventKind: TypeAlias = Literal["START", "RUNNING", "COMPLETE", "FAIL", "ABORT"]


@dataclass(frozen=True, slots=True)
class RunMoment:
    """One event: what is known of a run at a time."""

    kind: EventKind
    at: datetime
    job: JobFacts
    run: RunFacts
    inputs: tuple[DatasetFacts, ...] = ()
    outputs: tuple[DatasetFacts, ...] = ()
