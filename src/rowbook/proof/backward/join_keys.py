"""A plan whose rows remember which rows joins found for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rowbook.expressions.bound import Column, columns
from rowbook.expressions.scope import Field
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AnyStep, Result, UpdateStep
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class JoinKey:
    """A column of a joined row, and the column that rows remember it in."""

    seq: int
    alias: str
    name: str
    field: Field


def with_join_keys(plan: ProjectPlan) -> tuple[ProjectPlan, tuple[JoinKey, ...]]:
    """Updates that read a join keep the natural key of the row that it found, and what they read of
    it, in columns that nobody else has."""
    keys: list[JoinKey] = []
    steps: list[AnyStep] = []
    for step in plan.steps:
        added = [*_keys(step)] if isinstance(step, UpdateStep) else []
        keys += added
        wide = step.columns.with_fields(each.field for each in keys)
        if isinstance(step, UpdateStep) and added:
            results = (
                Result(each.field.name, Column(each.alias, each.name, each.field.type, True), True)
                for each in added
            )
            step = replace(step, assignments=(*step.assignments, *results))
        steps.append(replace(step, columns=wide))
    return replace(plan, steps=tuple(steps)), tuple(keys)


def _keys(step: UpdateStep) -> Iterator[JoinKey]:
    read = {each for a in step.assignments for each in columns(a.expression)}
    for join in step.joins:
        fields = join.dataset.readable.fields
        used = sorted(name for alias, name in read if alias == join.alias)
        if used:
            natural = join.dataset.definition.natural_key_columns
            for name in dict.fromkeys((*natural, *used)):
                own = Field(f"__joined {step.seq} {join.alias} {name}", fields[name].type)
                yield JoinKey(step.seq, join.alias, name, own)
