"""The operations of a run as they are written, with what each reads, changes and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from rowbook.definitions.models.operations import (
    AggregateOperation,
    AggregationDefinition,
    AnyOperation,
    AppendOperation,
    AssignmentDefinition,
    UpdateOperation,
)
from rowbook.errors import RowbookError
from rowbook.expressions.scope import Field
from rowbook.expressions.selectors import used_selectors
from rowbook.planning.columns import PERIOD, Columns
from rowbook.planning.datasets import Dataset
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.resolution.parameter_values import ParameterValue
from rowbook.planning.steps import AnyStep, AppendStep, OutputStep
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import NotAskedError, ResolvedOutput
from rowbook.runs.run_plan.plan_model import (
    Found,
    PlannedColumn,
    PlannedStep,
    PlannedUse,
    PlannedValue,
    PlannedWrite,
    RunParameter,
    Use,
)
from rowbook.runs.run_plan.plan_reads import found_at, not_found
from rowbook.sources import registry
from rowbook.sources.source import Target

WritePlan = Callable[[OutputStep], PlannedWrite | None]


def plan_steps(plan: ProjectPlan, write: WritePlan) -> Iterator[PlannedStep]:
    operations = {each.seq: each for each in plan.project.operations}
    before = plan.columns
    for step in plan.steps:
        yield _step(step, operations[step.seq], before, plan, write)
        before = step.columns


def plan_columns(fields: Iterable[Field]) -> tuple[PlannedColumn, ...]:
    return tuple(PlannedColumn(f.name, str(f.type), f.nullable) for f in fields)


def plan_parameter(value: ParameterValue) -> RunParameter:
    parameter = value.parameter
    kind, default = str(parameter.type), value.is_default
    return RunParameter(parameter.name, kind, value.text, default, value.description)


def plan_write(resolved: ResolvedOutput, request: Request, *, connect: bool) -> PlannedWrite:
    """A draft's destination has no name before its run, and is not asked."""
    step, label, found = resolved.step, resolved.target.label, None
    if request.is_draft:
        label = label.replace(request.context.run_id, "<run id>")
    else:
        found = _found(resolved.target, connect=connect)
    return PlannedWrite(
        label,
        step.mode,
        step.written,
        PERIOD.name in step.written,
        step.include_deleted,
        step.register_as,
        found,
        tuple(map(str, step.order_by)),
    )


def _step(
    step: AnyStep, operation: AnyOperation, before: Columns, plan: ProjectPlan, write: WritePlan
) -> PlannedStep:
    selector = operation.selector
    if isinstance(operation, AppendOperation):
        selector = operation.arguments.source_selector
    uses = tuple(_uses(step, operation, plan.input))
    values = _values(operation)
    texts = [text for text in (selector, *(use.on for use in uses)) if text is not None]
    texts += [value.expression for value in values]
    return PlannedStep(
        step.seq,
        step.name,
        step.type,
        operation.description,
        selector,
        used_selectors(texts, plan.project.selectors),
        uses,
        _group_by(operation),
        tuple(_planned_values(step, values, before)),
        tuple(
            name
            for name, field in step.columns.fields.items()
            if field.nullable and name in before.fields and not before.fields[name].nullable
        ),
        plan_columns(step.columns.fields.values()),
        write(step) if isinstance(step, OutputStep) else None,
    )


def _uses(step: AnyStep, operation: AnyOperation, working: Dataset) -> Iterator[PlannedUse]:
    owner = working
    if isinstance(step, AppendStep):
        owner = step.source
        yield PlannedUse(owner.name, owner.version, "append")
    joins = operation.arguments.joins if isinstance(operation, UpdateOperation) else ()
    joined = {each.alias: each.on for each in joins}
    conditions = {each.alias: each.on for each in owner.definition.lookups} | joined
    for join in step.joins:
        dataset, alias = join.dataset, join.alias
        use: Use = "join" if alias in joined else "lookup"
        yield PlannedUse(dataset.name, dataset.version, use, alias, conditions[alias])


def _values(operation: AnyOperation) -> Sequence[AssignmentDefinition | AggregationDefinition]:
    match operation:
        case UpdateOperation():
            return operation.arguments.assignments
        case AggregateOperation():
            return operation.arguments.aggregations
        case AppendOperation() if operation.arguments.aggregation is not None:
            return operation.arguments.aggregation.aggregations
    return ()


def _planned_values(
    step: AnyStep, values: Sequence[AssignmentDefinition | AggregationDefinition], before: Columns
) -> Iterator[PlannedValue]:
    types: Mapping[str, Field] = step.columns.fields
    for each in values:
        name = each.column
        yield PlannedValue(name, str(types[name].type), each.expression, name not in before.fields)
    if isinstance(step, AppendStep) and step.keys is None:
        for result in step.results:
            yield PlannedValue(result.column, str(types[result.column].type), None, is_new=False)


def _group_by(operation: AnyOperation) -> tuple[str, ...]:
    match operation:
        case AggregateOperation():
            return operation.arguments.group_by
        case AppendOperation() if operation.arguments.aggregation is not None:
            return operation.arguments.aggregation.group_by
    return ()


def _found(target: Target, *, connect: bool) -> Found:
    if registry.is_server(target) and not connect:
        return not_found(NotAskedError())
    try:
        table = registry.pin(registry.existing(target))
        return found_at(table, registry.contents(table))
    except (RowbookError, OSError) as error:
        return not_found(error)
