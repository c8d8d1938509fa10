"""Few rows: loaded at the driver, and brought back to it whenever they are computed.

Spark analyses a plan as a whole with every step that is added to it, and optimises it for every
job. Of few rows that is all that takes time, so plans begin anew from the rows themselves.
"""

from __future__ import annotations

from dataclasses import replace

from rowbook.engine.strategy.stages import (
    AggregateStage,
    CheckpointStage,
    CheckStage,
    OutputStage,
    Situation,
    Stage,
    Stages,
    StartStage,
    Storage,
)

_LOADED = "few rows: they are loaded here, and handed to Spark as they are"
_WRITTEN = "few rows: they are written from here where the format allows"
_KEPT = "few rows: what is computed is brought here, counted, and goes on from here"


def start_locally(stages: Stages, situation: Situation) -> Stages:
    """Loads few rows here, keeps every summary and checkpoint of them here, and writes from here.

    start, checkpoint, output 1  →  start (local), checkpoint (at the driver), output 1 (local)
    """
    return tuple(map(_local, stages)) if situation.has_local_rows else stages


def _local(stage: Stage) -> Stage:
    match stage:
        case StartStage():
            return replace(stage, local=True, reasons=(*stage.reasons, _LOADED))
        case AggregateStage() | CheckpointStage():
            return replace(stage, storage=Storage("driver"), reasons=(*stage.reasons, _KEPT))
        case CheckStage():
            return replace(stage, storage=Storage("driver"))
        case OutputStage(done=False):
            return replace(stage, local=True, reasons=(*stage.reasons, _WRITTEN))
        case _:
            return stage
