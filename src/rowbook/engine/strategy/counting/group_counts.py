"""Which updates are counted by the groups of an aggregate that is computed anyway.

How many rows an update picked follows from a summary where its selector asks for nothing but what
rows are grouped by: it is asked once a group instead of once a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from rowbook.engine.strategy.stages import (
    AggregateStage,
    CheckpointStage,
    CheckStage,
    LayerStage,
    OutputStage,
    Situation,
    Stage,
    Stages,
    operations_label,
    steps_of,
)
from rowbook.engine.strategy.step_analysis import aggregates_of, new_columns, own_columns, writes
from rowbook.expressions import bound
from rowbook.planning.columns import PERIOD, ROW_ID
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.steps import AggregateStep, AnyStep, DeleteStep, OutputStep, UpdateStep

MOST_BESIDE = 16
"""Figures that are computed beside an aggregate's results; more are better observed."""

MOST_BY_GROUP = 62
"""Updates that are asked of each group."""


def count_by_groups(stages: Stages, situation: Situation) -> Stages:
    """Counts rows by the groups of an aggregate that is computed anyway, and takes the marks off
    the rows for updates that ask for nothing but its keys.

    layer 1: entity = 'A'; aggregate 2 by entity (kept)  →  2 counts, and 1 leaves no mark
    """
    uncounted = not situation.options.ledger
    if uncounted or situation.reads_at_end or situation.has_local_rows:
        return stages
    if any(isinstance(each, AggregateStage) and each.count for each in stages):
        return stages
    for i, stage in enumerate(stages):
        if isinstance(stage, AggregateStage) and stage.keep and stage.reads_rows:
            before = [step for each in stages[:i] for step in steps_of(each)]
            later = [step for each in stages[i + 1 :] for step in steps_of(each)]
            if can_count(stage.step) and changes_summaries_only(stage.step, later):
                by_group = _updates_of_groups(stage.step, before)
                if beside(before, by_group) + check_figures(stages[:i]) < MOST_BESIDE:
                    return with_group_counts(stages, i)
    return stages


def with_group_counts(stages: Stages, at: int) -> Stages:
    """Rows counted by the groups of the aggregate there, however much else is to be told."""
    stage = stages[at]
    assert isinstance(stage, AggregateStage)
    before = [step for each in stages[:at] for step in steps_of(each)]
    by_group = _updates_of_groups(stage.step, before)
    marked = tuple(_unmarked(each, stage.step, by_group) for each in stages)
    if not is_uncounted(stages[:at]):
        return marked
    return (*marked[:at], _counting(stage), *marked[at + 1 :])


def is_uncounted(before: Stages) -> bool:
    """Whether a checkpoint, where rows are counted, is not the last that happened to them."""
    last = (each for each in reversed(before) if not isinstance(each, OutputStage))
    return not isinstance(next(last), CheckpointStage)


def check_figures(stages: Stages) -> int:
    """Figures about what expectations left on rows."""
    checks = (each for each in stages if isinstance(each, CheckStage))
    return sum(
        figures_of(each.expectations[i] for i in each.marked - each.by_group) for each in checks
    )


def figures_of(marked: Iterable[Expectation]) -> int:
    """How many rows each selector gives them to look at, and one number for all that is wrong."""
    looked_at = {(each.point, each.selector, each.joins, each.include_deleted) for each in marked}
    return len(looked_at) + bool(looked_at)


def _counting(stage: AggregateStage) -> AggregateStage:
    reason = (
        "rows are counted by its groups: it takes all of them, and after it nothing but summaries"
        " changes"
    )
    return replace(stage, count="groups", reasons=(*stage.reasons, reason))


def _unmarked(stage: Stage, by: AggregateStep, by_group: frozenset[int]) -> Stage:
    if not isinstance(stage, LayerStage):
        return stage
    unmarked = by_group & {step.seq for step in stage.steps}
    if not unmarked:
        return stage
    reason = (
        f"counted by the groups of operation {by.seq}, with no mark on rows, since nothing but its"
        f" keys is asked for: {operations_label(unmarked)}"
    )
    return replace(stage, unmarked=unmarked, reasons=(*stage.reasons, reason))


def changes_summaries_only(step: AggregateStep, later: Sequence[AnyStep]) -> bool:
    """Whether each row-wise operation after it asks for a column that summary rows alone have."""
    new = new_columns(step)
    for each in later:
        if isinstance(each, AggregateStep):
            new |= new_columns(each)
        elif isinstance(each, UpdateStep | DeleteStep) and (
            each.selector is None or new.isdisjoint(own_columns([each.selector]))
        ):
            return False
    return True


def can_count(step: AggregateStep) -> bool:
    """Whether all rows are in a group of which the summary tells how many they are."""
    return (
        step.selector is None
        and not step.joins
        and not step.levels
        and not step.key_values
        and bool(step.keys)
        and ROW_ID not in step.keys
        and all(node.function != "COUNT_DISTINCT" for node in aggregates_of([step]))
    )


def _updates_of_groups(step: AggregateStep, before: Sequence[AnyStep]) -> frozenset[int]:
    """The updates that its groups count."""
    found = (
        each.seq
        for i, each in enumerate(before)
        if isinstance(each, UpdateStep) and _follows_from_keys(each, step, before[i:])
    )
    return frozenset(islice(found, MOST_BY_GROUP))


def asked_keys(step: AggregateStep) -> frozenset[str]:
    """What its groups may be asked for: of system columns the period alone."""
    return frozenset(k for k in step.keys if not k.startswith("_") or k == PERIOD.name)


def beside(before: Sequence[AnyStep], by_group: frozenset[int]) -> int:
    """Figures that are computed beside results, of steps that groups do not tell of."""
    return sum(not isinstance(s, OutputStep) and s.seq not in by_group for s in before)


def _follows_from_keys(update: UpdateStep, step: AggregateStep, since: Sequence[AnyStep]) -> bool:
    """Whether the groups still tell which rows it picked; `since` begins with the update."""
    conditions = [] if update.selector is None else [update.selector]
    if any(source is not None for tree in conditions for source, _ in bound.columns(tree)):
        return False
    asked = own_columns(conditions)
    return asked <= asked_keys(step) and not any(
        isinstance(each, DeleteStep) or (isinstance(each, UpdateStep) and asked & writes(each))
        for each in since
    )
