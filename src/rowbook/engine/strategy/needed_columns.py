"""Which columns of the working dataset the operations still to come read."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from rowbook.engine.strategy.stages import (
    CheckpointStage,
    CheckStage,
    EndStage,
    OutputStage,
    Situation,
    Stage,
    Stages,
    StartStage,
    steps_of,
)
from rowbook.engine.strategy.step_analysis import conditions, own_columns, window_columns
from rowbook.expressions.requirements import unmet
from rowbook.planning.columns import ROW_ID
from rowbook.planning.join_condition import join_condition
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    AppendStep,
    OutputStep,
    Result,
    UpdateStep,
)

ALWAYS_NEEDED = frozenset({"_deleted", "_operation_seq"})
"""Every operation asks which rows are visible, and counts need to know who added a row."""


def drop_columns(stages: Stages, situation: Situation) -> Stages:
    """Says which columns are still needed after each stage, drops others at the start and at
    checkpoints, and makes row ids only where they are read.

    checkpoint, output 2 of account  →  checkpoint without amount, output 2 of account
    """
    if situation.reads_at_end:
        return stages
    known = frozenset(n for s in stages for step in steps_of(s) for n in step.columns.fields)
    needed = NeededColumns()
    narrow = situation.options.narrow_rows and not situation.has_local_rows
    narrow = narrow and not any(isinstance(s, EndStage) and s.compute for s in stages)
    made: list[Stage] = []
    for stage in reversed(stages):
        names = frozenset(needed.names)
        after: Stage = replace(stage, needed=names)
        if isinstance(after, CheckpointStage) and (dropped := known - names):
            after = replace(after, dropped=dropped)
        elif isinstance(after, StartStage):
            after = replace(after, dropped=known - names - {ROW_ID} if narrow else frozenset())
            if ROW_ID not in names:
                reason = "rows get no ids: no operation reads or writes them"
                after = replace(after, with_ids=False, reasons=(*after.reasons, reason))
        made.append(after)
        if isinstance(stage, CheckStage):
            needed.read(stage.reads)
        elif not (isinstance(stage, OutputStage) and stage.done):
            for step in steps_of(stage):
                needed.add(step)
    return tuple(reversed(made))


@dataclass(slots=True)
class NeededColumns:
    """The columns that steps read, in any order. What an update computes counts only if any of
    them reads the column it sets: columns are dropped for good or kept for good."""

    names: set[str] = field(default_factory=lambda: set(ALWAYS_NEEDED))
    _unread: dict[str, list[Result]] = field(default_factory=dict)
    """What updates set in columns that nobody reads so far."""

    def add(self, step: AnyStep) -> None:
        for each in _row_values(step):
            self._unread.setdefault(each.column, []).append(each)
        names = set(_needed_by(step))
        reads_rows = not isinstance(step, AppendStep) or step.source is None
        if reads_rows and any(join_condition(j).by_row for j in step.joins):
            names.add(ROW_ID)
        self.read(names)

    def read(self, names: Collection[str]) -> None:
        self.names |= set(names)
        while read := self.names & self._unread.keys():
            made = [each.expression for name in read for each in self._unread.pop(name)]
            self.names |= own_columns(made)


def _row_values(step: AnyStep) -> tuple[Result, ...]:
    """What a step computes from each row of the working dataset, in columns that may be unread."""
    if isinstance(step, UpdateStep):
        return step.assignments
    if isinstance(step, AppendStep) and step.source is None and step.keys is None:
        return step.results
    return ()


def _needed_by(step: AnyStep) -> frozenset[str]:
    match step:
        case AggregateStep():
            computed = {key.column for key in step.key_values}
            read = [value.expression for value in (*step.key_values, *step.results)]
            return own_columns([*read, *conditions(step)]) | frozenset(step.keys) - computed
        case OutputStep():
            ordered = frozenset(key.column for key in step.order_by)
            return own_columns(conditions(step)) | frozenset(step.written) | ordered
        case AppendStep():
            return _needed_by_append(step)
        case UpdateStep():
            required = [unmet(each.expression) for each in step.assignments]
            asked = [
                each.expression for each, of in zip(step.assignments, required, strict=True) if of
            ]
            return own_columns([*conditions(step), *asked]) | window_columns(step)
        case _:
            return own_columns(conditions(step)) | window_columns(step)


def _needed_by_append(step: AppendStep) -> frozenset[str]:
    """Of the working dataset. What is spread goes by the rows that it comes from, told apart by
    their ids."""
    ids = frozenset({ROW_ID} if step.spread else ())
    if step.source is not None:
        return ids
    trees = conditions(step)
    if step.spread is not None:
        ids |= {step.spread.column}
        trees.append(step.spread.weight)
    if step.keys is not None:
        computed = {key.column for key in step.key_values}
        ids |= frozenset(step.keys) - computed
        trees += [value.expression for value in step.values]
    return ids | own_columns(trees)
