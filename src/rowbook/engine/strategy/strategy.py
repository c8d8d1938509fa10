"""How a plan is computed, decided before Spark: a tuple of stages, made by rules.

A strategy begins with a stage for each step. Each rule rewrites the stages and says why; the order
matters: what a checkpoint saves depends on the layers, what is counted where on the checkpoints.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from rowbook.engine.strategy.checkpoints import keep_rows, keep_summaries
from rowbook.engine.strategy.checks.absent_columns import never_null
from rowbook.engine.strategy.checks.check_places import place_checks
from rowbook.engine.strategy.checks.group_checks import check_with_groups
from rowbook.engine.strategy.checks.group_totals import check_with_totals
from rowbook.engine.strategy.checks.lookup_keys import look_at_keys
from rowbook.engine.strategy.copied_rows import copy_rows
from rowbook.engine.strategy.counting.count_places import count_with_input, observe_counts
from rowbook.engine.strategy.counting.group_counts import count_by_groups
from rowbook.engine.strategy.layers import look_up_rules, share_layers, single_layer
from rowbook.engine.strategy.level_groups import group_before_levels
from rowbook.engine.strategy.local_rows import start_locally
from rowbook.engine.strategy.needed_columns import drop_columns
from rowbook.engine.strategy.passed_rows import let_rows_go, write_with_groups
from rowbook.engine.strategy.rollups import total_by_levels
from rowbook.engine.strategy.shared_values import compute_once
from rowbook.engine.strategy.stages import (
    AggregateStage,
    AppendStage,
    EndStage,
    OutputStage,
    Situation,
    Stage,
    Stages,
    StartStage,
)
from rowbook.engine.strategy.storage import store_durably
from rowbook.engine.strategy.window_passes import join_totals
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    AppendStep,
    DeleteStep,
    OutputStep,
    UpdateStep,
)

Rule: TypeAlias = Callable[[Stages, Situation], Stages]

RULES: tuple[Rule, ...] = (
    share_layers,
    look_up_rules,
    compute_once,
    join_totals,
    total_by_levels,
    group_before_levels,
    copy_rows,
    keep_summaries,
    check_with_totals,
    write_with_groups,
    keep_rows,
    count_by_groups,
    count_with_input,
    check_with_groups,
    observe_counts,
    let_rows_go,
    drop_columns,
    store_durably,
    look_at_keys,
    start_locally,
)


@dataclass(frozen=True, slots=True)
class Strategy:
    stages: Stages

    @property
    def end(self) -> EndStage:
        return next(each for each in self.stages if isinstance(each, EndStage))


def decide(plan: ProjectPlan, situation: Situation) -> Strategy:
    stages = first_stages(plan, situation)
    for rule in RULES:
        stages = rule(stages, situation)
    return Strategy(stages)


def first_stages(plan: ProjectPlan, situation: Situation) -> Stages:
    """A stage for each step: a preview has no outputs, and ends where it is told to."""
    steps = plan.steps
    if situation.ending == "preview":
        last = situation.after
        steps = tuple(
            each
            for each in steps
            if not isinstance(each, OutputStep) and (last is None or each.seq <= last)
        )
    computes = situation.ending in ("outputs", "rows") and not any(
        isinstance(each, OutputStep) for each in steps
    )
    why = ("all columns are computed, to see whether that works: there are no outputs",)
    end = EndStage(compute=computes, reasons=why if computes else ())
    stages = (_start(plan, situation), *(_stage(each, situation) for each in steps), end)
    return place_checks(stages, plan, situation)


def _start(plan: ProjectPlan, situation: Situation) -> StartStage:
    narrow = situation.options.narrow_rows and not situation.has_local_rows
    columns = never_null(plan) if narrow else frozenset()
    names = ", ".join(sorted(columns))
    why = f"only rows that are added are asked whether they have no {names}: all of its rows have"
    return StartStage(never_null=columns, reasons=(why,) if columns else ())


def _stage(step: AnyStep, situation: Situation) -> Stage:
    match step:
        case UpdateStep() | DeleteStep():
            return single_layer(step)
        case AggregateStep():
            return AggregateStage(step)
        case AppendStep():
            return AppendStage(step)
        case OutputStep():
            done = step.seq in situation.done
            why = ("not written again: an earlier attempt finished it",) if done else ()
            rewrites = step.seq in situation.rewrites
            return OutputStage(step, done, rewrites, reasons=why)
