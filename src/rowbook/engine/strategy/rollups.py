"""Subtotals of subtotals: which levels of totals come from one pass over the rows.

Totals by entity and account, then totals by entity: the second are sums of the first. Where an
aggregate is followed by others that group by some of its keys and choose rows by nothing but those
keys (or by columns that only the summaries have, as `level IS NULL`), it keeps, beside its summary,
the parts that they need for each of its groups. They are then made from these few rows.

Only what can be put together from parts exactly: SUM of decimals and integers, COUNT, MIN_AGG and
MAX_AGG.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rowbook.engine.strategy.stages import (
    AggregateStage,
    Situation,
    Stages,
    operations_label,
    steps_of,
)
from rowbook.engine.strategy.step_analysis import (
    aggregates_of,
    conditions,
    is_safe,
    new_columns,
    own_columns,
)
from rowbook.expressions import bound
from rowbook.expressions.bound import Aggregate
from rowbook.expressions.types import Kind, as_decimal
from rowbook.planning.columns import ROW_ID
from rowbook.planning.steps import AggregateStep, AnyStep, OutputStep

MERGEABLE = frozenset({"SUM", "COUNT", "MIN_AGG", "MAX_AGG"})
"""Functions whose results can be put together from those of parts."""


def total_by_levels(stages: Stages, situation: Situation) -> Stages:
    """Makes aggregates from the groups of an earlier one where these tell all that they need.

    aggregate 1 by entity, account; aggregate 2 by entity  →  2 is made from the groups of 1
    """
    if situation.has_local_rows or not situation.options.segments:
        return stages
    steps = tuple(step for stage in stages for step in steps_of(stage))
    levels: dict[int, tuple[AggregateStep, ...]] = {}
    for i, step in enumerate(steps):
        if isinstance(step, AggregateStep) and step.seq not in levels:
            found = followers(step, steps[i + 1 :])
            levels |= {each.seq: (step, *found) for each in (step, *found) if found}
    return tuple(
        _with_levels(stage, levels[stage.step.seq])
        if isinstance(stage, AggregateStage) and stage.step.seq in levels
        else stage
        for stage in stages
    )


def _with_levels(stage: AggregateStage, levels: tuple[AggregateStep, ...]) -> AggregateStage:
    first, *following = levels
    if stage.step is first:
        reason = f"its groups keep parts for {operations_label(each.seq for each in following)}"
    else:
        reason = (
            f"made from the groups of operation {first.seq}, not from rows: it groups by some of"
            " their keys and chooses by nothing else"
        )
    return replace(stage, levels=levels, reasons=(*stage.reasons, reason))


def followers(step: AggregateStep, ahead: Iterable[AnyStep]) -> tuple[AggregateStep, ...]:
    """The next aggregates that can be made from its groups, until an operation changes rows."""
    if step.selector is not None or step.joins or _is_special(step):
        return ()
    absent = new_columns(step)
    found: list[AggregateStep] = []
    for each in ahead:
        if isinstance(each, OutputStep):
            continue
        if not (isinstance(each, AggregateStep) and _follows(each, step, absent)):
            break
        found.append(each)
        absent |= new_columns(each)
    return tuple(found)


def _is_special(step: AggregateStep) -> bool:
    """Whether it has other groups than those by columns, once."""
    return bool(step.levels or step.key_values)


def can_merge(node: Aggregate) -> bool:
    """From the results of parts; sums of floats are rounded, and would be again."""
    return node.function in MERGEABLE and (node.function != "SUM" or node.type.kind is Kind.DECIMAL)


def _follows(each: AggregateStep, first: AggregateStep, absent: frozenset[str]) -> bool:
    chosen_by = own_columns(conditions(each))
    summed = own_columns(result.expression for result in each.results)
    of_first = aggregates_of([first])
    return (
        not each.joins
        and not _is_special(each)
        and set(each.keys) <= set(first.keys)
        and chosen_by <= set(first.keys) | absent
        and all(is_exact(node, of_first) for node in aggregates_of([each]))
        and absent.isdisjoint(summed)
        and ROW_ID not in summed | chosen_by
        and ROW_ID not in each.keys
    )


def is_exact(node: Aggregate, of_first: Sequence[Aggregate]) -> bool:
    """Parts are made for all groups, chosen or not: they must not be able to fail, unless the first
    aggregate makes the same for results of its own, and would fail anyway."""
    argument = node.argument
    is_sound = argument is None or isinstance(argument, bound.Constant) or is_safe(argument)
    return can_merge(node) and (
        node in of_first or (is_sound and (node.function != "SUM" or has_room(node)))
    )


def has_room(node: Aggregate) -> bool:
    """A sum has ten digits more than what it adds, if there is room for them."""
    argument = node.argument
    return argument is None or node.type.precision >= as_decimal(argument.type).precision + 10
