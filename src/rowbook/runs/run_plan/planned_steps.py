"""The operations of a run as they are written, with what each reads, changes and writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rowbook.definitions.models.operations import (
    AggregateOperation,
    AggregationDefinition,
    AnyOperation,
    AppendOperation,
    AssignmentDefinition,
    UpdateOperation,
)
from rowbook.expressions.scope import Field
from rowbook.expressions.selectors import used_selectors
from rowbook.planning.columns import PERIOD, Columns
from rowbook.planning.datasets import Dataset
from rowbook.planning.steps import AnyStep, AppendStep, OutputStep
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.targets import target
from rowbook.runs.run_plan.plan_model import (
    Found,
    PlannedColumn,
    PlannedStep,
    PlannedUse,
    PlannedValue,
    PlannedWrite,
)
from rowbook.runs.run_plan.planned_reads import found_at
from rowbook.sources import registry
from rowbook.sources.source import Target


def planned_steps(request: Request) -> Iterator[PlannedStep]:
    """The operations in order."""
    plan = request.plan
    operations = {each.seq: each for each in plan.project.operations}
    before = plan.columns
    for step in plan.steps:
        yield _step(step, operations[step.seq], before, request)
        before = step.columns


def planned_columns(fields: Iterable[Field]) -> tuple[PlannedColumn, ...]:
    """Columns for people to read."""
    return tuple(PlannedColumn(f.name, str(f.type), f.nullable) for f in fields)


def _step(step: AnyStep, written: AnyOperation, before: Columns, request: Request) -> PlannedStep:
    selector = written.selector
    if isinstance(written, AppendOperation):
        selector = written.arguments.source_selector
    uses = tuple(_uses(step, written, request.plan.input))
    values = _values(written)
    texts = [text for text in (selector, *(use.on for use in uses)) if text is not None]
    texts += [value.expression for value in values]
    return PlannedStep(
        step.seq,
        step.name,
        step.type,
        written.description,
        selector,
        used_selectors(texts, request.plan.project.selectors),
        uses,
        _group_by(written),
        tuple(_planned_values(step, values, before)),
        tuple(
            name
            for name, field in step.columns.fields.items()
            if field.nullable and name in before.fields and not before.fields[name].nullable
        ),
        planned_columns(step.columns.fields.values()),
        _write(step, request) if isinstance(step, OutputStep) else None,
    )


def _uses(step: AnyStep, written: AnyOperation, working: Dataset) -> Iterator[PlannedUse]:
    owner = working
    if isinstance(step, AppendStep):
        owner = step.source
        yield PlannedUse(owner.name, owner.version, "append")
    joins = written.arguments.joins if isinstance(written, UpdateOperation) else ()
    conditions = {each.alias: each.on for each in joins}
    lookups = {each.alias: each.on for each in owner.definition.lookups}
    for join in step.joins:
        dataset = join.dataset
        if join.alias in conditions:
            on = conditions[join.alias]
            yield PlannedUse(dataset.name, dataset.version, "join", join.alias, on)
        else:
            on = lookups[join.alias]
            yield PlannedUse(dataset.name, dataset.version, "lookup", join.alias, on)


def _values(
    written: AnyOperation,
) -> Sequence[AssignmentDefinition | AggregationDefinition]:
    match written:
        case UpdateOperation():
            return written.arguments.assignments
        case AggregateOperation():
            return written.arguments.aggregations
        case AppendOperation() if written.arguments.aggregation is not None:
            return written.arguments.aggregation.aggregations
    return ()


def _planned_values(
    step: AnyStep,
    written: Sequence[AssignmentDefinition | AggregationDefinition],
    before: Columns,
) -> Iterator[PlannedValue]:
    types: Mapping[str, Field] = step.columns.fields
    for each in written:
        name = each.column
        yield PlannedValue(name, str(types[name].type), each.expression, name not in before.fields)
    if isinstance(step, AppendStep) and step.keys is None:
        for result in step.results:
            yield PlannedValue(result.column, str(types[result.column].type), None, is_new=False)


def _group_by(written: AnyOperation) -> tuple[str, ...]:
    match written:
        case AggregateOperation():
            return written.arguments.group_by
        case AppendOperation() if written.arguments.aggregation is not None:
            return written.arguments.aggregation.group_by
    return ()


def _write(step: OutputStep, request: Request) -> PlannedWrite:
    goes_to = target(step, request)
    label, found = goes_to.label, None
    if request.is_draft:
        label = label.replace(request.context.run_id, "<run id>")
    else:
        found = _found(goes_to)
    return PlannedWrite(
        label,
        step.mode,
        step.written,
        PERIOD.name in step.written,
        step.include_deleted,
        step.register_as,
        found,
    )


def _found(goes_to: Target) -> Found:
    """What is at a destination now."""
    return found_at(lambda: registry.existing(goes_to))[0]
