"""Planning `aggregate`: results, the rules of aggregate expressions, and assignments on top."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rowbook.definitions.models.operations import AggregateOperation
from rowbook.expressions.convert import convert
from rowbook.expressions.scope import Field, Scope
from rowbook.planning.columns import ASSIGNABLE, Columns, is_system
from rowbook.planning.operations.context import Context, OperationPlace, used_joins
from rowbook.planning.operations.group_keys import COLUMN_CODES, GroupKeys, group_keys
from rowbook.planning.operations.summary_row import SummaryPart, may_hold, summary_scope
from rowbook.planning.operations.update import store
from rowbook.planning.steps import AggregateStep, Result


def plan_aggregate(
    operation: AggregateOperation, here: OperationPlace, context: Context
) -> AggregateStep:
    findings, arguments = context.findings, here.arguments
    scope = context.scope(here.before)
    selector = findings.condition(
        here.place.at("selector"), operation.selector, scope, COLUMN_CODES
    )
    keys = group_keys(operation.arguments, here, scope, context)
    if not operation.arguments.aggregations:
        message = "an aggregate needs at least one aggregation"
        findings.add(arguments.at("aggregations"), "AGGREGATE_002", message)
    inner = replace(scope, keys=keys.everywhere - frozenset(keys.computed))
    results: list[Result] = []
    filled: dict[str, SummaryPart] = dict.fromkeys(keys.names, "key")
    fields: dict[str, Field] = {}
    visible = {each.name: each for each in keys.fields(here.before)}
    for i, aggregation in enumerate(operation.arguments.aggregations):
        place = arguments.at("aggregations", i)
        tree = findings.expression(
            place.at("expression"), aggregation.expression, inner, COLUMN_CODES
        )
        column = aggregation.column
        visible.setdefault(column, Field(column, tree.type, tree.nullable))
        if not may_hold("result", column, place.at("column"), here.before, filled, context):
            continue
        existing = here.before.fields.get(column)
        field = store(
            column,
            tree,
            existing,
            place.at("expression"),
            aggregation.expression,
            here.before,
            context,
        )
        filled[column] = "result"
        fields[column] = Field(column, field.type, nullable=True)
        visible[column] = Field(column, field.type, tree.nullable)
        results.append(Result(column, convert(tree, field.type), existing is None))
    outer = summary_scope(scope, here.before, visible.values(), has_levels=bool(keys.levels))
    assigned = list(_assignments(operation, here, outer, filled, context))
    key_values = tuple(keys.computed.values())
    return AggregateStep(
        operation.seq,
        operation.name,
        selector,
        used_joins(
            context.lookups.joins, (selector, *(r.expression for r in (*key_values, *results)))
        ),
        _after(here.before, keys, (*fields.values(), *(field for _, field in assigned))),
        keys.names,
        tuple(results),
        key_values,
        keys.levels,
        tuple(result for result, _ in assigned),
    )


def _assignments(
    operation: AggregateOperation,
    here: OperationPlace,
    scope: Scope,
    filled: dict[str, SummaryPart],
    context: Context,
) -> Iterable[tuple[Result, Field]]:
    """With the columns that they leave: existing rows keep what they have."""
    for i, assignment in enumerate(operation.arguments.assignments):
        place, column = here.arguments.at("assignments", i), assignment.column
        at, text = place.at("expression"), assignment.expression
        tree = context.findings.expression(at, text, scope, COLUMN_CODES)
        is_label = column in ASSIGNABLE and column not in filled
        if not is_label and not may_hold(
            "assigned", column, place.at("column"), here.before, filled, context
        ):
            continue
        filled[column] = "assigned"
        existing = here.before.fields.get(column)
        field = store(column, tree, existing, at, text, here.before, context)
        nullable = tree.nullable or existing is None or existing.nullable
        if is_system(column):
            nullable = field.nullable
        result = Result(column, convert(tree, field.type), existing is None)
        yield result, Field(column, field.type, nullable)


def _after(before: Columns, keys: GroupKeys, filled: Iterable[Field]) -> Columns:
    """Summary rows are NULL in every business column that they do not fill."""
    empty = (
        Field(f.name, f.type, nullable=True)
        for f in before.fields.values()
        if f.name not in keys.everywhere and not is_system(f.name) and not f.nullable
    )
    return before.with_fields((*empty, *keys.changed(before), *filled))
