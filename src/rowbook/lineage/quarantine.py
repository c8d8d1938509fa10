"""Rows that expectations take out: what decides which stay, and what the table of them holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rowbook.expressions.bound import Bound
from rowbook.lineage.expression_sources import sources
from rowbook.lineage.influences import NOTHING, Influences, merged, used_as
from rowbook.lineage.known_values import is_always_true, simplified
from rowbook.lineage.row_classes import BirthClass, Cell, RowClass
from rowbook.lineage.row_scopes import RowScope, column_of, dataset_scope, load_filters
from rowbook.lineage.row_steps import Picked, pick, row_scope
from rowbook.planning.columns import ROW_ID
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


class Quarantine:
    def __init__(self, plan: ProjectPlan) -> None:
        self._taking = [each for each in plan.expectations if each.otherwise == "quarantine"]
        self._filters: dict[tuple[str, int], Influences] = {}
        self._passed: dict[CheckPoint, Sequence[RowClass]] = {}
        self.taken: list[RowClass] = []
        """Rows that are taken out, as they were."""
        for each in self._taking:
            if each.point.dataset is not None:
                self.filters(each.point.dataset)

    def filters(self, dataset: Dataset) -> Influences:
        """What decides which rows of a dataset are appended, joined and looked up."""
        key = dataset.id, dataset.version
        if key not in self._filters:
            self._filters[key] = load_filters(dataset)  # also for who joins it to itself
            self._filters[key] = self._dataset_filters(dataset)
        return self._filters[key]

    def remaining(
        self, classes: Sequence[RowClass], points: Iterable[CheckPoint]
    ) -> Sequence[RowClass]:
        """The rows that are left of a working dataset at points that it passes."""
        for point in points:
            for expectation in self._taking:
                if expectation.point == point:
                    classes = self._without(classes, expectation)
            self._passed[point] = classes
        return classes

    def after(self, first: int, behind: int | None) -> list[CheckPoint]:
        """The points after operations from one up to, and without, another."""
        found = {each for e in self._taking for each in _points(e) if each.kind == "after"}
        reached = [
            e for e in found if first <= (e.seq or 0) and (behind is None or (e.seq or 0) < behind)
        ]
        return sorted(reached, key=lambda each: each.seq or 0)

    def _without(self, classes: Sequence[RowClass], expectation: Expectation) -> list[RowClass]:
        looked_at = [self._looked_at(each, expectation) for each in classes]
        of_all = NOTHING
        if not _is_of_each_row(expectation):
            found = (each for each in looked_at if each is not None)
            of_all = merged(self._other(expectation), *(self._whole(e, expectation) for e in found))
        left: list[RowClass] = []
        for rows, picked in zip(classes, looked_at, strict=True):
            why = of_all if expectation.whole and not rows.is_deleted else NOTHING
            if picked is not None:
                why = merged(why, of_all, self._violated(picked, expectation))
            why = used_as(why, "filter")
            if picked is not None or (expectation.whole and not rows.is_deleted):
                self.taken.append(replace(rows, rows=merged(rows.visible, why)))
            escapes = rows.deletes if why else NOTHING  # what is deleted is not taken out
            left.append(replace(rows, rows=merged(rows.rows, why, escapes)))
        return left

    def _looked_at(self, rows: RowClass, expectation: Expectation) -> Picked | None:
        view = row_scope(rows, expectation.joins, self.filters)
        return pick(rows, view, expectation.selector)

    def _violated(self, picked: Picked, expectation: Expectation) -> Influences:
        """What decides whether a row violates it, by the row alone."""
        trees, columns = _read(expectation)
        values = [simplified(each, picked.view.constant) for each in trees]
        if isinstance(expectation.condition, RowCondition) and is_always_true(values[0]):
            return NOTHING
        return merged(picked.decided_by, _sources(picked.view, values, columns))

    def _whole(self, picked: Picked, expectation: Expectation) -> Influences:
        whole = merged(*map(picked.view.own, expectation.whole))
        return merged(picked.rows.visible, whole, self._violated(picked, expectation))

    def _other(self, expectation: Expectation) -> Influences:
        """The side that groups are compared with."""
        condition = expectation.condition
        if not isinstance(condition, GroupCondition) or condition.against is None:
            return NOTHING
        against, keys = condition.against, condition.keys
        return merged(*(_compared(view, against, keys) for view in self._other_views(against)))

    def _other_views(self, against: Against) -> Iterator[RowScope]:
        point = against.point
        if point is not None and point.dataset is not None:
            yield dataset_scope(point.dataset, against.joins, self.filters)
        elif point is not None:
            for rows in self._passed.get(point, ()):
                yield row_scope(rows, against.joins, self.filters)

    def _dataset_filters(self, dataset: Dataset) -> Influences:
        found = load_filters(dataset)
        for expectation in self._taking:
            of = expectation.point.dataset
            if of is None or (of.id, of.version) != (dataset.id, dataset.version):
                continue
            view = dataset_scope(dataset, expectation.joins, self.filters)
            trees, columns = _read(expectation)
            trees += [] if expectation.selector is None else [expectation.selector]
            why = _sources(view, trees, (*columns, *expectation.whole))
            found = merged(found, used_as(merged(why, self._other(expectation)), "filter"))
            self.taken.append(_read_rows(dataset, found))
        return found


def _is_of_each_row(expectation: Expectation) -> bool:
    is_of_rows = isinstance(expectation.condition, RowCondition)
    return is_of_rows and not expectation.whole and expectation.tolerance is None


def _points(expectation: Expectation) -> Iterator[CheckPoint]:
    yield expectation.point
    condition = expectation.condition
    if isinstance(condition, GroupCondition) and condition.against and condition.against.point:
        yield condition.against.point


def _read(expectation: Expectation) -> tuple[list[Bound], tuple[str, ...]]:
    """The expressions on rows that decide, and the columns."""
    match expectation.condition:
        case RowCondition(that):
            return [that], ()
        case UniqueKeys(keys):
            return [], keys
        case GroupCondition(keys, measures):
            return [each.expression for each in measures], keys
        case MatchCondition():
            return [], ()


def _sources(view: RowScope, trees: Iterable[Bound], columns: Iterable[str]) -> Influences:
    return merged(*(sources(each, view.read) for each in trees), *map(view.own, columns))


def _compared(view: RowScope, against: Against, keys: Sequence[str]) -> Influences:
    trees = [each.expression for each in against.measures]
    trees += [] if against.selector is None else [against.selector]
    return _sources(view, trees, keys)


def _read_rows(dataset: Dataset, rows: Influences) -> RowClass:
    """Which have no ids of the working dataset yet."""
    names = (name for name in dataset.readable.fields if name != ROW_ID)
    cells: Mapping[str, Cell] = {name: Cell(column_of(dataset, name)) for name in names}
    return RowClass(BirthClass("quarantine"), cells, rows)
