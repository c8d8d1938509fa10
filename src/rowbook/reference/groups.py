"""Rows in groups, one summary row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from rowbook.expressions.scope import LEVEL, Field
from rowbook.expressions.values import Value, in_order
from rowbook.planning.columns import PERIOD, ROW_ID, is_system
from rowbook.planning.datasets import Dataset
from rowbook.planning.steps import AggregateStep, AppendStep, TotalLevel
from rowbook.reference.id_hashes import new_row_ids
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import Cell, JoinedRow, Row, seen

R = TypeVar("R")


def summaries(
    rows: Sequence[JoinedRow],
    level: TotalLevel,
    fields: Mapping[str, Field],
    step: AggregateStep | AppendStep,
    origin: Dataset,
    environment: RunEnvironment,
) -> list[Row]:
    """One row for each combination of key values, NULL being one: keys, results, system columns,
    and NULL elsewhere. Keys of the system group only, `_period` aside. `fields` are those of the
    rows that are grouped."""
    keys = key_values(rows, level.keys, step, environment)
    groups = whole_groups(group_rows(rows, keys), level, step, environment)
    computed = {key.column: key.expression.type for key in step.key_values}
    types = [computed.get(key) or fields[key].type for key in level.keys]
    now = environment.context.now
    salt = f"operation {step.seq}{'' if level.name is None else f' level {level.name}'}"
    ids = new_row_ids(groups, types, salt, now, unique=True)
    system = environment.system_values(origin, step.seq)
    kept = {n for n in step.columns.fields if not is_system(n) or n == PERIOD.name}
    made: list[dict[str, Cell]] = []
    for values, row_id in zip(groups, ids, strict=True):
        by_key = zip(level.keys, values, strict=True)
        given = {key: value for key, value in by_key if key in kept}
        made.append({**dict.fromkeys(step.columns.fields), **system, ROW_ID: row_id, **given})
    for result in step.results:
        cell = environment.aggregate(step, result)
        for row, members in zip(made, groups.values(), strict=True):
            row[result.column] = cell(members)
    return list(made)


def whole_groups(
    groups: Mapping[tuple[Value, ...], list[R]],
    level: TotalLevel,
    step: AggregateStep | AppendStep,
    environment: RunEnvironment,
) -> dict[tuple[Value, ...], list[R]]:
    """Those of which all rows are followed."""
    is_whole = environment.subset.is_whole(step.seq, level.name, environment.context.moment)
    return {
        values: members
        for values, members in groups.items()
        if is_whole(dict(zip(level.keys, values, strict=True)))
    }


def assigned(
    rows: Sequence[Row], level: TotalLevel, step: AggregateStep, environment: RunEnvironment
) -> list[Row]:
    """Summary rows of a level with what is assigned to them; assignments see them as they were."""
    cells = {each.column: environment.cell(step, each) for each in step.assignments}
    made: list[Row] = []
    for row in rows:
        visible: JoinedRow = {None: {**row, LEVEL: level.name}}
        made.append({**row, **{column: cell(visible) for column, cell in cells.items()}})
    return made


def key_values(
    rows: Sequence[JoinedRow],
    keys: Sequence[str],
    step: AggregateStep | AppendStep,
    environment: RunEnvironment,
) -> list[tuple[Value, ...]]:
    """Of each row; a key that does not fit fails the run, since rows cannot be grouped."""
    computed = {key.column: environment.cell(step, key) for key in step.key_values}
    return [
        tuple(seen(computed[key](row) if key in computed else row[None][key]) for key in keys)
        for row in rows
    ]


def group_rows(
    rows: Sequence[R], keys: Sequence[tuple[Value, ...]]
) -> dict[tuple[Value, ...], list[R]]:
    """By their keys, which compare as in expressions; of -0.0 and 0.0 it is 0.0."""
    groups: dict[tuple[Any, ...], tuple[tuple[Value, ...], list[R]]] = {}
    for row, found in zip(rows, keys, strict=True):
        values = tuple(map(_normal, found))
        groups.setdefault(tuple(map(in_order, values)), (values, []))[1].append(row)
    return dict(groups.values())


def _normal(value: Value) -> Value:
    return value + 0.0 if isinstance(value, float) else value
