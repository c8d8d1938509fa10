"""Rows that are made from single ones, as those pass: nothing is computed twice for them."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from rowbook.engine.strategy.stages import AppendStage, Situation, Stage, Stages

_WHY = "each row that it picks comes twice as it passes: rows are not read once more"

_MANY = 3
"""Appends from which that is faster: each that reads the rows doubles what they cost, while one
that copies has every row carry what tells its copies (docs/internals/spark-plans.md)."""


def copy_rows(stages: Stages, situation: Situation) -> Stages:
    """Has rows come twice where nothing but themselves tells what is made from them.

    appends 1, 2 and 3 of working rows  →  the same, as rows pass
    """
    if not situation.options.copies or situation.has_local_rows:
        return stages
    if sum(map(_makes_copies, stages)) < _MANY:
        return stages
    return tuple(
        replace(each, copies=True, reasons=(*each.reasons, _WHY)) if _makes_copies(each) else each
        for each in stages
    )


def _makes_copies(stage: Stage) -> TypeGuard[AppendStage]:
    if not isinstance(stage, AppendStage):
        return False
    return stage.step.source is None and stage.step.keys is None and not stage.step.joins
