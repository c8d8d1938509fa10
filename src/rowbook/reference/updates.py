"""`update`: columns of the rows that it picks get new values; all others stay as they are."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.errors import RowbookError
from rowbook.expressions.values import Value
from rowbook.planning.operations.required_values import (
    SAMPLES,
    requirements_of,
    unmet_requirement,
)
from rowbook.planning.steps import UpdateStep
from rowbook.reference.effect import Effect
from rowbook.reference.picking import pick_visible
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import Cell, JoinedRow, WorkingRows, read_cell, text_of


def update(working: WorkingRows, step: UpdateStep, environment: RunEnvironment) -> Effect:
    """Every expression sees the rows as they were before. A column that is new is NULL on rows that
    are not picked."""
    picked = pick_visible(working, step, environment)
    _check_required([row for _, row in picked], step, environment)
    changes: dict[int, dict[str, Cell]] = {
        i: {"_updated_at": environment.context.now} for i, _ in picked
    }
    for assignment in step.assignments:
        cell = environment.cell(step, assignment)
        for i, row in picked:
            changes[i][assignment.column] = cell(row)
    rows = list(working.with_columns(step.columns).rows)
    for i, changed in changes.items():
        rows[i] = {**rows[i], **changed}
    return Effect(WorkingRows(step.columns, rows), matched=len(picked))


def _check_required(
    rows: Sequence[JoinedRow], step: UpdateStep, environment: RunEnvironment
) -> None:
    """RUN_013 where REQUIRE finds no value on a row that is picked."""
    for requirement in requirements_of(step):
        is_unmet = environment.evaluators.condition(requirement.unmet)
        with environment.giving(step, requirement.column):
            lacking = [row for row in rows if is_unmet(row)]
        if lacking:
            cells = [read_cell(each) for each in requirement.shown]
            texts = [tuple(_text(cell(row)) for cell in cells) for row in lacking]
            texts.sort(key=lambda row: [(text is not None, text or "") for text in row])
            fault = unmet_requirement(step, requirement, len(lacking), texts[:SAMPLES])
            raise RowbookError(fault)


def _text(value: Value) -> str | None:
    return None if value is None else text_of(value)
