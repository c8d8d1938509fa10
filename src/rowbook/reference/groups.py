"""Rows in groups, one summary row each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value, in_order
from rowbook.planning.columns import PERIOD, ROW_ID, is_system
from rowbook.planning.datasets import Dataset
from rowbook.planning.steps import AggregateStep, AppendStep
from rowbook.reference.id_hashes import new_row_ids
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import Cell, JoinedRow, Row, seen


def summaries(
    rows: Sequence[JoinedRow],
    keys: Sequence[str],
    fields: Mapping[str, Field],
    step: AggregateStep | AppendStep,
    origin: Dataset,
    environment: RunEnvironment,
) -> list[Row]:
    """One row for each combination of key values, NULL being one: keys, results, system columns,
    and NULL elsewhere. Keys of the system group only, `_period` aside. `fields` are those of the
    rows that are grouped."""
    groups = group_rows(rows, keys)
    types = [fields[key].type for key in keys]
    now = environment.context.now
    ids = new_row_ids(groups, types, f"operation {step.seq}", now, unique=True)
    system = environment.system_values(origin, step.seq)
    kept = {n for n in step.columns.fields if not is_system(n) or n == PERIOD.name}
    made: list[dict[str, Cell]] = []
    for values, row_id in zip(groups, ids, strict=True):
        by_key = zip(keys, values, strict=True)
        given = {key: value for key, value in by_key if key in kept}
        made.append({**dict.fromkeys(step.columns.fields), **system, ROW_ID: row_id, **given})
    for result in step.results:
        cell = environment.aggregate(step, result)
        for row, members in zip(made, groups.values(), strict=True):
            row[result.column] = cell(members)
    return list(made)


def group_rows(
    rows: Sequence[JoinedRow], keys: Sequence[str]
) -> dict[tuple[Value, ...], list[JoinedRow]]:
    """By the values of their keys, which compare as in expressions; of -0.0 and 0.0 it is 0.0."""
    groups: dict[tuple[Any, ...], tuple[tuple[Value, ...], list[JoinedRow]]] = {}
    for row in rows:
        own = row[None]
        values = tuple(_normal(seen(own[key])) for key in keys)
        groups.setdefault(tuple(map(in_order, values)), (values, []))[1].append(row)
    return dict(groups.values())


def _normal(value: Value) -> Value:
    return value + 0.0 if isinstance(value, float) else value
