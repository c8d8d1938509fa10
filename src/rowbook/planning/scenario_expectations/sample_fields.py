"""The columns of what is told of an expectation: rows or groups that violate it, and measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.planning.columns import ALWAYS, ROW_ID
from rowbook.planning.expectations.expectation_plan import (
    CheckPoint,
    Expectation,
    GroupCondition,
    MatchCondition,
    RowCondition,
    UniqueKeys,
)
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import Result

_ID = next(each for each in ALWAYS if each.name == ROW_ID)


def sample_fields(plan: ProjectPlan, expectation: Expectation) -> dict[str, Field]:
    """By name: `alias.column` is what a join found, `alias.measure` the other side's."""
    condition, own = expectation.condition, point_fields(plan, expectation.point)
    match condition:
        case RowCondition():
            others = {
                f"{join.alias}.{name}": field
                for join in expectation.joins
                for name, field in join.dataset.joined.fields.items()
            }
            known = {**others, **own}
            shown = {name: known[name] for name in expectation.show}
            return shown if expectation.point.dataset else {ROW_ID: _ID, **shown}
        case UniqueKeys(keys):
            return {**{key: own[key] for key in keys}, "rows": Field("rows", t.INTEGER)}
        case GroupCondition(keys, measures, _, against):
            other = against.measures if against else ()
            alias = against.alias if against else ""
            found = {**{key: own[key] for key in keys}, **_fields(measures)}
            named = {f"{alias}.{name}": field for name, field in _fields(other).items()}
            return {name: Field(name, field.type) for name, field in {**found, **named}.items()}
        case MatchCondition():
            return {}
    assert_never(condition)


def measure_fields(expectation: Expectation) -> dict[str, Field]:
    """What is measured of all rows at once."""
    match expectation.condition:
        case GroupCondition((), measures):
            return _fields(measures)
        case MatchCondition():
            return {"matched": Field("matched", t.INTEGER)}
    return {}


def point_fields(plan: ProjectPlan, point: CheckPoint) -> Mapping[str, Field]:
    """The columns of the rows at a point."""
    if point.dataset is not None:
        return point.dataset.readable.fields
    columns = plan.columns
    for step in plan.steps if point.kind != "input" else ():
        if point.seq is None or step.seq <= point.seq:
            columns = step.columns
    return columns.fields


def _fields(measures: tuple[Result, ...]) -> dict[str, Field]:
    return {each.column: Field(each.column, each.expression.type) for each in measures}
