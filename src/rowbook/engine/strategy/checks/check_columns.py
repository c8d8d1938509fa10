"""Which columns of the working dataset expectations read where they are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rowbook.engine.strategy.step_analysis import conditions, own_columns
from rowbook.expressions import bound
from rowbook.expressions.bound import Bound
from rowbook.planning.columns import PERIOD, ROW_ID, Columns
from rowbook.planning.datasets import Dataset, Join
from rowbook.planning.expectations.expectation_plan import (
    CheckPoint,
    Expectation,
    GroupCondition,
    MatchCondition,
    RowCondition,
    UniqueKeys,
)
from rowbook.planning.join_condition import join_condition
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AnyStep, OutputStep


def columns_checked(
    own: Iterable[Expectation],
    others: Iterable[Expectation],
    columns: Columns,
    steps: Iterable[AnyStep],
    *,
    with_samples: bool,
) -> frozenset[str]:
    """Of expectations that look at rows in one place, and of others that compare with these.
    `columns` are those there are; `steps` have the outputs whose rows may be looked at. With
    samples: what tells rows that violate, too."""
    by_seq = {step.seq: step for step in steps}
    names: set[str] = set()
    for each in own:
        names |= _read(each) | _read_by_output(each.point, by_seq)
        names |= columns_told(each) if with_samples else frozenset()
        if each.otherwise == "quarantine":
            names |= {field.name for field in columns.business} | {ROW_ID, PERIOD.name}
    for each in others:
        names |= _read_of_other_side(each)
        if (other := other_point(each)) is not None:
            names |= _read_by_output(other, by_seq)
    return frozenset(names) & columns.fields.keys()


def own_point(expectation: Expectation) -> CheckPoint:
    """Whether an output matches is told by the rows that it writes; of other operations the ledger
    tells, and nothing is looked at."""
    if isinstance(expectation.condition, MatchCondition):
        return CheckPoint("output", expectation.condition.seq)
    return expectation.point


def other_point(expectation: Expectation) -> CheckPoint | None:
    """The point of the run that it compares with."""
    condition = expectation.condition
    against = condition.against if isinstance(condition, GroupCondition) else None
    return None if against is None else against.point


def _read_by_output(point: CheckPoint, steps: dict[int, AnyStep]) -> frozenset[str]:
    step = steps.get(point.seq or 0) if point.kind == "output" else None
    return frozenset() if step is None else own_columns(conditions(step)) | _ids(step.joins)


def _read(expectation: Expectation) -> frozenset[str]:
    trees: list[Bound] = [*_selector(expectation.selector)]
    trees += [join.condition for join in expectation.joins]
    names = _ids(expectation.joins) | frozenset(expectation.whole)
    match expectation.condition:
        case RowCondition(that):
            trees.append(that)
        case UniqueKeys(keys):
            names |= frozenset(keys)
        case GroupCondition(keys, measures):
            trees += [each.expression for each in measures]
            names |= frozenset(keys)
        case _:
            pass
    return names | own_columns(trees)


def columns_told(expectation: Expectation) -> frozenset[str]:
    """What tells the rows that violate it."""
    if not isinstance(expectation.condition, RowCondition):
        return frozenset()
    sizes = [] if expectation.fault_size is None else [expectation.fault_size]
    return own_columns(sizes) | {ROW_ID, *expectation.show}


def _read_of_other_side(expectation: Expectation) -> frozenset[str]:
    condition = expectation.condition
    if not isinstance(condition, GroupCondition) or condition.against is None:
        return frozenset()
    other = condition.against
    trees = [*_selector(other.selector), *(join.condition for join in other.joins)]
    trees += [each.expression for each in other.measures]
    read = {name for tree in trees for source, name in bound.columns(tree) if source == other.alias}
    return own_columns(trees) | frozenset({*condition.keys, *read}) | _ids(other.joins)


def datasets_read(plan: ProjectPlan) -> list[Dataset]:
    """The datasets that expectations read beside the working one."""
    found: list[Dataset] = []
    for each in plan.expectations:
        found += each.reads if each.point.dataset is None else (each.point.dataset, *each.reads)
    points = (point for each in plan.expectations for point in (own_point(each), other_point(each)))
    if any(point is not None and point.kind == "output" for point in points):
        outputs = (step for step in plan.steps if isinstance(step, OutputStep))
        found += [join.dataset for step in outputs for join in step.joins]
    return found


def _selector(selector: Bound | None) -> list[Bound]:
    return [] if selector is None else [selector]


def _ids(joins: Sequence[Join]) -> frozenset[str]:
    """Which row a join without keys is about is told by its id."""
    return frozenset({ROW_ID} if any(join_condition(each).by_row for each in joins) else ())
