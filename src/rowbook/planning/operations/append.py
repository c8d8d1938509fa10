"""Planning `append`: APPEND_001 … APPEND_007, BR-010."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rowbook.definitions.models.operations import AppendAggregationDefinition, AppendOperation
from rowbook.definitions.place import Place
from rowbook.errors import listing, suggestion
from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound
from rowbook.expressions.convert import convert
from rowbook.expressions.scope import Field, Scope
from rowbook.planning.columns import Columns, is_system
from rowbook.planning.datasets import Dataset, lookups_of, typed
from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.operations.context import Context, OperationPlace, column_of, used_joins
from rowbook.planning.operations.update import warn_of_cut
from rowbook.planning.resolution.resolvers import check_resolver
from rowbook.planning.steps import AppendStep, Result

_CODES = {"EXPR_001": "APPEND_004", "EXPR_002": "APPEND_006"}
_IN_AGGREGATION = {**_CODES, "EXPR_005": "APPEND_005", "AGGREGATE_007": "APPEND_005"}
_SOURCE_CODES = {"unknown": "APPEND_001", "version": "APPEND_002", "disabled": "APPEND_001"}


def plan_append(
    operation: AppendOperation, here: OperationPlace, context: Context
) -> AppendStep | None:
    findings, arguments = context.findings, here.arguments
    if operation.selector is not None:
        findings.add(here.place.at("selector"), "PROJECT_005", "an append takes no selector")
    reference = operation.arguments.source
    found = context.known.dataset(reference.dataset_id, reference.dataset_version)
    if isinstance(found, Missing):
        if not found.uncertain:
            key = "dataset_version" if found.reason == "version" else "dataset_id"
            place = arguments.at("source", key)
            hint = found.hint
            if reference.dataset_id in context.registered_by:
                hint = registered_hint(reference.dataset_id, context)
            findings.add(place, _SOURCE_CODES[found.reason], found.message, hint)
        return None
    source, source_place = typed(found), arguments.at("source", "dataset_id")
    check_resolver(source, source_place, context, "APPEND_007")
    lookups = lookups_of(source, context.known)[0]
    scope = lookups.extend(
        Scope(
            source.readable,
            source.table_name,
            selectors=context.selectors,
            parameters=context.parameters,
        )
    )
    selector = findings.condition(
        arguments.at("source_selector"), operation.arguments.source_selector, scope, _CODES
    )
    aggregation = operation.arguments.aggregation
    if aggregation is None:
        keys = None
        results = _raw(source, source_place, here.before, context)
    else:
        place = arguments.at("aggregation")
        keys = _keys(aggregation.group_by, place.at("group_by"), source, here.before, context)
        results = _aggregated(aggregation, place, keys, scope, here.before, context)
    joins = used_joins(lookups.joins, (selector, *(r.expression for r in results)))
    for join in joins:
        lookup = f"a lookup of '{source.name}'"
        check_resolver(join.dataset, source_place, context, "APPEND_007", lookup)
    return AppendStep(
        operation.seq,
        operation.name,
        selector,
        joins,
        _after(here.before, results),
        source,
        None if keys is None else tuple(keys),
        tuple(results),
    )


_ADD_FIRST = (
    "give the working dataset the column before, by an update: TO_DECIMAL(NULL, 18, 2) makes an"
    " empty one"
)


def registered_hint(name: str, context: Context) -> str:
    return f"project '{context.registered_by[name]}' registers it: run that first"


def _raw(source: Dataset, place: Place, before: Columns, context: Context) -> list[Result]:
    extra = [f.name for f in source.business if f.name not in before.fields]
    if extra and before.complete:
        context.findings.add(
            place,
            "APPEND_003",
            f"columns of '{source.name}' that the working dataset does not have: {listing(extra)}",
            _ADD_FIRST,
        )
    results: list[Result] = []
    for field in source.business:
        target = before.fields.get(field.name)
        if target is None:
            continue
        tree = bound.Column(None, field.name, field.type, field.nullable)
        if _fits(tree, target, place, before, context):
            results.append(Result(field.name, convert(tree, target.type)))
    return results


def _keys(
    group_by: Sequence[str], place: Place, source: Dataset, before: Columns, context: Context
) -> dict[str, None]:
    findings = context.findings
    keys: dict[str, None] = {}
    if not group_by:
        findings.add(place, "APPEND_005", "the aggregation needs at least one column to group by")
    for i, reference in enumerate(group_by):
        alias, column = column_of(reference, source.table_name)
        field = source.readable.find(column)
        if alias is not None or field is None:
            hint = suggestion(column, tuple(f.name for f in source.business), "columns")
            findings.add(place.at(i), "APPEND_006", f"unknown column '{reference}'", hint)
        elif column in keys:
            findings.add(place.at(i), "APPEND_005", f"'{reference}' stands twice in group_by")
        elif not is_system(column) and column not in before.fields and before.complete:
            message = f"key '{column}' is not a column of the working dataset"
            hint = (
                f"a key fills the column of its own name: in dataset '{source.name}', name the"
                f" column as the working dataset does, with source: {column}; or {_ADD_FIRST}"
            )
            findings.add(place.at(i), "APPEND_003", message, hint)
        elif column in before.fields:
            tree = bound.Column(None, column, field.type, field.nullable)
            _fits(tree, before.fields[column], place.at(i), before, context)
        keys[column] = None
    return keys


def _aggregated(
    aggregation: AppendAggregationDefinition,
    place: Place,
    keys: dict[str, None] | None,
    scope: Scope,
    before: Columns,
    context: Context,
) -> list[Result]:
    findings = context.findings
    inner = replace(scope, keys=frozenset(keys or ()))
    if not aggregation.aggregations:
        message = "the aggregation needs at least one result"
        findings.add(place.at("aggregations"), "APPEND_005", message)
    results = {
        key: Result(key, convert(bound.Column(None, key, f.type, f.nullable), target.type))
        for key in keys or ()
        if (f := scope.main.find(key)) and (target := before.fields.get(key))
    }
    for i, each in enumerate(aggregation.aggregations):
        here = place.at("aggregations", i)
        tree = findings.expression(here.at("expression"), each.expression, inner, _IN_AGGREGATION)
        target = before.fields.get(each.column)
        if is_system(each.column):
            message = f"'{each.column}' belongs to the system and cannot hold a result"
            findings.add(here.at("column"), "APPEND_005", message)
        elif keys is not None and each.column in keys:
            findings.add(here.at("column"), "APPEND_005", f"'{each.column}' is a group key already")
        elif each.column in results:
            message = f"result column '{each.column}' stands twice"
            findings.add(here.at("column"), "APPEND_005", message)
        elif target is None:
            if before.complete:
                message = f"result column '{each.column}' is not in the working dataset"
                known = tuple(f.name for f in before.business)
                hint = suggestion(each.column, known, "columns")
                findings.add(here.at("column"), "APPEND_003", message, hint)
        elif _fits(tree, target, here.at("column"), before, context):
            results[each.column] = Result(each.column, convert(tree, target.type))
    return list(results.values())


def _fits(tree: Bound, target: Field, place: Place, before: Columns, context: Context) -> bool:
    if t.can_store(tree.type, target.type):
        warn_of_cut(tree.type, target, place, before, context)
        return True
    message = f"column '{target.name}' is {target.type}, the source gives {tree.type}"
    context.findings.add(place, "APPEND_003", message)
    return False


def _after(before: Columns, results: list[Result]) -> Columns:
    """Columns that the appended rows leave out, or may hold NULL in, become nullable."""
    given = {r.column: r.expression.nullable for r in results}
    return before.with_fields(
        Field(f.name, f.type, nullable=True)
        for f in before.business
        if not f.nullable and given.get(f.name, True)
    )
