"""Groups and totals that expectations look at, made from the groups of an aggregate.

Totals by entity and account are computed anyway, and later something is asked by entity: where
nothing but summaries changes in between, groups keep the parts that are asked for, and only rows
that were added since are grouped for it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from rowbook.engine.strategy.checks.absent_columns import RowsBefore
from rowbook.engine.strategy.checks.check_places import grouping_of, keys_of, names_of
from rowbook.engine.strategy.checks.group_checks import leaves_rows, rows_before
from rowbook.engine.strategy.counting.group_counts import can_count
from rowbook.engine.strategy.rollups import is_exact
from rowbook.engine.strategy.stages import (
    AggregateStage,
    CheckStage,
    Situation,
    Stage,
    Stages,
)
from rowbook.engine.strategy.step_analysis import aggregates_in, aggregates_of, own_columns
from rowbook.expressions.bound import Aggregate
from rowbook.planning.columns import ROW_ID
from rowbook.planning.expectations.expectation_plan import (
    Expectation,
    ExpectationKey,
    GroupCondition,
    UniqueKeys,
)
from rowbook.planning.steps import AggregateStep


def check_with_totals(stages: Stages, situation: Situation) -> Stages:
    """Takes what is asked of groups, or of all rows, from an aggregate before that can tell it.

    aggregate 2 by s, k (kept), check by s  →  aggregate 2 (keeps parts), check of its groups
    """
    if situation.has_local_rows or not situation.options.group_checks:
        return stages
    at = next((i for i, each in enumerate(stages) if _has_groups(each)), None)
    if at is None:
        return stages
    aggregate = stages[at]
    assert isinstance(aggregate, AggregateStage)
    before = rows_before(stages[:at], aggregate.step)
    parts: dict[Aggregate, None] = {}
    after: list[Stage] = []
    rest = list(stages[at + 1 :])
    while rest and leaves_rows(rest[0], before.known):
        stage = rest.pop(0)
        if isinstance(stage, CheckStage):
            told = [each for each in stage.expectations if _is_told(each, aggregate.step, before)]
            parts |= dict.fromkeys(part for each in told for part in parts_of(each))
            stage = _with_groups(stage, told, aggregate.step, before) if told else stage
        after.append(stage)
    return (*stages[:at], replace(aggregate, parts=tuple(parts)), *after, *rest)


def parts_of(expectation: Expectation) -> list[Aggregate]:
    """What it measures of each group, to be put together from those of parts of it."""
    condition = expectation.condition
    measures = condition.measures if isinstance(condition, GroupCondition) else ()
    return aggregates_in(each.expression for each in measures)


def _has_groups(stage: Stage) -> bool:
    if not isinstance(stage, AggregateStage):
        return False
    return stage.keep and stage.reads_rows and can_count(stage.step)


def _is_told(expectation: Expectation, step: AggregateStep, before: RowsBefore) -> bool:
    chosen_by = expectation.selector
    chosen = frozenset() if chosen_by is None else own_columns([before.told(chosen_by)])
    return (
        is_of_groups(expectation, before.known, aggregates_of([step]))
        and set(keys_of(expectation)) <= set(step.keys)
        and chosen <= set(step.keys) - {ROW_ID}
    )


def is_of_groups(
    expectation: Expectation, known: Collection[str], made: Sequence[Aggregate]
) -> bool:
    """Whether what it asks can be put together from groups of rows that have the known columns, and
    of rows that were added; `made` is computed of the groups in any case."""
    condition, keys = expectation.condition, keys_of(expectation)
    if not isinstance(condition, GroupCondition | UniqueKeys) or expectation.joins:
        return False
    if expectation.include_deleted or expectation.point.kind == "output":
        return False
    if expectation.otherwise == "quarantine":
        return False
    against = condition.against if isinstance(condition, GroupCondition) else None
    if against is not None and (keys or against.point is not None):
        return False
    parts = parts_of(expectation)
    return own_columns(parts) <= set(known) - {ROW_ID} and all(is_exact(p, made) for p in parts)


def _with_groups(
    stage: CheckStage, told: list[Expectation], step: AggregateStep, before: RowsBefore
) -> CheckStage:
    chosen = {
        each.key: None if each.selector is None else before.told(each.selector) for each in told
    }
    reason = (
        f"{names_of(told)}: groups are put together from those of operation {step.seq} and"
        " from rows that were added since: in between nothing but summaries changes"
    )
    return replace(
        stage,
        groups_of=step.seq,
        chosen=chosen,
        passes=stage.passes - passes_saved(stage, chosen),
        reasons=(*stage.reasons, reason),
    )


def passes_saved(stage: CheckStage, told: Collection[ExpectationKey]) -> int:
    """How many of its passes are not needed where these are told otherwise."""
    here = [e for i, e in enumerate(stage.expectations) if i not in stage.marked]
    here = [each for each in here if each.key not in stage.chosen]
    left = {_pass(each) for each in (*here, *stage.others) if each.key not in told}
    return len({_pass(each) for each in here if each.key in told} - left)


def _pass(expectation: Expectation) -> tuple[object, ...]:
    """The same for those that one pass is enough for: all that is asked of all rows."""
    return grouping_of(expectation) if keys_of(expectation) else ()
