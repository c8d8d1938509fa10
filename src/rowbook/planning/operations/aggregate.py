"""Planning `aggregate`: group keys, results, and the rules of aggregate expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rowbook.definitions.models.operations import AggregateOperation
from rowbook.definitions.place import Place
from rowbook.expressions.binding.foreign_words import column_hint
from rowbook.expressions.convert import convert
from rowbook.expressions.scope import Field
from rowbook.planning.columns import COLUMN_NAME, Columns, is_system
from rowbook.planning.operations.context import Context, OperationPlace, column_of, used_joins
from rowbook.planning.operations.update import store
from rowbook.planning.steps import AggregateStep, Result

_CODES = {"EXPR_002": "AGGREGATE_004"}


def plan_aggregate(
    operation: AggregateOperation, here: OperationPlace, context: Context
) -> AggregateStep:
    findings, arguments = context.findings, here.arguments
    scope = context.scope(here.before)
    selector = findings.condition(here.place.at("selector"), operation.selector, scope, _CODES)
    keys = _keys(operation.arguments.group_by, arguments.at("group_by"), here.before, context)
    if not operation.arguments.aggregations:
        message = "an aggregate needs at least one aggregation"
        findings.add(arguments.at("aggregations"), "AGGREGATE_002", message)
    inner = replace(scope, keys=frozenset(keys))
    results: list[Result] = []
    fields: dict[str, Field] = {}
    for i, aggregation in enumerate(operation.arguments.aggregations):
        place = arguments.at("aggregations", i)
        tree = findings.expression(place.at("expression"), aggregation.expression, inner, _CODES)
        column = aggregation.column
        if not _may_hold(column, place.at("column"), here.before, keys, fields, context):
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
        fields[column] = Field(column, field.type, nullable=True)
        results.append(Result(column, convert(tree, field.type), existing is None))
    return AggregateStep(
        operation.seq,
        operation.name,
        selector,
        used_joins(context.lookups.joins, (selector, *(r.expression for r in results))),
        _after(here.before, keys, fields),
        tuple(keys),
        tuple(results),
    )


def _keys(
    group_by: Sequence[str], place: Place, before: Columns, context: Context
) -> dict[str, None]:
    findings = context.findings
    table = context.input.table_name if context.input else None
    keys: dict[str, None] = {}
    if not group_by:
        findings.add(place, "AGGREGATE_001", "an aggregate needs at least one column to group by")
    for i, reference in enumerate(group_by):
        alias, column = column_of(reference, table)
        unknown = column not in before.fields and before.complete
        if unknown or (alias is not None and context.input is not None):
            hint = column_hint(column, tuple(f.name for f in before.business))
            if alias in dict(context.lookups.tables):
                hint = (
                    f"group by a column of the working dataset: bring {reference} in with an update"
                )
            findings.add(place.at(i), "AGGREGATE_004", f"unknown column '{reference}'", hint)
        elif column in keys:
            findings.add(place.at(i), "AGGREGATE_003", f"'{reference}' stands twice in group_by")
        keys[column] = None
    return keys


def _may_hold(
    column: str,
    place: Place,
    before: Columns,
    keys: dict[str, None],
    results: dict[str, Field],
    context: Context,
) -> bool:
    findings = context.findings
    clash = before.clash(column) or next(
        (r for r in results if r.lower() == column.lower() and r != column), None
    )
    if is_system(column):
        message = f"'{column}' belongs to the system and cannot hold a result"
        findings.add(place, "AGGREGATE_005", message)
    elif not COLUMN_NAME.fullmatch(column):
        findings.add(place, "DATASET_001", f"'{column}' is not a column's name")
    elif column in keys:
        findings.add(place, "AGGREGATE_006", f"'{column}' is a group key already")
    elif column in results:
        findings.add(place, "AGGREGATE_006", f"result column '{column}' stands twice")
    elif clash:
        message = f"result column '{column}' differs from '{clash}' only by case"
        findings.add(place, "AGGREGATE_006", message)
    else:
        return True
    return False


def _after(before: Columns, keys: dict[str, None], results: dict[str, Field]) -> Columns:
    """Summary rows are NULL in every business column that is neither key nor result."""
    empty = (
        Field(f.name, f.type, nullable=True)
        for f in before.fields.values()
        if f.name not in keys and not is_system(f.name) and not f.nullable
    )
    return before.with_fields((*empty, *results.values()))
