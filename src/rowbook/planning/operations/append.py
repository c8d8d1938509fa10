"""Planning `append`: APPEND_001 … APPEND_012, BR-010."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from rowbook.definitions.models.entries import (
    WORKING,
    AppendJoinDefinition,
    DatasetReference,
)
from rowbook.definitions.models.operations import (
    AppendAggregationDefinition,
    AppendOperation,
    AssignmentDefinition,
    GroupKey,
    KeyDefinition,
)
from rowbook.definitions.place import Place
from rowbook.errors import listing, suggestion
from rowbook.expressions import bound
from rowbook.expressions.convert import convert
from rowbook.expressions.scope import Field, Scope
from rowbook.planning.columns import Columns, is_system
from rowbook.planning.datasets import Dataset, Join, Lookups, lookups_of, typed
from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.operations.context import Context, OperationPlace, column_of, used_joins
from rowbook.planning.operations.entry_columns import (
    ADD_FIRST,
    CODES,
    assigned_columns,
    copied_columns,
    fits,
)
from rowbook.planning.operations.spread import plan_spread
from rowbook.planning.operations.update import plan_join
from rowbook.planning.resolution.resolvers import check_resolver
from rowbook.planning.steps import AppendStep, Result
from rowbook.value_class import dataclass

_IN_AGGREGATION = {**CODES, "EXPR_005": "APPEND_005", "AGGREGATE_007": "APPEND_005"}
_SOURCE_CODES = {"unknown": "APPEND_001", "version": "APPEND_002", "disabled": "APPEND_001"}


@dataclass(frozen=True, slots=True)
class _Source:
    """Whose rows are appended: a dataset, or the working dataset itself (None). `scope` is what its
    expressions see."""

    dataset: Dataset | None
    label: str
    place: Place
    fields: tuple[Field, ...]
    lookups: Lookups
    scope: Scope


def plan_append(
    operation: AppendOperation, here: OperationPlace, context: Context
) -> AppendStep | None:
    findings, arguments, given = context.findings, here.arguments, operation.arguments
    if operation.selector is not None:
        findings.add(here.place.at("selector"), "PROJECT_005", "an append takes no selector")
    source = _source(given.source, arguments.at("source"), here.before, context)
    if source is None:
        return None
    selector = findings.condition(
        arguments.at("source_selector"), given.source_selector, source.scope, CODES
    )
    joins, scope = _joins(given.joins, arguments.at("joins"), source.scope, context)
    spread = None
    if given.spread is not None:
        sound = len(joins) == len(given.joins)
        place = arguments.at("spread")
        spread = plan_spread(given.spread, place, joins, scope, context, joins_are_sound=sound)
    keys = None
    computed: list[Result] = []
    if given.aggregation is None:
        results = _raw(given.assignments, arguments.at("assignments"), source, scope, here, context)
    else:
        if given.assignments:
            message = "the aggregation gives the rows their columns: there is nothing to assign"
            findings.add(arguments.at("assignments"), "APPEND_009", message)
        place = arguments.at("aggregation")
        group_by, at_keys = given.aggregation.group_by, place.at("group_by")
        computed = _computed_keys(group_by, at_keys, scope, here.before, context)
        keys = _keys(group_by, at_keys, source, here.before, context)
        results = _aggregated(given.aggregation, place, keys, scope, here.before, context)
    values = (*computed, *results)
    trees = [selector, *(v.expression for v in values), *(join.condition for join in joins)]
    trees += [spread.weight] if spread else []
    lookups = used_joins(source.lookups.joins, trees)
    if source.dataset is not None:
        for join in lookups:
            lookup = f"a lookup of '{source.dataset.name}'"
            check_resolver(join.dataset, source.place, context, "APPEND_007", lookup)
    taken = {r.column for r in results}
    left_out = (f.name for f in source.fields if given.assignments and f.name not in taken)
    return AppendStep(
        operation.seq,
        operation.name,
        selector,
        (*lookups, *joins),
        _after(here.before, values),
        source.dataset,
        None if keys is None else tuple(keys),
        tuple(results),
        tuple(computed),
        frozenset(join.alias for join in joins),
        spread,
        tuple(left_out),
    )


def _source(
    reference: DatasetReference | Literal["working"],
    place: Place,
    before: Columns,
    context: Context,
) -> _Source | None:
    if isinstance(reference, str):
        scope = context.scope(before)
        return _Source(None, WORKING, place, before.business, context.lookups, scope)
    found = context.known.dataset(reference.dataset_id, reference.dataset_version)
    if isinstance(found, Missing):
        if not found.uncertain:
            key = "dataset_version" if found.reason == "version" else "dataset_id"
            hint = found.hint
            if reference.dataset_id in context.registered_by:
                hint = registered_hint(reference.dataset_id, context)
            context.findings.add(place.at(key), _SOURCE_CODES[found.reason], found.message, hint)
        return None
    dataset, place = typed(found), place.at("dataset_id")
    check_resolver(dataset, place, context, "APPEND_007")
    lookups = lookups_of(dataset, context.known)[0]
    scope = Scope(
        dataset.readable,
        dataset.table_name,
        selectors=context.selectors,
        parameters=context.parameters,
    )
    scope = lookups.extend(scope)
    return _Source(dataset, dataset.name, place, dataset.business, lookups, scope)


def registered_hint(name: str, context: Context) -> str:
    return f"project '{context.registered_by[name]}' registers it: run that first"


def _joins(
    definitions: Sequence[AppendJoinDefinition], place: Place, scope: Scope, context: Context
) -> tuple[list[Join], Scope]:
    """Those that are sound, and what expressions see with them: where rows without a match do not
    come through, no NULLs but those of the dataset."""
    joins: list[Join] = []
    for i, each in enumerate(definitions):
        scope, join = plan_join(each, place.at(i), scope, context, CODES)
        if join is not None:
            unmatched = each.unmatched or ("error" if each.many else "keep")
            joins.append(replace(join, many=each.many, unmatched=unmatched))
            if unmatched != "keep":
                scope = scope.with_other(join.alias, join.dataset.readable)
    return joins, scope


_OR_ASSIGN = "or give the append `assignments`: columns that the working dataset lacks are left out"


def _raw(
    assignments: Sequence[AssignmentDefinition],
    place: Place,
    source: _Source,
    scope: Scope,
    here: OperationPlace,
    context: Context,
) -> list[Result]:
    """The source's columns and, over them, what is assigned; without assignments the working
    dataset must have all of them."""
    before = here.before
    extra = [f.name for f in source.fields if f.name not in before.fields]
    if extra and before.complete and not assignments:
        context.findings.add(
            source.place,
            "APPEND_003",
            f"columns of '{source.label}' that the working dataset does not have: {listing(extra)}",
            f"{ADD_FIRST}; {_OR_ASSIGN}",
        )
    assigned = {
        each.column: each
        for each in assigned_columns(
            assignments, place, scope, before, context, may_create=source.dataset is None
        )
    }
    named = {each.column for each in assignments}
    copied = [f for f in source.fields if f.name not in named]
    results = {r.column: r for r in copied_columns(copied, source.place, before, context)}
    results |= assigned
    order = dict.fromkeys((*(f.name for f in source.fields), *assigned))
    return [results[name] for name in order if name in results]


def _computed_keys(
    group_by: Sequence[GroupKey], place: Place, scope: Scope, before: Columns, context: Context
) -> list[Result]:
    """The keys that are expressions, each once, of the types that the working dataset has."""
    made: dict[str, Result] = {}
    for i, key in enumerate(group_by):
        if isinstance(key, KeyDefinition):
            at = place.at(i, "expression")
            tree = context.findings.expression(at, key.expression, scope, CODES)
            target = before.fields.get(key.column)
            if is_system(key.column):
                message = f"'{key.column}' belongs to the system and cannot be set"
                context.findings.add(place.at(i, "column"), "APPEND_005", message)
            elif target is not None and fits(tree, target, at, before, context):
                made.setdefault(key.column, Result(key.column, convert(tree, target.type)))
    return list(made.values())


def _keys(
    group_by: Sequence[GroupKey], place: Place, source: _Source, before: Columns, context: Context
) -> dict[str, bool]:
    """The names of keys, and whether each is a column of the source."""
    findings = context.findings
    keys: dict[str, bool] = {}
    if not group_by:
        findings.add(place, "APPEND_005", "the aggregation needs at least one column to group by")
    for i, key in enumerate(group_by):
        if isinstance(key, KeyDefinition):
            known = tuple(f.name for f in before.business)
            if key.column in keys:
                message = f"'{key.column}' stands twice in group_by"
                findings.add(place.at(i), "APPEND_005", message)
            elif not is_system(key.column) and key.column not in before.fields and before.complete:
                message = f"key '{key.column}' is not a column of the working dataset"
                hint = suggestion(key.column, known, "columns")
                findings.add(place.at(i, "column"), "APPEND_003", message, hint)
            keys[key.column] = False
            continue
        reference = key
        alias, column = column_of(reference, source.scope.main_name)
        field = source.scope.main.find(column)
        if alias is not None or field is None:
            hint = suggestion(column, tuple(f.name for f in source.fields), "columns")
            findings.add(place.at(i), "APPEND_006", f"unknown column '{reference}'", hint)
        elif column in keys:
            findings.add(place.at(i), "APPEND_005", f"'{reference}' stands twice in group_by")
        elif not is_system(column) and column not in before.fields and before.complete:
            message = f"key '{column}' is not a column of the working dataset"
            hint = (
                f"a key fills the column of its own name: in dataset '{source.label}', name the"
                f" column as the working dataset does, with source: {column}; or {ADD_FIRST}"
            )
            findings.add(place.at(i), "APPEND_003", message, hint)
        elif column in before.fields:
            tree = bound.Column(None, column, field.type, field.nullable)
            fits(tree, before.fields[column], place.at(i), before, context)
        keys[column] = True
    return keys


def _aggregated(
    aggregation: AppendAggregationDefinition,
    place: Place,
    keys: dict[str, bool],
    scope: Scope,
    before: Columns,
    context: Context,
) -> list[Result]:
    findings = context.findings
    own = [key for key, is_column in keys.items() if is_column]
    inner = replace(scope, keys=frozenset(own))
    if not aggregation.aggregations:
        message = "the aggregation needs at least one result"
        findings.add(place.at("aggregations"), "APPEND_005", message)
    results = {
        key: Result(key, convert(bound.Column(None, key, f.type, f.nullable), target.type))
        for key in own
        if (f := scope.main.find(key)) and (target := before.fields.get(key))
    }
    for i, each in enumerate(aggregation.aggregations):
        here = place.at("aggregations", i)
        tree = findings.expression(here.at("expression"), each.expression, inner, _IN_AGGREGATION)
        target = before.fields.get(each.column)
        if is_system(each.column):
            message = f"'{each.column}' belongs to the system and cannot hold a result"
            findings.add(here.at("column"), "APPEND_005", message)
        elif each.column in keys:
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
        elif fits(tree, target, here.at("column"), before, context):
            results[each.column] = Result(each.column, convert(tree, target.type))
    return list(results.values())


def _after(before: Columns, results: Sequence[Result]) -> Columns:
    """Columns that the appended rows leave out, or may hold NULL in, become nullable; new ones are
    NULL on the other rows."""
    given = {r.column: r.expression.nullable for r in results}
    loosened = [
        Field(f.name, f.type, nullable=True)
        for f in before.business
        if not f.nullable and given.get(f.name, True)
    ]
    new = [Field(r.column, r.expression.type, nullable=True) for r in results if r.is_new]
    return before.with_fields((*loosened, *new))
