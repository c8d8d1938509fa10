"""A plan followed on Spark by who asks for a part of its rows, up to an output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.row_ids import FIRST, SECOND, id_hashes
from rowbook.engine.counting.counters import SEQ
from rowbook.engine.execution.append_rows import append
from rowbook.engine.execution.environment import Environment
from rowbook.engine.execution.row_wise import apply_layer
from rowbook.engine.execution.start_rows import start
from rowbook.engine.execution.summary import aggregate
from rowbook.engine.execution.working import Working
from rowbook.engine.measure.quarantine_steps import QuarantineSteps
from rowbook.engine.strategy.layers import share_layers
from rowbook.engine.strategy.stages import (
    AggregateStage,
    AppendStage,
    CheckStage,
    LayerStage,
    OutputStage,
    Situation,
    Stage,
    Storage,
    steps_of,
)
from rowbook.engine.strategy.strategy import first_stages
from rowbook.expressions.bound import Bound
from rowbook.expressions.folding import FALSE, TRUE
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AggregateStep, OutputStep, TotalLevel
from rowbook.reference.subset.row_subset import RowSubset
from rowbook.spark.column_names import column


@dataclass(frozen=True, slots=True)
class PlanWalk:
    """Of rows in which the groups of `subset` are whole; the operations of `telling` leave marks on
    them, so that others need not be computed where nobody reads what they wrote."""

    plan: ProjectPlan
    environment: Environment
    subset: RowSubset
    storage: Storage
    telling: frozenset[int]

    def to_output(self, loaded: DataFrame, seq: int) -> tuple[OutputStep, Mapping[int, Working]]:
        """The output, and the rows before it and each aggregate on the way; rows of groups that are
        not whole are let go."""
        taken = QuarantineSteps(self.plan, self.environment, self.storage)
        working = taken.left(0, start(loaded, self.environment, self.plan.columns))
        before: dict[int, Working] = {}
        for stage in share_layers(tuple(self._stages(taken)), Situation()):
            match stage:
                case LayerStage():
                    unmarked = {step.seq for step in stage.steps} - self.telling
                    layer = replace(stage, unmarked=frozenset(unmarked))
                    working = apply_layer(working, layer, self.environment)
                case AppendStage():
                    working = append(working, stage.step, self.environment)
                case AggregateStage():
                    before[stage.step.seq] = working
                    working = self._with_totals(working, stage)
                case OutputStage():
                    before[stage.step.seq] = working
                    if stage.step.seq == seq:
                        return stage.step, before
                case CheckStage(step) if step is not None:
                    working = taken.left(step.seq, working)
        raise AssertionError(f"there is no output {seq}")

    def _stages(self, taken: QuarantineSteps) -> Iterator[Stage]:
        for stage in first_stages(replace(self.plan, expectations=()), Situation()):
            yield stage
            for step in steps_of(stage):
                yield from taken.after(step.seq)

    def _with_totals(self, working: Working, stage: AggregateStage) -> Working:
        """Those that matter are computed at once: all that follows reads them."""
        step = stage.step
        matters = any(each != FALSE for each in self._whole_groups(step))
        kept = replace(stage, keep=matters, storage=self.storage)
        working = aggregate(working, kept, self.environment)
        of_step = column(SEQ).eqNullSafe(F.lit(step.seq))
        return replace(working, frame=working.frame.filter(~of_step | self._is_whole(step)))

    def _whole_groups(self, step: AggregateStep) -> list[Bound]:
        groups = self.subset.groups.get(step.seq, {})
        return [groups.get(level.name, TRUE) for level in step.groupings]

    def _is_whole(self, step: AggregateStep) -> Column:
        found = [
            is_of_level(step, level) & self.environment.compiler.condition(condition)
            for level, condition in zip(step.groupings, self._whole_groups(step), strict=True)
            if condition != FALSE
        ]
        return reduce(Column.__or__, found) if found else F.lit(False)


def is_of_level(step: AggregateStep, level: TotalLevel) -> Column:
    """Whether a summary row is of a level: its id says so."""
    if not step.levels:
        return F.lit(True)
    first, second = id_hashes(group_salt(step, level), [column(key) for key in level.keys])
    return (column(FIRST) == first) & (column(SECOND) == second)


def group_salt(step: AggregateStep, level: TotalLevel) -> str:
    return f"operation {step.seq}{'' if level.name is None else f' level {level.name}'}"
