"""Which rows an expectation looks at, and what is seen where it is about each of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rowbook.expectations.observation import MOST_SAMPLES, Observation, ViolationSample
from rowbook.expressions.bound import Bound
from rowbook.expressions.evaluate import EvaluationError
from rowbook.expressions.values import Value, in_order
from rowbook.planning.columns import ROW_ID
from rowbook.planning.datasets import Join
from rowbook.planning.expectations.expectation_plan import Expectation, RowCondition
from rowbook.reference.matches import joined
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import JoinedRow, Row, seen
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A row with what joins found for it, and its place among those of the point."""

    place: int
    row: JoinedRow


@dataclass(frozen=True, slots=True)
class PlacedObservation:
    """What is seen, and the places of rows that violate, or are of a key or group that does."""

    observation: Observation
    violating: frozenset[int] = frozenset()


def look_at(
    rows: Sequence[Row],
    joins: Sequence[Join],
    selector: Bound | None,
    environment: RunEnvironment,
    *,
    include_deleted: bool = False,
) -> list[PlacedRow]:
    """The rows that a selector picks of those that are visible, or of all."""
    places = [i for i, row in enumerate(rows) if include_deleted or is_visible(row)]
    found = joined([rows[i] for i in places], joins, None, environment)
    picks = environment.evaluators.condition(selector)
    both = zip(places, found, strict=True)
    return [PlacedRow(place, row) for place, row in both if picks(row)]


def is_visible(row: Row) -> bool:
    return not row.get("_deleted")


def observe_rows(
    expectation: Expectation,
    condition: RowCondition,
    rows: Sequence[PlacedRow],
    environment: RunEnvironment,
) -> PlacedObservation:
    holds = environment.evaluators.condition(condition.that)
    violating = [each for each in rows if not holds(each.row)]
    size = fault_size(expectation, environment)
    samples = worst((size(each.row), _sample(each.row, expectation)) for each in violating)
    observation = Observation("rows", len(rows), len(violating), samples=samples)
    return PlacedObservation(observation, frozenset(each.place for each in violating))


def fault_size(
    expectation: Expectation, environment: RunEnvironment
) -> Callable[[JoinedRow], Value]:
    """How wrong something is; NULL where that cannot be said."""
    if expectation.fault_size is None:
        return lambda _: None
    value = environment.evaluators.scalar(expectation.fault_size)

    def size(row: JoinedRow) -> Value:
        try:
            return value(row)
        except EvaluationError:
            return None

    return size


def worst(found: Iterable[tuple[Value, ViolationSample]]) -> tuple[ViolationSample, ...]:
    """Samples, the largest fault first and those without one last; then by the row's id, and by the
    values in their order, NULLs last."""

    def order(each: tuple[Value, ViolationSample]) -> tuple[Any, ...]:
        size, sample = each
        values = (sample.row_id, *sample.values.values())
        return _descending(size), *((value is None, in_order(value)) for value in values)

    return tuple(sample for _, sample in sorted(found, key=order)[:MOST_SAMPLES])


def _descending(size: Any) -> tuple[int, Any]:
    if size is None:
        return 2, 0
    return (0, 0) if math.isnan(size) else (1, -size)


def _sample(row: JoinedRow, expectation: Expectation) -> ViolationSample:
    own = row[None]
    row_id = None if expectation.point.kind == "dataset" else seen(own[ROW_ID])
    values = {name: _shown(row, name) for name in expectation.show}
    return ViolationSample(values, None if row_id is None else str(row_id))


def _shown(row: JoinedRow, name: str) -> Value:
    """A column of the row, or `alias.column` of what a join found."""
    if name in row[None]:
        return seen(row[None][name])
    alias, _, column = name.partition(".")
    return seen(row[alias][column])
