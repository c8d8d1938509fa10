"""Rows that operations add: summary rows, rows of other datasets, entries made from rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rowbook.expressions import types as t
from rowbook.expressions.bound import Column, Constant
from rowbook.expressions.scope import LEVEL
from rowbook.lineage.expression_sources import sources
from rowbook.lineage.influences import (
    NOTHING,
    Influences,
    at_operation,
    merged,
    read_from,
    used_as,
)
from rowbook.lineage.known_values import is_never_true, simplified
from rowbook.lineage.row_classes import BirthClass, Cell, RowClass, combined, new_cells
from rowbook.lineage.row_scopes import DatasetFilters, RowScope, column_of, dataset_scope
from rowbook.lineage.row_steps import Picked, pick, row_scope, value_cell
from rowbook.planning.columns import PERIOD, ROW_ID, SOURCE, VALIDITY_PAIRS, is_system
from rowbook.planning.datasets import Dataset
from rowbook.planning.steps import AggregateStep, AppendStep, Result, TotalLevel
from rowbook.value_class import dataclass

_TEMPORAL = tuple(name for pair in VALIDITY_PAIRS for name in pair if is_system(name))


@dataclass(frozen=True, slots=True)
class _Origin:
    """Rows that new ones are made from, as the expressions of an operation see them; `rows` is what
    decides which of them there are."""

    view: RowScope
    rows: Influences
    row_id: Influences
    own: Mapping[str, Cell]


def summaries(
    classes: Sequence[RowClass], step: AggregateStep, origin: Dataset, filters: DatasetFilters
) -> list[RowClass]:
    """A class for each level; none where it can pick no row."""
    members = [_member(each, step.seq) for each in _picked(classes, step, filters)]
    made: list[RowClass] = []
    for level in step.groupings if members else ():
        birth = BirthClass("summary", step.seq, level.name)
        cells = new_cells(step.columns, origin, step.seq)
        rows = _grouped(members, level.keys, step.key_values, cells, step.seq)
        for result in step.results:
            cells[result.column] = _cell(members, result, step.seq)
        cells |= _assignments(RowClass(birth, cells), level, step, filters)
        made.append(RowClass(birth, cells, rows))
    return made


def appended(
    classes: Sequence[RowClass], step: AppendStep, input_dataset: Dataset, filters: DatasetFilters
) -> list[RowClass]:
    members = [_matched(each, step, filters) for each in _origins(classes, step, filters)]
    if not members:
        return []
    cells = new_cells(step.columns, step.source or input_dataset, step.seq)
    rows = merged(*(each.rows for each in members))
    if step.keys is not None:
        rows = _grouped(members, step.keys, step.key_values, cells, step.seq)
        if PERIOD.name in cells and PERIOD.name not in step.keys:
            cells[PERIOD.name] = Cell(operations=frozenset({step.seq}))
    else:
        found = merged(*(each.row_id for each in members))
        cells[ROW_ID] = Cell(at_operation(used_as(found, "transformation"), step.seq))
        for name in _handed_on(step, members):
            cells[name] = _passed_on([each.own[name] for each in members], step.seq)
    for result in step.results:
        cells[result.column] = _cell(members, result, step.seq)
    birth = BirthClass("append" if step.source else "entries", step.seq)
    return [RowClass(birth, cells, rows)]


def _picked(
    classes: Iterable[RowClass], step: AggregateStep | AppendStep, filters: DatasetFilters
) -> list[Picked]:
    found = (pick(each, row_scope(each, step.joins, filters), step.selector) for each in classes)
    return [each for each in found if each is not None]


def _member(picked: Picked, seq: int) -> _Origin:
    why = at_operation(used_as(picked.decided_by, "filter"), seq)
    rows = picked.rows
    return _Origin(picked.view, merged(rows.visible, why), rows.cells[ROW_ID].found, rows.cells)


def _origins(
    classes: Sequence[RowClass], step: AppendStep, filters: DatasetFilters
) -> list[_Origin]:
    if step.source is None:
        return [_member(each, step.seq) for each in _picked(classes, step, filters)]
    dataset = step.source
    view = dataset_scope(dataset, step.joins, filters)
    rows = filters(dataset)
    if step.selector is not None:
        condition = simplified(step.selector, view.constant)
        if is_never_true(condition):
            return []
        why = used_as(sources(condition, view.read), "filter")
        rows = merged(rows, at_operation(why, step.seq))
    own = {name: Cell(column_of(dataset, name)) for name in dataset.readable.fields}
    return [_Origin(view, rows, read_from(dataset.source_name, ROW_ID), own)]


def _matched(origin: _Origin, step: AppendStep, filters: DatasetFilters) -> _Origin:
    """The rows that an append's joins make of it, with the part of an amount that is spread."""
    rows, row_id, view = origin.rows, origin.row_id, origin.view
    for join in step.matches:
        if join.many or join.unmatched == "drop":
            rows = merged(rows, at_operation(view.match(join.alias), step.seq))
        if join.many:
            matched = read_from(join.dataset.source_name, ROW_ID)
            row_id = merged(row_id, matched, view.match(join.alias))
    spread = step.spread
    if spread is None:
        return _Origin(view, rows, row_id, origin.own)
    dataset = view.joins[spread.alias].dataset
    ties = (column_of(dataset, name) for name in (*dataset.readable.fields, ROW_ID))
    part = merged(
        used_as(
            merged(view.own(spread.column), sources(spread.weight, view.read)), "transformation"
        ),
        used_as(merged(*ties), "sort"),
        view.match(spread.alias),
    )

    def own(name: str) -> Influences:
        return part if name == spread.column else view.own(name)

    def constant(column: Column) -> Constant | None:
        is_part = column.source is None and column.name == spread.column
        return None if is_part else view.constant(column)

    after = RowScope(own, constant, view.joins, filters, view.windows)
    return _Origin(after, rows, row_id, origin.own)


def _handed_on(step: AppendStep, members: Sequence[_Origin]) -> list[str]:
    names = (PERIOD.name, *_TEMPORAL, *(SOURCE if step.source is None else ()))
    own = members[0].own
    return [name for name in names if name in step.columns.fields and name in own]


def _passed_on(cells: Sequence[Cell], seq: int) -> Cell:
    cell = combined(cells)
    return Cell(at_operation(cell.found, seq), cell.constant, operations=frozenset({seq}))


def _cell(members: Sequence[_Origin], result: Result, seq: int) -> Cell:
    return combined([value_cell(result.expression, each.view, seq) for each in members])


def _grouped(
    members: Sequence[_Origin],
    keys: Sequence[str],
    computed: Sequence[Result],
    cells: dict[str, Cell],
    seq: int,
) -> Influences:
    """Fills the keys of summary rows, system columns aside; gives what decides which rows there
    are."""
    values = {each.column: each for each in computed}
    grouping: list[Influences] = []
    for key in keys:
        if key in values:
            cell = _cell(members, values[key], seq)
        else:
            cell = _passed_on([_key_cell(each, key) for each in members], seq)
        grouping.append(cell.found)
        if not is_system(key) or key == PERIOD.name:
            cells[key] = cell
    by_key = used_as(merged(*grouping), "group by")
    cells[ROW_ID] = Cell(used_as(merged(*grouping), "transformation"))
    return merged(by_key, *(each.rows for each in members))


def _key_cell(member: _Origin, key: str) -> Cell:
    """A spread may stand before what is grouped."""
    own = member.own.get(key)
    return Cell(member.view.own(key), own.constant if own else None)


def _assignments(
    rows: RowClass, level: TotalLevel, step: AggregateStep, filters: DatasetFilters
) -> dict[str, Cell]:
    def constant(column: Column) -> Constant | None:
        return Constant(level.name, t.STRING) if column.name == LEVEL else rows.constant(column)

    def own(name: str) -> Influences:
        return NOTHING if name == LEVEL else rows.cells[name].found

    view = RowScope.of(own, constant, (), filters)
    return {each.column: value_cell(each.expression, view, step.seq) for each in step.assignments}
