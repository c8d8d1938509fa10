"""What the columns of a new row are, said with the rows that it is made from.

A column that only the making of the row tells (a total, a part of a spread, an id) is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from rowbook.expressions import types as t
from rowbook.expressions.bound import (
    Aggregate,
    Bound,
    Call,
    Column,
    Constant,
    Convert,
    is_literal,
    replaced,
    with_columns,
)
from rowbook.expressions.scope import LEVEL, Field
from rowbook.expressions.types import Kind
from rowbook.planning.columns import PERIOD, ROW_ID, SOURCE, VALIDITY_PAIRS, is_system
from rowbook.planning.datasets import Dataset
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import AggregateStep, AppendStep, TotalLevel
from rowbook.reference.start import KEPT

UNKNOWN = "?"
"""The alias of columns that nobody knows; no join can have it."""

_TEMPORAL = tuple(name for pair in VALIDITY_PAIRS for name in pair if is_system(name))


def unknown(field: Field) -> Column:
    return Column(UNKNOWN, field.name, field.type, True)


def is_known(column: Column) -> bool:
    return column.source != UNKNOWN


def system_constants(origin: Dataset, seq: int | None, context: RunContext) -> dict[str, Bound]:
    """The system columns of a row that an operation adds, its id aside."""
    return {
        "_source_dataset_id": Constant(origin.id, t.STRING),
        "_source_table": Constant(origin.table_name, t.STRING),
        "_operation_seq": Constant(seq, t.INTEGER),
        "_created_by_project_id": Constant(context.project_id, t.STRING),
        "_created_by_run_id": Constant(context.run_id, t.STRING),
        "_created_at": Constant(context.now, t.TIMESTAMP),
        "_updated_at": Constant(context.now, t.TIMESTAMP),
        "_deleted": Constant(False, t.BOOLEAN),
        "_labels": Constant("", t.STRING),
    }


def loaded_values(
    origin: Dataset, names: Collection[str], fields: Mapping[str, Field], context: RunContext
) -> dict[str, Bound]:
    """The columns of the input as it starts, said with those of its rows as they are loaded, which
    are `names`; ids aside. What the source does not hold is given, or NULL."""
    given = _nothing(fields) | system_constants(origin, None, context)
    found = {name: value for name, value in given.items() if name not in names and name != ROW_ID}
    for name in (KEPT - {ROW_ID}).intersection(names):
        both = (_column(fields[name]), given[name])
        found[name] = Call("COALESCE", both, fields[name].type, False)
    return found


def summary_values(
    step: AggregateStep | AppendStep, level: TotalLevel, origin: Dataset, context: RunContext
) -> dict[str, Bound]:
    """Of a summary row, said with the keys of its group."""
    fields = step.columns.fields
    values = _nothing(fields) | system_constants(origin, step.seq, context)
    values[ROW_ID] = unknown(fields[ROW_ID])
    for key in level.keys:
        if key in fields and (not is_system(key) or key == PERIOD.name):
            values[key] = _column(fields[key])
    values |= {each.column: _result(each.expression, fields[each.column]) for each in step.results}
    if isinstance(step, AppendStep):
        if PERIOD.name in fields and PERIOD.name not in (step.keys or ()):
            values[PERIOD.name] = Constant(context.period.identifier, t.STRING)
        return values
    seen = {**values, LEVEL: Constant(level.name, t.STRING)}
    return values | {each.column: replaced(each.expression, seen) for each in step.assignments}


def key_expressions(
    step: AggregateStep | AppendStep, source: Mapping[str, Field]
) -> dict[str, Bound]:
    """The keys of the group that a row is in, said with the row."""
    found: dict[str, Bound] = {k: _column(source[k]) for k in step.keys or () if k in source}
    found |= {each.column: each.expression for each in step.key_values}
    return {key: _normal(value) for key, value in found.items()}


def entry_values(
    step: AppendStep, source: Mapping[str, Field], context: RunContext, origin: Dataset
) -> dict[str, Bound]:
    """Of a row that an append makes as it is, said with the row that it is made from."""
    fields = step.columns.fields
    values = _nothing(fields) | system_constants(origin, step.seq, context)
    values[ROW_ID] = unknown(fields[ROW_ID])
    names = (PERIOD.name, *_TEMPORAL, *(SOURCE if step.source is None else ()))
    for name in names:
        if name in fields and name in source:
            same = source[name].type == fields[name].type
            values[name] = _column(source[name]) if same else unknown(fields[name])
    of_entries = unmade(step)
    values |= {each.column: of_entries(each.expression) for each in step.results}
    assigned = {each.column for each in step.results}
    if PERIOD.name in fields and PERIOD.name not in assigned and PERIOD.name not in source:
        values[PERIOD.name] = Constant(context.period.identifier, t.STRING)
    return values


def unmade(step: AppendStep) -> Callable[[Bound], Bound]:
    """An append's expressions, in which the parts of a spread and the rows of joins with many
    matches are unknown."""
    many = {join.alias for join in step.matches if join.many}
    spread = None if step.spread is None else step.spread.column

    def instead(column: Column) -> Bound:
        is_part = column.source is None and column.name == spread
        if is_part or column.source in many:
            return Column(UNKNOWN, column.name, column.type, True)
        return column

    return lambda tree: with_columns(tree, instead)


def _result(tree: Bound, field: Field) -> Bound:
    """The least and the greatest of a literal are the same for all groups."""
    match tree:
        case Aggregate("MIN_AGG" | "MAX_AGG", argument) if argument is not None:
            if is_literal(argument) and argument.type == field.type:
                return argument
    return unknown(field)


def _nothing(fields: Mapping[str, Field]) -> dict[str, Bound]:
    return {name: Constant(None, each.type) for name, each in fields.items()}


def _column(field: Field) -> Column:
    return Column(None, field.name, field.type, field.nullable)


def _normal(key: Bound) -> Bound:
    """Of -0.0 and 0.0 a group has 0.0."""
    if key.type.kind is not Kind.FLOAT:
        return key
    zero = Convert(Constant(0, t.INTEGER), t.FLOAT)
    return Call("+", (key, zero), t.FLOAT, key.nullable)
