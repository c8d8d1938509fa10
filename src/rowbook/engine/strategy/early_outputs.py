"""Which output is begun before the totals are made: it writes the rows that they read, and columns
of a parquet file are read faster than they are computed again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from rowbook.engine.strategy.checks.absent_columns import always_holds
from rowbook.engine.strategy.group_counts import (
    can_count,
    changes_summaries_only,
    counted_early,
    updates_of_groups,
)
from rowbook.engine.strategy.needed_columns import ALWAYS_NEEDED, NeededColumns
from rowbook.engine.strategy.stages import (
    AggregateStage,
    AppendStage,
    EarlyStage,
    EndStage,
    LayerStage,
    OutputStage,
    Situation,
    Stage,
    Stages,
    StartStage,
    steps_of,
)
from rowbook.engine.strategy.step_analysis import conditions, own_columns
from rowbook.expressions.types import Kind
from rowbook.planning.columns import PERIOD, ROW_ID, Columns
from rowbook.planning.steps import AggregateStep, OutputStep

MOST_LEFT = 8
"""Operations that neither groups nor rows which are read back can count: they need a pass over what
rows come from."""


def begin_outputs(stages: Stages, situation: Situation) -> Stages:
    """Writes the rows there are before others come to them, where all of them are written as they
    are then, and reads them from there.

    layer 1, aggregate 2, output 3  →  layer 1, early 3, aggregate 2 (kept), output 3 (the rest)
    """
    adding = (i for i, s in enumerate(stages) if isinstance(s, AggregateStage | AppendStage))
    first = next(adding, None)
    if first is None or not _may_begin(situation):
        return stages
    before, after = stages[:first], stages[first:]
    total = _first_total(before, after)
    if total is None or (situation.options.ledger and not can_count(total.step)):
        return stages
    columns = steps_of(before[-1])[-1].columns
    for output in after:
        if (
            isinstance(output, OutputStage)
            and output.step.seq in situation.early
            and _writes_all(output, columns)
            and _holds_all(output, after, columns)
            and _is_counted(before, total.step, output.step, situation)
        ):
            reason = f"operation {output.step.seq} writes these rows: totals read them from there"
            early = EarlyStage(output.step, steps_of(after[0])[0], reasons=(reason,))
            later = (_with_rest(each, output, total) for each in after)
            return (*before, early, *later)
    return stages


def _may_begin(situation: Situation) -> bool:
    options = situation.options
    return (
        options.early_outputs
        and options.segments
        and situation.ending == "outputs"
        and not situation.has_local_rows
        and not situation.executors.apart
    )


def _with_rest(stage: Stage, output: OutputStage, total: AggregateStage) -> Stage:
    if stage is output:
        reason = "rows that were there before others came to them are written already"
        return replace(output, begun=True, reasons=(*output.reasons, reason))
    if stage is total and not total.keep:
        reason = "the summary is computed once: rows are read where they are written"
        return replace(total, keep=True, reasons=(*total.reasons, reason))
    return stage


def _first_total(before: Stages, after: Stages) -> AggregateStage | None:
    """The first aggregate, where only row-wise operations stand before all that adds rows, and
    nothing changes those rows after it."""
    of_rows = [each for each in before if not isinstance(each, StartStage)]
    if not of_rows or not all(isinstance(each, LayerStage) for each in of_rows):
        return None
    usual = (AggregateStage, AppendStage, LayerStage, OutputStage, EndStage)
    for each in after:
        if not isinstance(each, usual) or (isinstance(each, AppendStage) and each.reads_rows):
            return None
        if isinstance(each, OutputStage) and each.rewrites:
            return None
    place = next((i for i, s in enumerate(after) if isinstance(s, AggregateStage)), None)
    if place is None or any(isinstance(each, LayerStage) for each in after[:place]):
        return None
    total = after[place]
    assert isinstance(total, AggregateStage)
    later = [step for each in after[place + 1 :] for step in steps_of(each)]
    return total if changes_summaries_only(total.step, later) else None


def _writes_all(output: OutputStage, columns: Columns) -> bool:
    """Whether it writes all visible rows that have no other columns, and in no order."""
    step = output.step
    plain = not (output.done or step.joins or step.include_deleted or step.order_by)
    return plain and (step.selector is None or always_holds(step.selector, columns.fields))


def _holds_all(output: OutputStage, after: Stages, columns: Columns) -> bool:
    """Whether what is read of these rows can be read from the output, and is the same there."""
    needed = NeededColumns()
    needed.read(own_columns(conditions(output.step)))
    for each in after:
        if each is not output and not (isinstance(each, OutputStage) and each.done):
            for step in steps_of(each):
                needed.add(step)
    read = needed.names & columns.fields.keys() - ALWAYS_NEEDED
    written: Collection[str] = output.step.written
    return (
        ROW_ID not in needed.names
        and PERIOD.name not in {*needed.names, *written}
        and read <= set(written)
        and not any(columns.fields[name].type.kind is Kind.FLOAT for name in read)
    )


def _is_counted(
    before: Stages, total: AggregateStep, output: OutputStep, situation: Situation
) -> bool:
    """Whether few operations have to be counted on what rows come from."""
    if not situation.options.ledger:
        return True
    steps = [step for each in before for step in steps_of(each)]
    left = counted_early(output, steps)
    return len(left) <= MOST_LEFT and updates_of_groups(total, steps, counted=left) is not None
