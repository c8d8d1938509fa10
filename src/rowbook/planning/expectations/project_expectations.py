"""All expectations of a plan: the project's own, those of the datasets that it loads, and that
operations match rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rowbook.definitions.models.expectation import AgainstDefinition, MustMatchDefinition
from rowbook.definitions.place import Place
from rowbook.planning.datasets import Dataset
from rowbook.planning.expectations.claim import ClaimInPlace, plan_claim
from rowbook.planning.expectations.dataset_expectations import dataset_expectations
from rowbook.planning.expectations.decomposition import OtherSide
from rowbook.planning.expectations.expectation_names import check_names
from rowbook.planning.expectations.expectation_plan import (
    CheckPoint,
    Expectation,
    GroupCondition,
    MatchCondition,
)
from rowbook.planning.expectations.other_side import dataset_named, other_rows, rows_of
from rowbook.planning.expectations.run_points import RunPoints
from rowbook.planning.expectations.viewpoint import Viewpoint
from rowbook.planning.findings import Findings
from rowbook.planning.resolution.resolvers import check_resolver
from rowbook.planning.steps import AnyStep, AppendStep

MATCHES = "matches at least one row"
_LOADED_AGAIN = "(loaded again)"


def plan_expectations(points: RunPoints) -> tuple[Expectation, ...]:
    """In the order in which their points are reached; a dataset's where it is first loaded."""
    own = sorted((*_matches(points), *_own(points)), key=lambda each: points.order(each.point))
    planned = tuple(_Loads(points).all(own))
    _check_resolvers(planned, points)
    return planned


def _check_resolvers(expectations: Sequence[Expectation], points: RunPoints) -> None:
    """That what is loaded for expectations alone has a resolver."""
    place, names = points.entry.place, [e.name for e in points.context.project.expectations]
    known = {dataset.id for step in points.steps for dataset in _datasets_of(step)}
    known |= {points.context.input.id} if points.context.input else set()
    for expectation in expectations:
        for dataset in expectation.reads:
            if dataset.id in known:
                continue
            known.add(dataset.id)
            here, called = place.at("input_dataset_id"), f"for '{expectation.name}'"
            if expectation.owner is None:
                here = place.at("expectations", names.index(expectation.name))
            check_resolver(dataset, here, points.context, "RESOLVER_005", called)


def _own(points: RunPoints) -> Iterator[Expectation]:
    project, place = points.context.project, points.entry.place.at("expectations")
    names = check_names(project.expectations, place, points.context.findings)
    _check_matches(points, names)
    for i, definition in enumerate(project.expectations):
        at = place.at(i)
        here = points.viewpoint(definition.at, at.at("at"))
        if here is None:
            continue
        find = _Comparisons(points, here).find
        claim = ClaimInPlace(definition, at, here, None, find, points.context.findings)
        planned = plan_claim(claim)
        if planned is not None:
            _check_order(planned, at, points)
            yield planned


def _check_order(expectation: Expectation, place: Place, points: RunPoints) -> None:
    """EXPECT_005: which rows leave a point cannot depend on those that are there afterwards."""
    condition = expectation.condition
    against = condition.against if isinstance(condition, GroupCondition) else None
    if expectation.otherwise != "quarantine" or against is None or against.point is None:
        return
    is_later = points.order(against.point) >= points.order(expectation.point)
    if against.point.kind != "dataset" and is_later:
        message = "rows are quarantined by what was there before, and this comes later"
        hint = "compare with an earlier point, or say otherwise: stop"
        points.context.findings.add(place.at("against", "at"), "EXPECT_005", message, hint)


class _Comparisons:
    def __init__(self, points: RunPoints, here: Viewpoint) -> None:
        self._points, self._here = points, here

    def find(
        self, definition: AgainstDefinition, place: Place, keys: tuple[str, ...]
    ) -> OtherSide | None:
        points, findings = self._points, self._points.context.findings
        return other_rows(
            definition, place, keys, self._here, findings, points.viewpoint, self._of_dataset
        )

    def _of_dataset(self, definition: AgainstDefinition, place: Place) -> Viewpoint | None:
        context = self._points.context
        dataset = dataset_named(definition, place, context.known, context.findings)
        if dataset is None:
            return None
        rows = rows_of(dataset, context.known)
        scope = replace(rows.scope, selectors=context.selectors, parameters=context.parameters)
        return replace(rows, scope=scope)


def _matches(points: RunPoints) -> Iterator[Expectation]:
    for operation in points.context.project.operations:
        demand = operation.must_match
        if demand is True:
            demand = MustMatchDefinition()
        if isinstance(demand, MustMatchDefinition):
            point = CheckPoint("after", operation.seq)
            condition = MatchCondition(operation.seq)
            yield Expectation(
                operation.name, None, point, None, (), condition, demand.otherwise, MATCHES
            )


def _check_matches(points: RunPoints, names: dict[str, Place]) -> None:
    """EXPECT_006: an operation that must match has its name among those of expectations."""
    taken = dict(names)
    for i, operation in enumerate(points.entry.model.operations):
        if not operation.must_match:
            continue
        at = points.entry.operation(i)
        other = taken.setdefault(operation.name, at.at("name"))
        if other.path != at.at("name").path:
            message = f"the name '{operation.name}' is taken already at {other.position}"
            hint = "with must_match an operation is an expectation: give it a name of its own"
            points.context.findings.add(at.at("must_match"), "EXPECT_006", message, hint)


class _Loads:
    """Puts the expectations of datasets before what is first computed of them."""

    def __init__(self, points: RunPoints) -> None:
        self._points = points
        self._loaded: set[tuple[str, int]] = set()
        self._owners: set[str] = set()

    def all(self, own: Sequence[Expectation]) -> Iterator[Expectation]:
        points, waiting = self._points, list(own)
        dataset = points.context.input
        if dataset is not None:
            self._owners.add(dataset.name)
            for each in self._of(dataset, CheckPoint("input"), dataset.name):
                yield from self._with_loads(each)
        for i, step in enumerate((None, *points.steps)):
            for loaded in () if step is None else _datasets_of(step):
                yield from self._load(loaded)
            while waiting and points.order(waiting[0].point)[0] < i:
                yield from self._with_loads(waiting.pop(0))
        for each in waiting:
            yield from self._with_loads(each)

    def _with_loads(self, expectation: Expectation) -> Iterator[Expectation]:
        for dataset in expectation.reads:
            yield from self._load(dataset)
        yield expectation

    def _load(self, dataset: Dataset) -> Iterator[Expectation]:
        """Each version of a dataset once. Of the input, which is looked at as the working dataset,
        rows that are quarantined there do not come back where it is loaded a second time."""
        key = (dataset.id, dataset.version)
        if key in self._loaded:
            return
        self._loaded.add(key)
        working = self._points.context.input
        is_input = working is not None and key == (working.id, working.version)
        owner = f"{dataset.name} version {dataset.version}"
        if is_input:
            owner = f"{dataset.name} {_LOADED_AGAIN}"
        elif dataset.name not in self._owners:
            owner = dataset.name
        self._owners.add(dataset.name)
        for each in self._of(dataset, CheckPoint("dataset", dataset=dataset), owner):
            if not is_input or each.otherwise == "quarantine":
                yield from self._with_loads(each)

    def _of(self, dataset: Dataset, point: CheckPoint, owner: str) -> list[Expectation]:
        place, known = self._points.entry.place, self._points.context.known
        planned = dataset_expectations(dataset, place, known, Findings(), point)
        return [replace(each, owner=owner) for each in planned]


def _datasets_of(step: AnyStep) -> Iterator[Dataset]:
    if isinstance(step, AppendStep) and step.source is not None:
        yield step.source
    yield from (join.dataset for join in step.joins)
