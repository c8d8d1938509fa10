"""Where what is computed once is kept, so that it outlives an executor."""

from __future__ import annotations

from dataclasses import replace

from rowbook.engine.strategy.stages import (
    AggregateStage,
    CheckpointStage,
    CheckStage,
    Executors,
    Situation,
    Stage,
    Stages,
    Storage,
)

_COLLECTED = 16 * 2**20
"""Bytes of a summary that the driver takes without being slowed down."""


def store_durably(stages: Stages, situation: Situation) -> Stages:
    """On a cluster, keeps nothing in one copy alone: whoever has it may be lost.

    aggregate 1 (kept), checkpoint  →  aggregate 1 (kept at the driver), checkpoint (two copies)
    """
    if not situation.executors.apart:
        return stages
    return tuple(_durable(stage, situation.executors) for stage in stages)


def rows_storage(executors: Executors) -> Storage:
    if not executors.apart:
        return Storage()
    return Storage("shared_folder" if executors.shared_folder else "two")


def summary_storage(executors: Executors) -> Storage:
    storage = rows_storage(executors)
    return replace(storage, collected=_COLLECTED) if executors.apart else storage


def _durable(stage: Stage, executors: Executors) -> Stage:
    match stage:
        case AggregateStage(keep=True):
            storage = summary_storage(executors)
            most = f"up to {_COLLECTED >> 20} MB of it are kept at the driver"
            reason = f"{most}, more {_WHERE[storage.copies]}"
        case CheckpointStage():
            storage = rows_storage(executors)
            reason = f"they are kept {_WHERE[storage.copies]}"
        case CheckStage():
            return replace(stage, storage=summary_storage(executors))
        case _:
            return stage
    return replace(stage, storage=storage, reasons=(*stage.reasons, reason))


_WHERE = {
    "one": "by one executor",
    "driver": "at the driver",
    "two": "by two executors, as one may be lost",
    "shared_folder": "in the checkpoint folder, as executors may be lost",
}
