"""Planning the windows of an update: WINDOW_001 … WINDOW_004."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rowbook.definitions.models.window import WindowDefinition
from rowbook.definitions.place import Place
from rowbook.expressions.binding.foreign_words import column_hint
from rowbook.expressions.bound import Bound, columns
from rowbook.expressions.scope import PARAMETERS, Field, Scope, Table
from rowbook.expressions.types import UNKNOWN, Kind
from rowbook.planning.columns import COLUMN_NAME, Columns
from rowbook.planning.datasets import ambiguous
from rowbook.planning.operations.context import Context, column_of
from rowbook.planning.steps import Result, SortKey, Window

_DESCENDING = "-"


def plan_windows(
    definitions: Sequence[WindowDefinition],
    place: Place,
    before: Columns,
    scope: Scope,
    context: Context,
) -> tuple[Scope, tuple[Window, ...]]:
    """The scope with what the windows offer, and the windows. They see what the update sees, but
    not each other."""
    offered, windows = scope, list[Window]()
    for i, definition in enumerate(definitions):
        here = place.at(i)
        window, fields = _window(definition, here, before, scope, context)
        if _may_be_called(definition.alias, here.at("alias"), offered, context):
            offered = offered.with_other(definition.alias, Table.of(fields, complete=bool(fields)))
            windows.append(window)
        elif definition.alias in offered.tables:
            offered = ambiguous(offered, definition.alias)
        else:
            offered = offered.with_other(definition.alias, Table({}, complete=False))
    return offered, tuple(windows)


def used_windows(windows: Iterable[Window], trees: Iterable[Bound | None]) -> tuple[Window, ...]:
    """Those of the windows, and of their values, that expressions mention."""
    wanted = {column for tree in trees if tree is not None for column in columns(tree)}
    used = (
        replace(each, values=tuple(v for v in each.values if (each.alias, v.column) in wanted))
        for each in windows
    )
    return tuple(each for each in used if each.values)


def _window(
    definition: WindowDefinition, place: Place, before: Columns, scope: Scope, context: Context
) -> tuple[Window, list[Field]]:
    findings = context.findings
    keys = _columns(definition.by, place.at("by"), before, context)
    ascending = [text.removeprefix(_DESCENDING) for text in definition.order_by]
    order = _columns(ascending, place.at("order_by"), before, context)
    sort_keys = tuple(
        SortKey(name, definition.order_by[i] != ascending[i]) for name, i in order.items()
    )
    selector = findings.condition(place.at("selector"), definition.selector, scope)
    if not definition.values:
        findings.add(place.at("values"), "WINDOW_001", "a window needs at least one value")
    inner = replace(
        scope, keys=frozenset(keys), window="order" if definition.order_by else "groups"
    )
    values: dict[str, Result] = {}
    fields: list[Field] = []
    for name, text in definition.values.items():
        here = place.at("values", name)
        tree = findings.expression(here, text, inner)
        if tree.type.kind is Kind.NULL:
            message = f"value '{name}' has no type: it is a bare NULL"
            findings.add(here, "EXPR_004", message, span=(0, len(text)))
        if _may_be_named(name, here, values, context):
            values[name] = Result(name, tree)
        fields.append(Field(name, UNKNOWN if tree.type.is_open else tree.type, tree.nullable))
    window = Window(definition.alias, tuple(keys), selector, sort_keys, tuple(values.values()))
    return window, fields


def _columns(
    references: Sequence[str], place: Place, before: Columns, context: Context
) -> dict[str, int]:
    """The columns of the working dataset, with the place of each."""
    table = context.input.table_name if context.input else None
    found: dict[str, int] = {}
    for i, reference in enumerate(references):
        alias, column = column_of(reference, table)
        unknown = column not in before.fields and before.complete
        if unknown or (alias is not None and context.input is not None):
            hint = column_hint(column, tuple(f.name for f in before.business))
            if alias in dict(context.lookups.tables):
                hint = f"bring {reference} into a column of its own with an update before"
            message = f"unknown column '{reference}'"
            context.findings.add(place.at(i), "WINDOW_003", message, hint)
        elif column in found:
            context.findings.add(place.at(i), "WINDOW_003", f"column '{column}' stands twice")
        else:
            found[column] = i
    return found


def _may_be_called(alias: str, place: Place, scope: Scope, context: Context) -> bool:
    taken = next((name for name in scope.tables if name.lower() == alias.lower()), None)
    if not COLUMN_NAME.fullmatch(alias):
        message = f"'{alias}' cannot be an alias: use letters, digits and '_'"
        context.findings.add(place, "WINDOW_002", message)
    elif alias == PARAMETERS:
        message = f"alias '{PARAMETERS}' is taken by the project's parameters"
        context.findings.add(place, "WINDOW_002", message)
    elif taken is not None:
        message = f"alias '{alias}' is taken already by a table, lookup, join or window"
        context.findings.add(place, "WINDOW_002", message)
    else:
        return True
    return False


def _may_be_named(name: str, place: Place, before: Iterable[str], context: Context) -> bool:
    clash = next((each for each in before if each.lower() == name.lower()), None)
    if not COLUMN_NAME.fullmatch(name):
        message = f"'{name}' cannot be a value's name: use letters, digits and '_'"
        context.findings.add(place, "WINDOW_002", message)
    elif clash is not None:
        message = f"value '{name}' differs from '{clash}' only by case"
        context.findings.add(place, "WINDOW_002", message)
    else:
        return True
    return False
