"""Where rows are counted that no groups tell: in a job that computes them anyway, or at the end."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from rowbook.engine.strategy.counting.group_counts import changes_summaries_only
from rowbook.engine.strategy.stages import (
    AggregateStage,
    AppendStage,
    CheckpointStage,
    CheckStage,
    EndStage,
    LayerStage,
    OutputStage,
    Situation,
    Stage,
    Stages,
    StartStage,
    operations_label,
    steps_of,
)
from rowbook.planning.steps import DeleteStep, UpdateStep

_ADDING = (AggregateStage, AppendStage)
_WHILE = "rows are counted while they are"
_ON_A_CLUSTER = "on a cluster in a pass of their own at the end"


def observe_counts(stages: Stages, situation: Situation) -> Stages:
    """Counts rows in a job that computes them anyway, and what is left when the run ends: beside
    an output after which no operation changes rows, where all that it writes are counted alike; or
    beside an aggregate that is computed at once, if nothing but summaries changes after it, since
    it reads few columns; else beside that output. What expectations mark is counted with all rows.

    layer 1, output 2, output 3  →  layer 1, output 2 (rows are counted beside it), output 3
    """
    if not situation.options.ledger or situation.ending == "preview":
        return stages
    beside = last = None if situation.has_local_rows else _last_output(stages)
    apart = situation.options.piece_counts and not any(isinstance(s, CheckStage) for s in stages)
    is_free = apart and beside is not None and _counts_each_row(stages, beside)
    pending = True
    made: list[Stage] = []
    for i, stage in enumerate(stages):
        after = stage
        match stage:
            case CheckpointStage():
                pending = False
            case LayerStage() | AppendStage():
                pending = True
            case CheckStage() if stage.marked:
                pending, beside = True, beside if stage.since else last
            case AggregateStage():
                if stage.count == "groups":
                    beside = None
                elif (
                    beside
                    and not is_free
                    and pending
                    and _observes(stage, stages[i + 1 :], situation)
                ):
                    after, beside = _observed(stage), None
                pending = True
            case OutputStage() if stage is beside and pending:
                after, pending = _observed(replace(stage, by_pieces=apart)), False
            case EndStage() if pending:
                after = replace(stage, count=True, reasons=(*stage.reasons, _rest(situation)))
            case _:
                pass
        made.append(after)
    return tuple(made)


def _observed(stage: AggregateStage | OutputStage) -> Stage:
    """On a cluster, stages that run again would be observed twice."""
    if isinstance(stage, AggregateStage):
        reason = f"summarised: after it nothing but summaries changes; {_ON_A_CLUSTER}"
        return replace(stage, count="observed", reasons=(*stage.reasons, f"{_WHILE} {reason}"))
    reason = f"written: after it nothing changes; {_ON_A_CLUSTER}"
    return replace(stage, observed=True, reasons=(*stage.reasons, f"{_WHILE} {reason}"))


def _last_output(stages: Stages) -> OutputStage | None:
    """Of the outputs that no other stage follows, best one that passes all rows anyway. To order
    them, Spark looks at a part of the rows first, and these would be counted twice."""
    tail = takewhile(lambda s: isinstance(s, OutputStage | CheckpointStage), reversed(stages[:-1]))
    outputs = [each for each in tail if isinstance(each, OutputStage)]
    last = [each for each in outputs if not each.done and not each.step.order_by]
    everything = (each for each in reversed(last) if each.step.selector is None)
    return next(everything, last[-1] if last else None)


def _counts_each_row(stages: Stages, output: OutputStage) -> bool:
    """Whether no row is told from others to be counted: all are written, and operations have picked
    all rows there were or have added some."""
    step = output.step
    copied = any(isinstance(each, AppendStage) and each.copies for each in stages)
    if copied or step.selector is not None or step.include_deleted:
        return False
    first = list(takewhile(lambda each: not isinstance(each, _ADDING), stages))
    changed = [each.steps for each in first if isinstance(each, LayerStage)]
    return not any(isinstance(each, LayerStage) for each in stages[len(first) :]) and all(
        isinstance(each, UpdateStep) and each.selector is None
        for steps in changed
        for each in steps
    )


def _observes(stage: AggregateStage, after: Stages, situation: Situation) -> bool:
    later = [step for each in after for step in steps_of(each)]
    return (
        stage.keep
        and stage.reads_rows
        and stage.of_pass is None
        and not situation.reads_at_end
        and changes_summaries_only(stage.step, later)
    )


def _rest(situation: Situation) -> str:
    if situation.ending == "collect":
        return "rows are counted where they are collected"
    if situation.has_local_rows:
        return "what no stage has counted is counted here"
    return "what no stage has counted is counted in a pass of its own"


def count_with_input(stages: Stages, situation: Situation) -> Stages:
    """Takes the marks off the rows for updates of all rows, as long as rows neither came nor went.

    start, layer 1: all rows, layer 2: entity = 'A'  →  1 leaves no mark, as many as the input has
    """
    options = situation.options
    if not (options.ledger and options.input_counts) or situation.has_local_rows:
        return stages
    made: list[Stage] = []
    same_rows = True
    for stage in stages:
        if same_rows and isinstance(stage, LayerStage):
            made.append(_counted(stage))
            same_rows = not any(isinstance(step, DeleteStep) for step in stage.steps)
            continue
        made.append(stage)
        leaves_rows = isinstance(stage, StartStage | OutputStage) or (
            isinstance(stage, CheckStage) and not stage.takes
        )
        same_rows = same_rows and leaves_rows
    seqs = {seq for each in made if isinstance(each, LayerStage) for seq in each.of_input}
    reason = f"counted with it, since they pick all of its rows: {operations_label(seqs)}"
    return tuple(
        replace(each, reasons=(*each.reasons, reason))
        if seqs and isinstance(each, StartStage)
        else each
        for each in made
    )


def _counted(stage: LayerStage) -> LayerStage:
    seqs = {
        step.seq
        for step in stage.steps
        if step.selector is None and not isinstance(step, DeleteStep)
    }
    return replace(stage, of_input=frozenset(seqs - stage.unmarked))
