"""What operations do to rows that are there: updates with their windows, deletes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from rowbook.expressions.bound import Aggregate, Bound, Constant, Position
from rowbook.lineage.expression_sources import group_sources, sources
from rowbook.lineage.influences import NOTHING, Influences, at_operation, merged, used_as
from rowbook.lineage.known_values import is_always_true, is_never_true, simplified
from rowbook.lineage.row_classes import Cell, RowClass, assigned
from rowbook.lineage.row_scopes import DatasetFilters, RowScope
from rowbook.planning.columns import ROW_ID, Columns
from rowbook.planning.datasets import Join
from rowbook.planning.steps import DeleteStep, UpdateStep, Window
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class Picked:
    """Rows of a class that an operation acts on; `condition` is None where it is all of them."""

    rows: RowClass
    view: RowScope
    condition: Influences | None

    @property
    def decided_by(self) -> Influences:
        """Which of the rows there are it acts on."""
        return self.condition or NOTHING


def row_scope(
    rows: RowClass,
    joins: Sequence[Join],
    filters: DatasetFilters,
    windows: Mapping[tuple[str, str], Influences] | None = None,
) -> RowScope:
    return RowScope.of(lambda name: rows.cells[name].found, rows.constant, joins, filters, windows)


def pick(rows: RowClass, view: RowScope, selector: Bound | None) -> Picked | None:
    """None where it can pick no row of the class."""
    if rows.is_deleted:
        return None
    return pick_any(rows, view, selector)


def pick_any(rows: RowClass, view: RowScope, selector: Bound | None) -> Picked | None:
    """As `pick`, of deleted rows too."""
    if selector is None:
        return Picked(rows, view, None)
    condition = simplified(selector, view.constant)
    if is_never_true(condition):
        return None
    if is_always_true(condition):
        return Picked(rows, view, None)
    return Picked(rows, view, sources(condition, view.read))


def value_cell(tree: Bound, view: RowScope, seq: int) -> Cell:
    value = simplified(tree, view.constant)
    constant = value if isinstance(value, Constant) else None
    found = at_operation(sources(value, view.read), seq)
    return Cell(found, constant, operations=frozenset({seq}))


def with_columns(rows: RowClass, columns: Columns) -> RowClass:
    """With those that an operation adds, NULL on rows that are there."""
    new = [field for name, field in columns.fields.items() if name not in rows.cells]
    empty = {field.name: Cell(constant=Constant(None, field.type)) for field in new}
    return replace(rows, cells={**rows.cells, **empty}) if new else rows


def update(
    classes: Sequence[RowClass], step: UpdateStep, filters: DatasetFilters
) -> list[RowClass]:
    windows = WindowedRows(classes, step, filters)
    changed: list[RowClass] = []
    for place, before in enumerate(classes):
        rows = with_columns(before, step.columns)
        view = row_scope(rows, step.joins, filters, windows.values_of(place))
        picked = pick(rows, view, step.selector)
        if picked is None:
            changed.append(rows)
            continue
        condition = picked.condition
        if condition is not None:
            condition = used_as(condition, "conditional")
        cells = dict(rows.cells)
        values = {
            each.column: value_cell(each.expression, view, step.seq) for each in step.assignments
        }
        values["_updated_at"] = Cell(operations=frozenset({step.seq}))
        for column, value in values.items():
            cells[column] = assigned(cells[column], value, condition, rows, step.seq)
        changed.append(replace(rows, cells=cells))
    return changed


def delete(
    classes: Sequence[RowClass], step: DeleteStep, filters: DatasetFilters
) -> list[RowClass]:
    changed: list[RowClass] = []
    for rows in classes:
        picked = pick(rows, row_scope(rows, step.joins, filters), step.selector)
        if picked is None:
            changed.append(rows)
            continue
        why = at_operation(used_as(picked.decided_by, "filter"), step.seq)
        touched = rows.cells["_updated_at"]
        touched = replace(touched, if_deleted=merged(touched.if_deleted, why))
        changed.append(
            replace(
                rows,
                cells={**rows.cells, "_updated_at": touched},
                deletes=merged(rows.deletes, why),
                may_be_deleted=True,
                is_deleted=picked.condition is None,
            )
        )
    return changed


class WindowedRows:
    """Values of an update's windows: what rows of each class see of rows of all."""

    def __init__(
        self, classes: Sequence[RowClass], step: UpdateStep, filters: DatasetFilters
    ) -> None:
        self._rows = [with_columns(each, step.columns) for each in classes]
        self._views = [row_scope(each, step.joins, filters) for each in self._rows]
        self._members = [(window, self._counted(window)) for window in step.windows]

    def values_of(self, place: int) -> dict[tuple[str, str], Influences]:
        """Of one class, by alias and name."""
        view = self._views[place]
        found: dict[tuple[str, str], Influences] = {}
        for window, members in self._members:
            deciding = merged(
                self._standing(window, view),
                *(merged(each.rows.visible, self._standing(window, each.view)) for each in members),
                *(used_as(each.decided_by, "filter") for each in members),
                *self._own_place(window, place),
            )
            of_group = partial(_of_members, members=members)
            for value in window.values:
                direct = sources(value.expression, view.read, of_group)
                found[window.alias, value.column] = merged(direct, deciding)
        return found

    def _counted(self, window: Window) -> list[Picked]:
        """The rows that count."""
        picked = (
            pick(rows, view, window.selector)
            for rows, view in zip(self._rows, self._views, strict=True)
        )
        return [each for each in picked if each is not None]

    def _own_place(self, window: Window, place: int) -> list[Influences]:
        """A row that does not count has no place in the order."""
        if window.selector is None or not window.order:
            return []
        own = pick(self._rows[place], self._views[place], window.selector)
        return [] if own is None else [used_as(own.decided_by, "filter")]

    def _standing(self, window: Window, view: RowScope) -> Influences:
        """Which group a row is of, and where in its order."""
        names = [*window.keys, *(key.column for key in window.order)]
        names += [ROW_ID] if window.order else []
        return used_as(merged(*map(view.own, names)), "window")


def _of_members(node: Aggregate | Position, members: Sequence[Picked]) -> Influences:
    of_each = (partial(sources, read=each.view.read) for each in members)
    return merged(*(group_sources(node, find) for find in of_each))
