"""The steps of a plan with what stands around them: columns before, expectations behind."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from rowbook.expressions.scope import Field
from rowbook.planning.expectations.expectation_plan import (
    CheckPoint,
    Expectation,
    GroupCondition,
    UniqueKeys,
)
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AnyStep, DeleteStep, UpdateStep
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class Stretch:
    """A step, the columns before it, and the expectations that take rows out behind it, in their
    order."""

    step: AnyStep
    fields: Mapping[str, Field]
    expectations: tuple[Expectation, ...]


def stretches(plan: ProjectPlan) -> tuple[tuple[Expectation, ...], tuple[Stretch, ...]]:
    """The expectations that take rows out of the input, then each step in order."""
    taking = [each for each in plan.expectations if each.otherwise == "quarantine"]
    at_points = sorted(
        (each for each in taking if each.point.kind in ("input", "after")),
        key=lambda each: each.point.seq or 0,
    )
    behind: dict[int | None, list[Expectation]] = {}
    for each in at_points:
        seq = each.point.seq if each.point.kind == "after" else None
        passed = [step.seq for step in plan.steps if seq is not None and step.seq <= seq]
        behind.setdefault(passed[-1] if passed else None, []).append(each)
    found: list[Stretch] = []
    fields = plan.columns.fields
    for step in plan.steps:
        found.append(Stretch(step, fields, tuple(behind.get(step.seq, ()))))
        fields = step.columns.fields
    return tuple(behind.get(None, ())), tuple(found)


def as_it_acted(plan: ProjectPlan, taking: Collection[tuple[str | None, str]]) -> ProjectPlan:
    """The plan with the expectations that took rows out, by their keys, and no others; without
    bounds, of which a part of the rows tells nothing."""
    acted = [each for each in plan.expectations if each.key in taking]
    return replace(plan, expectations=tuple(replace(each, tolerance=None) for each in acted))


def written_after(plan: ProjectPlan, point: CheckPoint) -> frozenset[str]:
    """The columns that steps behind a point give rows that are there."""
    if point.kind == "end":
        return frozenset()
    names: set[str] = set()
    for step in plan.steps:
        if point.seq is not None and step.seq <= point.seq:
            continue
        if isinstance(step, UpdateStep):
            names |= {"_updated_at", *(each.column for each in step.assignments)}
        elif isinstance(step, DeleteStep):
            names |= {"_updated_at", "_deleted"}
    return frozenset(names)


def grouped_by(expectation: Expectation) -> frozenset[str]:
    """Columns by which the rows are together that an expectation looks at together: none, where it
    looks at all."""
    condition = expectation.condition
    groups = [frozenset(expectation.whole)] if expectation.whole else []
    if isinstance(condition, UniqueKeys | GroupCondition):
        groups.append(frozenset(condition.keys))
    if isinstance(condition, GroupCondition) and condition.against is not None:
        other = condition.against.point
        if other is not None and other.dataset is None:
            return frozenset()
    return frozenset.intersection(*groups) if groups else frozenset()
