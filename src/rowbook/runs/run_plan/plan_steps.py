"""The operations of a run as they are written, with what each reads, changes and writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from rowbook.definitions.models.operations import (
    AggregateOperation,
    AggregationDefinition,
    AnyOperation,
    AppendOperation,
    AssignmentDefinition,
    GroupKey,
    KeyDefinition,
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
from rowbook.runs.prepare.resolve import ResolvedOutput
from rowbook.runs.run_plan.plan_model import (
    Found,
    PlannedColumn,
    PlannedLevel,
    PlannedSpread,
    PlannedStep,
    PlannedUse,
    PlannedValue,
    PlannedWindow,
    PlannedWrite,
    RunParameter,
    Use,
)
from rowbook.runs.run_plan.plan_reads import found_at, not_found
from rowbook.sources import registry
from rowbook.sources.source import Target
from rowbook.sources.source_errors import NotAskedError

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
    windows = _windows(operation)
    texts = [text for text in (selector, *(use.on for use in uses)) if text is not None]
    texts += [value.expression for value in values]
    for window in windows:
        texts += [*([window.selector] if window.selector else ()), *window.values.values()]
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
        windows,
        _levels(operation),
        isinstance(step, AppendStep) and step.source is None,
        _spread(step, operation),
        step.left_out if isinstance(step, AppendStep) else (),
    )


def _spread(step: AnyStep, operation: AnyOperation) -> PlannedSpread | None:
    if not (isinstance(step, AppendStep) and isinstance(operation, AppendOperation)):
        return None
    spread, written = step.spread, operation.arguments.spread
    if spread is None or written is None:
        return None
    return PlannedSpread(spread.column, spread.alias, written.weight, spread.scale)


def _uses(step: AnyStep, operation: AnyOperation, working: Dataset) -> Iterator[PlannedUse]:
    owner = working
    if isinstance(step, AppendStep) and step.source is not None:
        owner = step.source
        yield PlannedUse(owner.name, owner.version, "append")
    joined: dict[str, str] = {}
    if isinstance(operation, UpdateOperation | AppendOperation):
        joined = {each.alias: each.on for each in operation.arguments.joins}
    conditions = {each.alias: each.on for each in owner.definition.lookups} | joined
    for join in step.joins:
        dataset, alias = join.dataset, join.alias
        use: Use = "join" if alias in joined else "lookup"
        on = conditions[alias]
        yield PlannedUse(dataset.name, dataset.version, use, alias, on, join.many, join.unmatched)


_Value: TypeAlias = AssignmentDefinition | AggregationDefinition | KeyDefinition


def _values(operation: AnyOperation) -> Sequence[_Value]:
    match operation:
        case UpdateOperation():
            return operation.arguments.assignments
        case AggregateOperation():
            given = operation.arguments
            keys = _computed(given.group_by, *(level.group_by for level in given.levels))
            return (*keys, *given.aggregations, *given.assignments)
        case AppendOperation() if operation.arguments.aggregation is not None:
            aggregation = operation.arguments.aggregation
            return (*_computed(aggregation.group_by), *aggregation.aggregations)
        case AppendOperation():
            return operation.arguments.assignments
    return ()


def _computed(*groupings: Sequence[GroupKey]) -> tuple[KeyDefinition, ...]:
    """Each once, although levels may repeat it."""
    keys = (key for keys in groupings for key in keys if isinstance(key, KeyDefinition))
    return tuple({key.column: key for key in keys}.values())


def _planned_values(
    step: AnyStep, values: Sequence[_Value], before: Columns
) -> Iterator[PlannedValue]:
    types: Mapping[str, Field] = step.columns.fields
    for each in values:
        name = each.column
        yield PlannedValue(name, str(types[name].type), each.expression, name not in before.fields)
    if isinstance(step, AppendStep) and step.keys is None:
        assigned = {each.column for each in values}
        for result in (each for each in step.results if each.column not in assigned):
            yield PlannedValue(result.column, str(types[result.column].type), None, is_new=False)


def _windows(operation: AnyOperation) -> tuple[PlannedWindow, ...]:
    if not isinstance(operation, UpdateOperation):
        return ()
    return tuple(
        PlannedWindow(each.alias, each.by, each.selector, each.order_by, each.values)
        for each in operation.arguments.windows
    )


def _group_by(operation: AnyOperation) -> tuple[str, ...]:
    match operation:
        case AggregateOperation():
            return _names(operation.arguments.group_by)
        case AppendOperation() if operation.arguments.aggregation is not None:
            return _names(operation.arguments.aggregation.group_by)
    return ()


def _levels(operation: AnyOperation) -> tuple[PlannedLevel, ...]:
    if not isinstance(operation, AggregateOperation):
        return ()
    levels = operation.arguments.levels
    return tuple(PlannedLevel(level.name, _names(level.group_by)) for level in levels)


def _names(keys: Sequence[GroupKey]) -> tuple[str, ...]:
    return tuple(key.column if isinstance(key, KeyDefinition) else key for key in keys)


def _found(target: Target, *, connect: bool) -> Found:
    if registry.is_server(target) and not connect:
        return not_found(NotAskedError())
    try:
        table = registry.pin(registry.existing(target))
        return found_at(table, registry.contents(table))
    except (RowbookError, OSError) as error:
        return not_found(error)
