"""Which output writes its rows in the pass that makes totals of them.

Rows that a task of Spark's hands over to be written can be grouped there too, for a fraction of
what a pass of their own would take.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rowbook.engine.strategy.checks.group_checks import leaves_rows
from rowbook.engine.strategy.counting.group_counts import (
    can_count,
    changes_summaries_only,
    is_uncounted,
    with_group_counts,
)
from rowbook.engine.strategy.rollups import can_merge
from rowbook.engine.strategy.stages import (
    AggregateStage,
    OutputStage,
    Situation,
    Stage,
    Stages,
    steps_of,
)
from rowbook.engine.strategy.step_analysis import aggregates_of, columns_before
from rowbook.expressions.bound import Aggregate, is_literal
from rowbook.expressions.types import Kind, as_decimal
from rowbook.planning.steps import AggregateStep, OutputStep

_DIGITS = 38
"""Of a sum."""
_LEAST_ROWS = 100_000
"""That must be sure to be added up without an overflow."""

_KEYS = frozenset(
    {Kind.STRING, Kind.INTEGER, Kind.DECIMAL, Kind.BOOLEAN, Kind.DATE, Kind.TIMESTAMP}
)
_COMPARED = frozenset({Kind.INTEGER, Kind.DECIMAL, Kind.DATE, Kind.TIMESTAMP})


def write_with_groups(stages: Stages, situation: Situation) -> Stages:
    """Writes the rows that an output takes of those there are before an aggregate, as they are
    grouped: what is between the two leaves them as they are. They are counted by the groups.

    aggregate 2, output 3  →  aggregate 2 (writes for 3), output 3 (rows that were added since)
    """
    if not situation.options.passed_rows or situation.ending != "outputs":
        return stages
    if situation.has_local_rows or situation.executors.apart:
        return stages
    for i, stage in enumerate(stages):
        if isinstance(stage, AggregateStage) and _can_write(stage):
            at = _output_of(stage, stages[i + 1 :], situation)
            if at is not None and (counted := _counted(stages, i, situation)) is not None:
                total, output = counted[i], counted[i + 1 + at]
                assert isinstance(total, AggregateStage)
                assert isinstance(output, OutputStage)
                between = map(_kept, counted[i + 1 : i + 1 + at])
                after = counted[i + 2 + at :]
                return (
                    *counted[:i],
                    _writing(total, output.step),
                    *between,
                    _after(output, total.step),
                    *after,
                )
    return stages


def most_rows(part: Aggregate) -> int:
    """That can be added up without an overflow."""
    if part.function != "SUM" or part.argument is None:
        return 10**9
    return int(10 ** (_DIGITS - as_decimal(part.argument.type).precision))


def _can_write(stage: AggregateStage) -> bool:
    """Whether its groups tell all that is asked of rows, and can be put together."""
    step = stage.step
    parts = (*aggregates_of(stage.levels or [step]), *stage.parts)
    return (
        stage.reads_rows
        and can_count(step)
        and all(step.columns.fields[key].type.kind in _KEYS for key in step.keys)
        and all(map(_can_pass, parts))
    )


def _counted(stages: Stages, at: int, situation: Situation) -> Stages | None:
    """With rows counted by the groups; None where they are counted otherwise."""
    if not situation.options.ledger:
        return stages
    stage = stages[at]
    assert isinstance(stage, AggregateStage)
    later = [step for each in stages[at + 1 :] for step in steps_of(each)]
    if not changes_summaries_only(stage.step, later) or not is_uncounted(stages[:at]):
        return None
    return with_group_counts(stages, at)


def _can_pass(part: Aggregate) -> bool:
    if not can_merge(part):
        return False
    if part.function == "SUM":
        return most_rows(part) >= _LEAST_ROWS
    if part.function == "COUNT" or part.argument is None:
        return True
    return part.type.kind in _COMPARED or is_literal(part.argument)


def _output_of(stage: AggregateStage, after: Sequence[Stage], situation: Situation) -> int | None:
    known = columns_before(stage.step)
    for i, each in enumerate(after):
        if isinstance(each, OutputStage) and _can_begin(each, situation):
            return i
        if not leaves_rows(_kept(each), known):
            return None
    return None


def _can_begin(stage: OutputStage, situation: Situation) -> bool:
    step = stage.step
    plain = not (stage.done or stage.rewrites or step.joins or step.order_by)
    return plain and step.seq in situation.passing


def _kept(stage: Stage) -> Stage:
    """What summaries add is there before the output is written."""
    return replace(stage, keep=True) if isinstance(stage, AggregateStage) else stage


def _writing(stage: AggregateStage, output: OutputStep) -> AggregateStage:
    reason = f"operation {output.seq} writes these rows: they are grouped as they are written"
    return replace(stage, keep=True, writes=output, reasons=(*stage.reasons, reason))


def _after(stage: OutputStage, total: AggregateStep) -> OutputStage:
    seq = total.seq
    reason = f"rows that were there before operation {seq} are written already, with its groups"
    return replace(stage, since=seq, reasons=(*stage.reasons, reason))
