"""What is seen of expectations about keys, groups of rows, or all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rowbook.expectations.observation import Observation, ViolationSample
from rowbook.expressions.values import Value, in_order
from rowbook.planning.expectations.expectation_plan import Expectation, GroupCondition, UniqueKeys
from rowbook.planning.steps import Result
from rowbook.reference.expectations.row_observation import (
    PlacedObservation,
    PlacedRow,
    fault_size,
    worst,
)
from rowbook.reference.groups import group_rows
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import JoinedRow, seen
from rowbook.value_class import dataclass

_ROWS = "rows"


@dataclass(frozen=True, slots=True)
class _Group:
    keys: Mapping[str, Value]
    rows: Sequence[PlacedRow]


def observe_unique(
    expectation: Expectation,
    condition: UniqueKeys,
    rows: Sequence[PlacedRow],
    environment: RunEnvironment,
) -> PlacedObservation:
    repeated = [g for g in _groups(rows, condition.keys).values() if len(g.rows) > 1]
    size = fault_size(expectation, environment)
    samples = []
    for group in repeated:
        values = {**group.keys, _ROWS: len(group.rows)}
        samples.append((size({None: values}), ViolationSample(values)))
    violating = frozenset(each.place for group in repeated for each in group.rows)
    return PlacedObservation(
        Observation("rows", len(rows), len(violating), samples=worst(samples)), violating
    )


def observe_groups(
    expectation: Expectation,
    condition: GroupCondition,
    rows: Sequence[PlacedRow],
    other: Sequence[PlacedRow],
    environment: RunEnvironment,
) -> PlacedObservation:
    """Every group of either side; one that a side lacks violates, and its measures there are
    NULL."""
    against = condition.against
    own, others = _groups(rows, condition.keys), _groups(other, condition.keys)
    measured = _measuring(condition.measures, environment)
    other_measured = _measuring(against.measures if against else (), environment)
    holds = environment.evaluators.condition(condition.that)
    size = fault_size(expectation, environment)
    found: list[tuple[Value, ViolationSample]] = []
    violating: set[int] = set()
    keys = dict.fromkeys((*own, *others)) if against else own
    for key in keys:
        here, there = own.get(key), others.get(key)
        known = (here or there or _Group({}, ())).keys
        values = {**known, **measured(here)}
        row: JoinedRow = {None: values}
        missing = None
        if against is not None:
            of_other = other_measured(there)
            row = {None: values, against.alias: of_other}
            values = {**values, **{f"{against.alias}.{n}": v for n, v in of_other.items()}}
            missing = "here" if here is None else against.alias if there is None else None
        if missing is None and holds(row):
            continue
        found.append((size(row), ViolationSample(values, missing_side=missing)))
        violating.update(each.place for each in (here.rows if here else ()))
    observation = Observation("groups", len(keys), len(found), samples=worst(found))
    return PlacedObservation(observation, frozenset(violating))


def observe_all(
    condition: GroupCondition,
    rows: Sequence[PlacedRow],
    other: Sequence[PlacedRow],
    environment: RunEnvironment,
) -> PlacedObservation:
    """Nothing but what is measured. What was measured in another period is not seen here."""
    against = condition.against
    of_other = against.measures if against and against.point else ()
    return PlacedObservation(
        Observation(
            measures=_measuring(condition.measures, environment)(_Group({}, rows)),
            other_measures=_measuring(of_other, environment)(_Group({}, other)),
        )
    )


def _groups(rows: Sequence[PlacedRow], keys: Sequence[str]) -> dict[tuple[Any, ...], _Group]:
    """By their keys, as these compare; NULL is one."""
    values = [tuple(seen(each.row[None][key]) for key in keys) for each in rows]
    return {
        tuple(map(in_order, found)): _Group(dict(zip(keys, found, strict=True)), members)
        for found, members in group_rows(rows, values).items()
    }


def _measuring(
    measures: Sequence[Result], environment: RunEnvironment
) -> Callable[[_Group | None], dict[str, Value]]:
    computed = {each.column: environment.evaluators.aggregate(each.expression) for each in measures}

    def measure(group: _Group | None) -> dict[str, Value]:
        if group is None:
            return dict.fromkeys(computed)
        rows = [each.row for each in group.rows]
        return {name: value(rows) for name, value in computed.items()}

    return measure
