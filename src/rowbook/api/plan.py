"""What a run would do, as far as that is known without looking at data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

from rowbook.expressions.scope import Field
from rowbook.planning.datasets import Dataset
from rowbook.planning.steps import AnyStep, AppendStep, OutputStep
from rowbook.planning.uses import used_datasets
from rowbook.runs.ledger import type_of
from rowbook.runs.places import located
from rowbook.runs.request import Request
from rowbook.runs.targets import target


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the working dataset; `type` as definitions write it."""

    name: str
    type: str
    nullable: bool


@dataclass(frozen=True, slots=True)
class PlannedRead:
    """A dataset that is read: its version, the resolver and rule that were followed, and the
    locations they lead to, below the data source if there is one."""

    dataset: str
    version: int
    resolver: str
    rule: str
    datasource: str | None
    locations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlannedWrite:
    """What an output would write. A draft's is in the sandbox, below the id its run will have."""

    destination: str
    mode: str
    columns: tuple[str, ...]
    registered_as: str | None


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """An operation, the datasets that it reads, and the columns after it: those of the business
    first, then those of the system."""

    seq: int
    name: str
    type: str
    reads: tuple[str, ...]
    columns: tuple[Column, ...]
    writes: PlannedWrite | None


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run would do. `version` is the project's, None for a draft; `columns` are those that
    the working dataset starts with."""

    project: str
    version: int | None
    period: str
    as_of: date | datetime
    reads: tuple[PlannedRead, ...]
    """The input first."""
    columns: tuple[Column, ...]
    steps: tuple[PlannedStep, ...]


def plan_of(request: Request) -> RunPlan:
    """The plan of a run that may start; RESOLVER_003 where no rule leads to a dataset."""
    plan, context = request.plan, request.context
    return RunPlan(
        request.project_name,
        request.version,
        context.period.identifier,
        context.as_of,
        tuple(_read(each, request) for each in used_datasets(plan)),
        _columns(plan.columns.fields.values()),
        tuple(_step(each, request) for each in plan.steps),
    )


def _read(dataset: Dataset, request: Request) -> PlannedRead:
    places = located(dataset, request)
    first = places[0]
    locations = tuple(each.location for each in places)
    return PlannedRead(
        dataset.name, dataset.version, first.resolver, first.rule, first.datasource, locations
    )


def _step(step: AnyStep, request: Request) -> PlannedStep:
    return PlannedStep(
        step.seq,
        step.name,
        type_of(step),
        tuple(dict.fromkeys(_reads(step))),
        _columns(step.columns.fields.values()),
        _write(step, request) if isinstance(step, OutputStep) else None,
    )


def _reads(step: AnyStep) -> Iterator[str]:
    if isinstance(step, AppendStep):
        yield step.source.name
    yield from (join.dataset.name for join in step.joins)


def _write(step: OutputStep, request: Request) -> PlannedWrite:
    shown = target(step, request).shown
    if request.is_draft:
        shown = shown.replace(request.context.run_id, "<run id>")
    return PlannedWrite(shown, step.mode, step.written, step.register_as)


def _columns(fields: Iterable[Field]) -> tuple[Column, ...]:
    return tuple(Column(f.name, str(f.type), f.nullable) for f in fields)
