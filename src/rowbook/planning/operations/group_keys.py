"""What an aggregate groups by: columns and expressions, once or at several levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from rowbook.definitions.models.operations import AggregateArguments, GroupKey, KeyDefinition
from rowbook.definitions.place import Place
from rowbook.expressions import types as t
from rowbook.expressions.binding.foreign_words import column_hint
from rowbook.expressions.convert import convert
from rowbook.expressions.scope import Field, Scope
from rowbook.planning.columns import PERIOD, Columns, is_system
from rowbook.planning.operations.context import Context, OperationPlace, column_of
from rowbook.planning.operations.summary_row import may_hold
from rowbook.planning.operations.update import store
from rowbook.planning.steps import Result, TotalLevel
from rowbook.value_class import dataclass

COLUMN_CODES = {"EXPR_002": "AGGREGATE_004"}


@dataclass(frozen=True, slots=True)
class GroupKeys:
    """`levels` are empty where there is `group_by` alone; `computed` are keys by expression."""

    names: tuple[str, ...]
    everywhere: frozenset[str]
    """Keys of every level: no summary row lacks them."""
    levels: tuple[TotalLevel, ...] = ()
    computed: Mapping[str, Result] = field(default_factory=dict)

    def fields(self, before: Columns) -> Iterator[Field]:
        """The keys as a summary row has them: of the system's columns the period alone."""
        for name in self.names:
            if is_system(name) and name != PERIOD.name:
                continue
            key = self.computed.get(name)
            found = key.expression if key else before.fields.get(name)
            kind, nullable = (found.type, found.nullable) if found else (t.UNKNOWN, True)
            yield Field(name, kind, nullable or name not in self.everywhere)

    def changed(self, before: Columns) -> Iterator[Field]:
        """The columns of computed keys, as the working dataset has them afterwards."""
        for each in self.fields(before):
            if each.name in self.computed:
                existing = before.fields.get(each.name)
                nullable = each.nullable or existing is None or existing.nullable
                yield Field(each.name, each.type, nullable)


def group_keys(
    arguments: AggregateArguments, here: OperationPlace, scope: Scope, context: Context
) -> GroupKeys:
    groupings = list(_groupings(arguments, here.arguments, context))
    computed: dict[str, tuple[str, Result]] = {}
    for keys, place in groupings:
        _compute(keys, place, here.before, scope, context, computed)
    names = [_names(keys, place, here.before, computed, context) for keys, place in groupings]
    levels: tuple[TotalLevel, ...] = ()
    if arguments.levels:
        named = zip(arguments.levels, names, strict=False)
        levels = tuple(TotalLevel(level.name, keys) for level, keys in named)
        _check_levels(levels, here.arguments.at("levels"), context)
        names = names[: len(levels)]
    return GroupKeys(
        tuple(dict.fromkeys(key for keys in names for key in keys)),
        frozenset.intersection(*map(frozenset, names)),
        levels,
        {column: result for column, (_, result) in computed.items()},
    )


def _groupings(
    arguments: AggregateArguments, place: Place, context: Context
) -> Iterator[tuple[Sequence[GroupKey], Place]]:
    """The lists of keys, those of levels first."""
    for i, level in enumerate(arguments.levels):
        yield level.group_by, place.at("levels", i, "group_by")
    if not arguments.levels and not arguments.group_by:
        has_list = place.at("levels").exists and not place.at("group_by").exists
        key, least = ("levels", "level") if has_list else ("group_by", "column to group by")
        message = f"an aggregate needs at least one {least}"
        context.findings.add(place.at(key), "AGGREGATE_001", message)
    if arguments.levels and arguments.group_by:
        message = "an aggregate groups by `group_by` or by `levels`, not by both"
        context.findings.add(place.at("group_by"), "AGGREGATE_008", message)
    if arguments.group_by or not arguments.levels:
        yield arguments.group_by, place.at("group_by")


def _check_levels(levels: Sequence[TotalLevel], place: Place, context: Context) -> None:
    names: set[str | None] = set()
    keys: dict[frozenset[str], str | None] = {}
    for i, level in enumerate(levels):
        at = place.at(i, "name")
        if level.name is None or not level.name.strip():
            context.findings.add(at, "AGGREGATE_009", "a level needs a name")
        elif level.name in names:
            context.findings.add(at, "AGGREGATE_009", f"level '{level.name}' stands twice")
        names.add(level.name)
        alike = keys.setdefault(frozenset(level.keys), level.name)
        if alike != level.name:
            message = f"level '{level.name}' groups by the same keys as level '{alike}'"
            context.findings.add(place.at(i, "group_by"), "AGGREGATE_010", message)


def _compute(
    keys: Sequence[GroupKey],
    place: Place,
    before: Columns,
    scope: Scope,
    context: Context,
    computed: dict[str, tuple[str, Result]],
) -> None:
    """Adds the keys by expression. A key is made in one way: levels after the first may name it."""
    for i, key in enumerate(keys):
        if not isinstance(key, KeyDefinition):
            continue
        at, column = place.at(i, "expression"), key.column
        if column in computed:
            if computed[column][0] != key.expression:
                message = f"key '{column}' is made in two ways"
                hint = f"name it where it stands again: {column}"
                context.findings.add(at, "AGGREGATE_003", message, hint)
            continue
        tree = context.findings.expression(at, key.expression, scope, COLUMN_CODES)
        existing = before.fields.get(column)
        if may_hold("key", column, place.at(i, "column"), before, {}, context):
            made = store(column, tree, existing, at, key.expression, before, context)
            tree = convert(tree, made.type)
        computed[column] = key.expression, Result(column, tree, existing is None)


def _names(
    keys: Sequence[GroupKey],
    place: Place,
    before: Columns,
    computed: Mapping[str, object],
    context: Context,
) -> tuple[str, ...]:
    findings = context.findings
    table = context.input.table_name if context.input else None
    names: dict[str, None] = {}
    for i, key in enumerate(keys):
        reference = key.column if isinstance(key, KeyDefinition) else key
        alias, column = (None, reference)
        if reference not in computed:
            alias, column = column_of(reference, table)
        unknown = column not in before.fields and column not in computed and before.complete
        if unknown or (alias is not None and context.input is not None):
            hint = column_hint(column, tuple(f.name for f in before.business))
            if alias in dict(context.lookups.tables):
                hint = (
                    f"group by a column of the working dataset: bring {reference} in with an update"
                )
            findings.add(place.at(i), "AGGREGATE_004", f"unknown column '{reference}'", hint)
        elif column in names:
            findings.add(place.at(i), "AGGREGATE_003", f"'{reference}' stands twice in group_by")
        names[column] = None
    return tuple(names)
