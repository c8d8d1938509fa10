"""The lineage of a plan: its steps followed once, for rows of each birth apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from rowbook.lineage.added_rows import appended, summaries
from rowbook.lineage.column_lineage import (
    ClassLineage,
    OutputLineage,
    ProjectLineage,
    column_lineage,
    influences_of,
    listed,
)
from rowbook.lineage.influences import Influences, at_operation, merged, read_from, used_as
from rowbook.lineage.quarantine import Quarantine
from rowbook.lineage.row_classes import BirthClass, Cell, RowClass, new_cells
from rowbook.lineage.row_scopes import column_of, load_filters
from rowbook.lineage.row_steps import delete, pick, pick_any, row_scope, update, with_columns
from rowbook.planning.columns import ROW_ID, is_system
from rowbook.planning.expectations.expectation_plan import CheckPoint
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.resolution.destinations import destination_label
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    AppendStep,
    DeleteStep,
    OutputStep,
    UpdateStep,
)
from rowbook.planning.used_datasets import used_datasets


def plan_lineage(plan: ProjectPlan) -> ProjectLineage:
    """Names each column that could make a difference to a column of an output in some data, by
    what expressions read; nothing is read."""
    quarantine = Quarantine(plan)
    first = plan.steps[0].seq if plan.steps else None
    points = (CheckPoint("input"), *quarantine.after(1, first))
    classes = quarantine.remaining([_input(plan)], points)
    outputs: list[OutputLineage] = []
    for step, following in zip_longest(plan.steps, plan.steps[1:]):
        if isinstance(step, OutputStep):
            outputs.append(_output(classes, step, quarantine))
        else:
            classes = _after(classes, step, plan, quarantine)
        behind = following.seq if following else None
        classes = quarantine.remaining(classes, quarantine.after(step.seq, behind))
    if plan.quarantine is not None:
        taken = [(each, each.cells, each.rows) for each in quarantine.taken]
        births = [_class_lineage(plan.quarantine, *each) for each in taken]
        outputs.append(_together(plan.quarantine, births))
    reads = dict.fromkeys(each.source_name for each in used_datasets(plan))
    return ProjectLineage(plan.project.name, tuple(reads), tuple(outputs))


def _input(plan: ProjectPlan) -> RowClass:
    dataset = plan.input
    declared = {field.name for field in dataset.fields}
    cells = new_cells(plan.columns, dataset, None)
    for name, cell in cells.items():
        if name == ROW_ID:
            cells[name] = Cell(read_from(dataset.source_name, name))
        elif not is_system(name) or name in declared or name in dataset.readable.fields:
            cells[name] = Cell(column_of(dataset, name))
        elif name == "_labels":
            cells[name] = replace(cell, constant=None)
    filters = dict(load_filters(dataset))
    deleted = {key: filters.pop(key) for key in tuple(filters) if key[0].column == "_deleted"}
    return RowClass(BirthClass("input"), cells, filters, deleted, may_be_deleted=True)


def _after(
    classes: Sequence[RowClass], step: AnyStep, plan: ProjectPlan, quarantine: Quarantine
) -> Sequence[RowClass]:
    filters = quarantine.filters
    match step:
        case UpdateStep():
            return update(classes, step, filters)
        case DeleteStep():
            return delete(classes, step, filters)
        case AggregateStep():
            added = summaries(classes, step, plan.input, filters)
        case AppendStep():
            added = appended(classes, step, plan.input, filters)
        case OutputStep():
            return classes
    return [*(with_columns(each, step.columns) for each in classes), *added]


def _output(classes: Sequence[RowClass], step: OutputStep, quarantine: Quarantine) -> OutputLineage:
    births = (_written(each, step, quarantine) for each in classes)
    return _together(step, [each for each in births if each is not None])


def _written(rows: RowClass, step: OutputStep, quarantine: Quarantine) -> ClassLineage | None:
    """None where it can write no row of the class."""
    view = row_scope(rows, step.joins, quarantine.filters)
    cells, decided = rows.cells, rows.visible
    if step.include_deleted:
        view = replace(view, constant=rows.lasting_constant)
        cells = _with_deleted(rows)
        view = replace(view, own=lambda name: cells[name].found)
        decided = rows.rows
    picked = (pick_any if step.include_deleted else pick)(rows, view, step.selector)
    if picked is None:
        return None
    order = merged(*(view.own(key.column) for key in step.order_by))
    own = merged(used_as(picked.decided_by, "filter"), used_as(order, "sort"))
    return _class_lineage(step, rows, cells, merged(decided, at_operation(own, step.seq)))


def _with_deleted(rows: RowClass) -> dict[str, Cell]:
    """Columns of rows of which some are deleted."""
    cells = {
        name: replace(cell, found=merged(cell.found, cell.if_deleted))
        for name, cell in rows.cells.items()
    }
    cells["_deleted"] = Cell(rows.deletes)
    return cells


def _class_lineage(
    step: OutputStep, rows: RowClass, cells: Mapping[str, Cell], decided: Influences
) -> ClassLineage:
    nothing = Cell()
    found = ((name, cells.get(name, nothing)) for name in step.written)
    columns = (column_lineage(name, cell.found, cell.operations) for name, cell in found)
    return ClassLineage(rows.birth, tuple(columns), listed(decided))


def _together(step: OutputStep, births: Sequence[ClassLineage]) -> OutputLineage:
    columns = []
    for place, name in enumerate(step.written):
        parts = [each.columns[place] for each in births]
        found = merged(*(influences_of(each.sources) for each in parts))
        columns.append(column_lineage(name, found, {o for e in parts for o in e.operations}))
    rows = merged(*(influences_of(each.rows) for each in births))
    label = destination_label(step.destination)
    return OutputLineage(
        step.seq, step.name, label, step.register_as, tuple(columns), listed(rows), tuple(births)
    )
