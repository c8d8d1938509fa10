"""Planning `update`: VR-001 … VR-005, BR-007, BR-008."""

from __future__ import annotations

from dataclasses import replace

from rowbook.definitions.models.entries import JoinDefinition
from rowbook.definitions.models.operations import AssignmentDefinition, UpdateOperation
from rowbook.definitions.place import Place
from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.convert import convert
from rowbook.expressions.scope import PARAMETERS, SPELLINGS, Field, Scope, Table
from rowbook.expressions.types import Kind
from rowbook.planning.columns import ASSIGNABLE, COLUMN_NAME, Columns, is_system
from rowbook.planning.datasets import JOIN_CODES, Join, ambiguous, typed
from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.findings import Codes, Part
from rowbook.planning.operations.context import Context, OperationPlace, used_joins
from rowbook.planning.operations.update_windows import plan_windows, used_windows
from rowbook.planning.resolution.resolvers import check_resolver
from rowbook.planning.steps import Result, UpdateStep

_IN_SELECTOR = {"EXPR_001": "UPDATE_004", "SELECTOR_001": "UPDATE_003"}
_IN_ASSIGNMENT = {"EXPR_001": "UPDATE_005", "SELECTOR_001": "UPDATE_003"}
_IN_JOIN = {"SELECTOR_001": "UPDATE_003"}
_MOST_NAMES = 3


def plan_update(operation: UpdateOperation, here: OperationPlace, context: Context) -> UpdateStep:
    arguments = here.arguments
    scope = context.scope(here.before)
    joins = list(context.lookups.joins)
    for i, definition in enumerate(operation.arguments.joins):
        scope, join = plan_join(definition, arguments.at("joins", i), scope, context, _IN_JOIN)
        if join is not None:
            joins.append(join)
    scope, windows = plan_windows(
        operation.arguments.windows, arguments.at("windows"), here.before, scope, context
    )
    selector = context.findings.condition(
        here.place.at("selector"), operation.selector, scope, _IN_SELECTOR
    )
    if not operation.arguments.assignments:
        context.findings.add(
            arguments.at("assignments"), "UPDATE_001", "an update needs at least one assignment"
        )
    scope = replace(scope, requires=_row_names(here.before, context))
    results: list[Result] = []
    fields: dict[str, Field] = {}
    for i, assignment in enumerate(operation.arguments.assignments):
        place = arguments.at("assignments", i)
        if _may_assign(assignment.column, place.at("column"), here.before, fields, context):
            result, field = _assign(assignment, place, here.before, scope, context)
            results.append(result)
            fields[field.name] = field
        else:
            context.findings.expression(
                place.at("expression"), assignment.expression, scope, _IN_ASSIGNMENT
            )
    trees = (selector, *(r.expression for r in results))
    windows = used_windows(windows, trees)
    runtime = {j.alias for j in operation.arguments.joins}
    return UpdateStep(
        operation.seq,
        operation.name,
        selector,
        _joins_of(joins, runtime, (*trees, *(tree for w in windows for tree in w.trees))),
        here.before.with_fields(fields.values()),
        tuple(results),
        windows,
    )


def _row_names(before: Columns, context: Context) -> tuple[str, ...]:
    """The columns that tell people which row it is."""
    natural = context.input.definition.natural_key_columns if context.input else ()
    known = tuple(name for name in natural if name in before.fields)
    return known or tuple(f.name for f in before.business[:_MOST_NAMES])


def _joins_of(
    joins: list[Join], runtime: set[str], trees: tuple[bound.Bound | None, ...]
) -> tuple[Join, ...]:
    """Runtime joins always (their "at most one match" is a promise to the user), lookups only where
    mentioned."""
    conditions = tuple(j.condition for j in joins if j.alias in runtime)
    lookups = used_joins((j for j in joins if j.alias not in runtime), (*trees, *conditions))
    return (*lookups, *(j for j in joins if j.alias in runtime))


def plan_join(
    definition: JoinDefinition, place: Place, scope: Scope, context: Context, codes: Codes
) -> tuple[Scope, Join | None]:
    findings = context.findings
    found = context.known.dataset(definition.dataset_id, definition.dataset_version)
    table, dataset = Table({}, complete=False), None
    if isinstance(found, Missing):
        if not found.uncertain:
            key = "dataset_version" if found.reason == "version" else "dataset_id"
            findings.add(place.at(key), JOIN_CODES[found.reason], found.message, found.hint)
    else:
        dataset = typed(found)
        table = dataset.joined
        check_resolver(dataset, place.at("dataset_id"), context, "RESOLVER_005")
    taken = definition.alias in scope.tables
    is_reserved = definition.alias == PARAMETERS
    if taken or is_reserved or not COLUMN_NAME.fullmatch(definition.alias):
        message = (
            f"alias '{definition.alias}' is taken already by a table, lookup or join"
            if taken
            else f"alias '{PARAMETERS}' is taken by the project's parameters"
            if is_reserved
            else f"'{definition.alias}' cannot be an alias: use letters, digits and '_'"
        )
        findings.add(place.at("alias"), "JOIN_006", message)
        if is_reserved and not taken:
            return scope.with_other(PARAMETERS, Table({}, complete=False)), None
        return (ambiguous(scope, definition.alias) if taken else scope), None
    scope = scope.with_other(definition.alias, table)
    condition = findings.condition(place.at("on"), definition.on, scope, codes, "JOIN_004")
    if dataset is None or condition is None:
        return scope, None
    return scope, Join(definition.alias, dataset, condition)


def _may_assign(
    column: str, place: Place, before: Columns, assigned: dict[str, Field], context: Context
) -> bool:
    findings = context.findings
    if not COLUMN_NAME.fullmatch(column):
        findings.add(place, "UPDATE_002", f"'{column}' is not a column's name")
    elif is_system(column) and column not in ASSIGNABLE:
        message = f"'{column}' belongs to the system: an update may assign _labels only"
        findings.add(place, "SYSTEM_COLUMN", message)
    elif column in assigned:
        findings.add(place, "UPDATE_006", f"column '{column}' is assigned twice")
    elif clash := before.clash(column) or _clash(column, assigned):
        message = f"column '{column}' differs from '{clash}' only by case"
        findings.add(place, "UPDATE_002", message, f"did you mean '{clash}'?")
    else:
        return True
    return False


def _clash(column: str, assigned: dict[str, Field]) -> str | None:
    return next((name for name in assigned if name.lower() == column.lower()), None)


def _assign(
    assignment: AssignmentDefinition, place: Place, before: Columns, scope: Scope, context: Context
) -> tuple[Result, Field]:
    """The value, and the column after it: NULL stays possible where it was, since deleted rows are
    never touched, and a new column is NULL on them."""
    column = assignment.column
    tree = context.findings.expression(
        place.at("expression"), assignment.expression, scope, _IN_ASSIGNMENT
    )
    existing = before.fields.get(SPELLINGS.get(column, column))
    field = store(
        column, tree, existing, place.at("expression"), assignment.expression, before, context
    )
    nullable = tree.nullable or existing is None or existing.nullable
    if is_system(column):
        nullable = field.nullable
    return (
        Result(column, convert(tree, field.type), existing is None),
        Field(column, field.type, nullable),
    )


def store(
    column: str,
    tree: bound.Bound,
    existing: Field | None,
    place: Place,
    text: str,
    before: Columns,
    context: Context,
) -> Field:
    """The field a value is stored in: an existing one keeps its type, a new one takes the value's.
    Refuses what does not convert (EXPR_004), and warns where digits are cut."""
    whole = (0, len(text))
    if existing is None:
        if tree.type.kind is Kind.NULL:
            message = f"new column '{column}' has no type: its value is a bare NULL"
            how = "say the type: TO_DECIMAL(NULL, 18, 2), TO_STRING(NULL), DATE(NULL)"
            context.findings.add(place, "EXPR_004", message, how, whole)
            return Field(column, t.UNKNOWN)
        unscaled = bound.is_literal(tree) and not _names_scale(tree)
        kind = t.new_column_type(tree.type, literals_only=unscaled)
        return Field(column, kind, tree.nullable)
    if not t.can_store(tree.type, existing.type):
        message = f"column '{column}' is {existing.type}, the expression gives {tree.type}"
        hint = conversion_hint(tree.type, existing.type)
        context.findings.add(place, "EXPR_004", message, hint, whole)
    else:
        warn_of_cut(tree.type, existing, place, before, context, whole)
    return existing


def _names_scale(tree: bound.Bound) -> bool:
    """Whether TO_DECIMAL gives the value, in a choice every value that is not NULL."""
    if isinstance(tree, bound.Choice):
        values = [*(value for _, value in tree.branches), tree.otherwise]
        given = [v for v in values if not (isinstance(v, bound.Constant) and v.value is None)]
        return bool(given) and all(map(_names_scale, given))
    return isinstance(tree, bound.Call) and tree.function == "TO_DECIMAL"


def warn_of_cut(
    value: t.Type, column: Field, place: Place, before: Columns, context: Context, span: Part = None
) -> None:
    """UPDATE_007 where storing a value cuts the scale of a column that the project itself made."""
    cut = value.scale - column.type.scale
    if column.name in before.made and value.kind is column.type.kind is Kind.DECIMAL and cut > 0:
        message = f"storing {value} in '{column.name}', {column.type}, cuts {cut} digits of scale"
        context.findings.warn(place, "UPDATE_007", message, span)


def conversion_hint(value: t.Type, column: t.Type) -> str | None:
    match column.kind:
        case Kind.STRING:
            return "convert it with TO_STRING(…)"
        case Kind.INTEGER if value.is_numeric:
            return "convert it with TO_INTEGER(…), ROUND(…) or FLOOR(…)"
        case Kind.INTEGER:
            return "convert it with TO_INTEGER(…)"
        case Kind.DECIMAL:
            return f"convert it with TO_DECIMAL(…, {column.precision}, {column.scale})"
        case Kind.DATE:
            return "convert it with DATE(…) or TO_DATE(…, 'yyyy-MM-dd')"
        case Kind.TIMESTAMP:
            return "convert it with TIMESTAMP(…)"
    return None
