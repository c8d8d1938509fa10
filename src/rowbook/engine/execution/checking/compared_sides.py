"""Both sides of expectations that compare, as they become known: measures, or groups of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, TypeAlias

from pyspark.sql import DataFrame

from rowbook.engine.execution.checking.key_groups import (
    KeyGroups,
    group_violations,
    observe_groups,
)
from rowbook.engine.execution.checking.row_totals import TotalRequest, row_totals
from rowbook.engine.execution.checking.row_views import RowPlace, RowView, unless_overflow
from rowbook.engine.execution.environment import Environment
from rowbook.engine.strategy.checks.check_places import keys_of
from rowbook.engine.strategy.stages import Storage
from rowbook.expectations.observation import DOES_NOT_FIT, Observation
from rowbook.expressions.values import Value
from rowbook.planning.expectations.expectation_plan import (
    Against,
    Expectation,
    ExpectationKey,
    GroupCondition,
)

Figures: TypeAlias = Mapping[str, Value]
Seen: TypeAlias = Iterator[tuple[ExpectationKey, Observation]]
_Side: TypeAlias = Literal["own", "other"]

FAILED = Observation(failure=DOES_NOT_FIT)


def against_of(expectation: Expectation) -> Against | None:
    condition = expectation.condition
    return condition.against if isinstance(condition, GroupCondition) else None


@dataclass(slots=True)
class ComparedSides:
    """A side whose figures are None could not be computed."""

    environment: Environment
    _figures: dict[tuple[ExpectationKey, _Side], Figures | None] = field(default_factory=dict)
    _groups: dict[tuple[ExpectationKey, _Side], KeyGroups] = field(default_factory=dict)

    def add_figures(self, expectation: Expectation, figures: Figures | None) -> None:
        """Of its own side. What was measured in another period is not seen here."""
        against = against_of(expectation)
        self._figures[expectation.key, "own"] = figures
        if against is None or against.point is None:
            self._figures[expectation.key, "other"] = {}

    def add_groups(self, expectation: Expectation, groups: KeyGroups) -> None:
        self._groups[expectation.key, "own"] = groups

    def measure_other(self, expectation: Expectation, frame: DataFrame, place: RowPlace) -> None:
        """The other side, on rows of a frame."""
        against, keys, environment = against_of(expectation), keys_of(expectation), self.environment
        assert against is not None
        view = RowView.of_other_side(against, place)
        if keys:
            groups = KeyGroups.of(view, keys, against.measures, frame, environment)
            self._groups[expectation.key, "other"] = groups
        else:
            requests = [TotalRequest(view, against.measures)] if against.measures else []
            found = row_totals(requests, frame, environment)
            self._figures[expectation.key, "other"] = found[0] if found else {}

    def has_other_groups(self, expectation: Expectation) -> bool:
        return (expectation.key, "other") in self._groups

    def take_other_groups(self, expectation: Expectation) -> KeyGroups | None:
        return self._groups.pop((expectation.key, "other"), None)

    def compare(self, expectations: Iterable[Expectation]) -> Seen:
        """Those of which both sides are known."""
        for each in expectations:
            own, other = (each.key, "own"), (each.key, "other")
            if own in self._figures and other in self._figures:
                here, there = self._figures.pop(own), self._figures.pop(other)
                failed = here is None or there is None
                yield each.key, FAILED if failed else _measured(here or {}, there or {})
            elif own in self._groups and other in self._groups:
                groups, others = self._groups.pop(own), self._groups.pop(other)
                found = group_violations(each, groups, self.environment, others)
                yield each.key, observe_groups([found])[0]

    def keep(self, storage: Storage) -> Seen:
        """Groups that wait for the other side are computed here and now; those that cannot be are
        seen to fail."""
        for (key, side), groups in list(self._groups.items()):
            kept = groups if groups.is_kept else unless_overflow(partial(groups.kept, storage))
            if kept is None:
                del self._groups[key, side]
                yield key, FAILED
            else:
                self._groups[key, side] = kept


def _measured(here: Figures, there: Figures) -> Observation:
    return Observation(measures=here, other_measures=there)
