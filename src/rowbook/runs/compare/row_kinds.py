"""Which rows an output may hold: lines, and summary rows of which aggregates.

An amount stands in a line and again in every subtotal above it, so that they are never added up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rowbook.engine.compare.aligned import LevelKinds, RowKinds
from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound, Constant
from rowbook.expressions.folding import literal_value
from rowbook.planning.columns import OPERATION_SEQ, Columns
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    AppendStep,
    DeleteStep,
    OutputStep,
    TotalLevel,
    UpdateStep,
)


def row_kinds(outputs: Sequence[OutputStep], plan: ProjectPlan) -> RowKinds:
    """All that a table may hold which these wrote: not what their selectors, or deletes before
    them, surely leave out. What rows of a kind surely have in a column decides that, such as NULL
    in one that only an aggregate fills."""
    kinds = [_of_output(each, plan) for each in outputs]
    aggregates = {seq for each in kinds for seq in each.aggregates}
    levels: dict[int, LevelKinds] = {}
    for seq, each in (pair for kind in kinds for pair in kind.levels.items()):
        known = levels.get(seq, each)
        names = tuple(dict.fromkeys((*known.names, *each.names)))
        levels[seq] = LevelKinds(names, each.column if each.column == known.column else None)
    lines = any(each.lines for each in kinds)
    return RowKinds(lines, tuple(sorted(aggregates)), levels)


def _of_output(output: OutputStep, plan: ProjectPlan) -> RowKinds:
    steps = [step for step in plan.steps if step.seq < output.seq]
    lines = _line_values(steps, plan.columns, output.columns)
    levels: dict[int, LevelKinds] = {}
    for i, step in enumerate(steps):
        if isinstance(step, AggregateStep):
            found = _levels(step, steps[i + 1 :], output)
            levels |= {step.seq: found} if found.names else {}
    return RowKinds(
        _may_hold(output, steps, lines),
        tuple(levels),
        {seq: found for seq, found in levels.items() if found.names != (_UNNAMED,)},
    )


_UNNAMED = ""
"""What the only level of an aggregate without levels is called here."""


def _levels(step: AggregateStep, later: Sequence[AnyStep], output: OutputStep) -> LevelKinds:
    """The levels that an output may hold, and the column that tells them unless it was changed."""
    told_by = [name for name in step.level_columns if name not in _assigned(later)]
    names = tuple(
        level.name or _UNNAMED
        for level in step.groupings
        if _may_hold(output, later, _summary_values(step, level, told_by, later, output))
    )
    return LevelKinds(names, next((name for name in told_by if name in output.written), None))


def _line_values(steps: Sequence[AnyStep], at_start: Columns, columns: Columns) -> dict[str, Bound]:
    given = {*at_start.fields, *_assigned(steps)}
    for step in steps:
        if isinstance(step, AppendStep):
            given |= {each.column for each in step.values}
    values = _nulls(columns, given)
    if not any(isinstance(step, AppendStep) for step in steps):
        values[OPERATION_SEQ] = Constant(None, t.INTEGER)
    return values


def _summary_values(
    step: AggregateStep,
    level: TotalLevel,
    told_by: Sequence[str],
    later: Sequence[AnyStep],
    output: OutputStep,
) -> dict[str, Bound]:
    filled = (*step.results, *step.assignments)
    given = {*level.keys, *(each.column for each in filled), *_assigned(later)}
    return {
        **_nulls(output.columns, given),
        **{name: Constant(level.name, t.STRING) for name in told_by},
        OPERATION_SEQ: Constant(step.seq, t.INTEGER),
    }


def _assigned(steps: Sequence[AnyStep]) -> set[str]:
    updates = (step for step in steps if isinstance(step, UpdateStep))
    return {each.column for step in updates for each in step.assignments}


def _nulls(columns: Columns, given: set[str]) -> dict[str, Bound]:
    return {f.name: Constant(None, f.type) for f in columns.business if f.name not in given}


def _may_hold(output: OutputStep, steps: Sequence[AnyStep], values: Mapping[str, Bound]) -> bool:
    if output.selector is not None and _surely(output.selector, values) is False:
        return False
    deletes = (step for step in steps if isinstance(step, DeleteStep))
    return output.include_deleted or not any(
        step.selector is None or _surely(step.selector, values) for step in deletes
    )


def _surely(selector: Bound, values: Mapping[str, Bound]) -> bool | None:
    """Whether a condition picks all rows with these values, or none; None where that depends."""
    found = [_picks(bound.replaced(part, values)) for part in bound.conjuncts(selector)]
    if False in found:
        return False
    return True if all(found) else None


def _picks(condition: Bound) -> bool | None:
    value = literal_value(condition)
    return None if value is None else value.value is True
