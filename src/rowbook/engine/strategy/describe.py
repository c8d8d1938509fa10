"""A strategy as values for people and programs: what is done, and the reason of each decision."""

from __future__ import annotations

from dataclasses import dataclass

from rowbook.engine.strategy.stages import CheckpointStage, steps_of
from rowbook.engine.strategy.strategy import Strategy


@dataclass(frozen=True, slots=True)
class StageDescription:
    """A stage: the seqs of its operations, a sentence for each decision, and the columns that later
    stages read (None: all) and that it drops."""

    kind: str
    operations: tuple[int, ...]
    reasons: tuple[str, ...]
    needed: tuple[str, ...] | None
    dropped: tuple[str, ...] = ()


def describe(strategy: Strategy) -> tuple[StageDescription, ...]:
    return tuple(
        StageDescription(
            stage.kind,
            tuple(step.seq for step in steps_of(stage)),
            stage.reasons,
            None if stage.needed is None else tuple(sorted(stage.needed)),
            tuple(sorted(stage.dropped)) if isinstance(stage, CheckpointStage) else (),
        )
        for stage in strategy.stages
    )
