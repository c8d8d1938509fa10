"""The points of a run at which expectations look at rows, as the run passes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, assert_never

from rowbook.errors import RowbookError
from rowbook.expectations.judgement import is_tolerated
from rowbook.expectations.observation import DOES_NOT_FIT, Observation, match_observation
from rowbook.expressions.evaluate import EvaluationError
from rowbook.expressions.values import Value
from rowbook.planning.datasets import Dataset
from rowbook.planning.expectations.expectation_plan import (
    Against,
    CheckPoint,
    Expectation,
    GroupCondition,
    MatchCondition,
    RowCondition,
    UniqueKeys,
)
from rowbook.planning.project_plan import ProjectPlan
from rowbook.reference.expectations.group_observation import (
    observe_all,
    observe_groups,
    observe_unique,
)
from rowbook.reference.expectations.quarantine_rows import places_to_take, quarantine_row
from rowbook.reference.expectations.row_observation import (
    PlacedObservation,
    PlacedRow,
    is_visible,
    look_at,
    observe_rows,
)
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.subset_rows import whole_groups
from rowbook.reference.working_rows import JoinedRow, Row
from rowbook.value_class import dataclass

TakenRows: TypeAlias = Mapping[int, Expectation | None]
"""Rows that left, by their places, each with the expectation that took it; None for one that is not
followed any further (see `row_subset`)."""

PointKey: TypeAlias = tuple[str, int | None, tuple[str, int] | None]


@dataclass(frozen=True, slots=True)
class Remainder:
    """The places of rows that stay at a point; those of rows that left; and how many visible ones
    expectations took."""

    kept: Sequence[int]
    taken: TakenRows
    quarantined: int


class RunCheckpoints:
    """An expectation is looked at as soon as the rows of its point are there, and those that it
    compares with."""

    def __init__(self, plan: ProjectPlan, environment: RunEnvironment) -> None:
        self._plan, self._environment = plan, environment
        self._rows: dict[PointKey, Sequence[Row]] = {}
        self._seen: dict[tuple[str | None, str], Observation] = {}
        self._points = {key for each in plan.expectations for key in _points_of(each)}
        self.quarantine: list[dict[str, Value]] = []
        """Rows that were taken out, as the quarantine table has them."""

    @property
    def observations(self) -> tuple[tuple[Expectation, Observation], ...]:
        """In the order of the plan; of points that were not reached, none."""
        found = ((each, self._seen.get(each.key)) for each in self._plan.expectations)
        return tuple((each, seen) for each, seen in found if seen is not None)

    def has(self, point: CheckPoint) -> bool:
        """Whether anything looks at it."""
        return _key(point) in self._points

    def seqs(self, first: int, behind: int | None) -> list[int]:
        """The operations from one up to, and without, another, that something looks at."""
        found = {seq for kind, seq, _ in self._points if kind == "after" and seq is not None}
        return sorted(s for s in found if first <= s and (behind is None or s < behind))

    def matched(self, seq: int, count: int) -> None:
        """What operations that must match did."""
        for each in self._plan.expectations:
            if isinstance(each.condition, MatchCondition) and each.condition.seq == seq:
                self._seen[each.key] = match_observation(count)

    def reach(self, point: CheckPoint, rows: Sequence[Row]) -> Remainder:
        """Look at the rows of a point; each expectation sees what those before it left."""
        here, kept, quarantined = _key(point), list(range(len(rows))), 0
        left: dict[int, Expectation | None] = {}
        if here not in self._points:
            return Remainder(kept, left, 0)
        self._rows[here] = rows
        for each in self._plan.expectations:
            if each.key in self._seen or not self._is_due(each, here):
                continue
            whole = self._environment.subset.quarantines.get(each.key)
            if whole is not None and here == _key(each.point):
                shown = whole_groups(self._rows[here], whole, self._environment)
                left |= dict.fromkeys({*kept} - {kept[place] for place in shown})
                kept = [kept[place] for place in shown]
                self._rows[here] = [rows[at] for at in kept]
            observation, places = self._observe(each, self._rows[_key(each.point)])
            if places and here == _key(each.point):
                left |= {kept[place]: each for place in places}
                taken = [rows[kept[place]] for place in sorted(places)]
                self._take(each, taken)
                observation = replace(observation, quarantined=len(taken))
                quarantined += sum(map(is_visible, taken))
                kept = [at for place, at in enumerate(kept) if place not in places]
                self._rows[here] = [rows[at] for at in kept]
            self._seen[each.key] = observation
        return Remainder(kept, left, quarantined)

    def finish(self) -> None:
        """Look at datasets that no operation had read."""
        for each in self._plan.expectations:
            if each.key not in self._seen and each.point.dataset is not None:
                self._environment.load(each.point.dataset)

    def _is_due(self, expectation: Expectation, here: PointKey) -> bool:
        own, *others = _points_of(expectation)
        there = [key for key in others if key[0] != "dataset"]
        return here in (own, *there) and all(key in self._rows for key in (own, *there))

    def _take(self, expectation: Expectation, rows: Sequence[Row]) -> None:
        step = self._plan.quarantine
        if step is not None:
            context = self._environment.context
            self.quarantine += [quarantine_row(row, expectation, step, context) for row in rows]

    def _observe(
        self, expectation: Expectation, rows: Sequence[Row]
    ) -> tuple[Observation, frozenset[int]]:
        """With the rows that leave. An overflow is what keeps it from being evaluated, not the end
        of the run."""
        try:
            found = self._placed(expectation, rows)
            observation = found.observation
            if expectation.otherwise != "quarantine" or not is_tolerated(expectation, observation):
                return observation, frozenset()
            return observation, places_to_take(expectation, rows, found.violating)
        except EvaluationError:
            pass
        except RowbookError as error:
            if error.diagnostics[0].code != "RUN_001":
                raise
        return Observation(failure=DOES_NOT_FIT), frozenset()

    def _placed(self, expectation: Expectation, rows: Sequence[Row]) -> PlacedObservation:
        environment, condition = self._environment, expectation.condition
        looked_at = look_at(
            rows,
            expectation.joins,
            expectation.selector,
            environment,
            include_deleted=expectation.include_deleted,
        )
        match condition:
            case RowCondition():
                return observe_rows(expectation, condition, looked_at, environment)
            case UniqueKeys():
                return observe_unique(expectation, condition, looked_at, environment)
            case GroupCondition(against=against):
                other = self._other_rows(against) if against else []
                if condition.keys:
                    return observe_groups(expectation, condition, looked_at, other, environment)
                return observe_all(condition, looked_at, other, environment)
            case MatchCondition():
                raise AssertionError("an operation is looked at by its count")
        assert_never(condition)

    def _other_rows(self, against: Against) -> list[PlacedRow]:
        point = against.point
        if point is None:
            return []
        rows: Sequence[Row]
        if point.dataset is not None:
            rows = self._environment.load(point.dataset).rows
        else:
            rows = self._rows[_key(point)]
        found = look_at(rows, against.joins, against.selector, self._environment)
        return [PlacedRow(each.place, _as_other(each.row, against.alias)) for each in found]


def dataset_point(dataset: Dataset) -> CheckPoint:
    return CheckPoint("dataset", dataset=dataset)


def _as_other(row: JoinedRow, alias: str) -> JoinedRow:
    """Expressions call the other side's columns by its alias, or by their names alone."""
    return {**row, alias: row[None]}


def _key(point: CheckPoint) -> PointKey:
    dataset = point.dataset
    return point.kind, point.seq, None if dataset is None else (dataset.id, dataset.version)


def _points_of(expectation: Expectation) -> tuple[PointKey, ...]:
    """Its own, then that it compares with."""
    condition = expectation.condition
    own = _key(expectation.point)
    if isinstance(condition, GroupCondition) and condition.against and condition.against.point:
        return own, _key(condition.against.point)
    return (own,)
